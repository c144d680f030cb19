"""How messages get to Discord: access to channels, threads, refusals, and messages that were sent already."""
