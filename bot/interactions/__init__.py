"""The handling of clicks and commands, with one router that passes each click to its handler."""
