"""Today: what goes on at a server, on one page."""
