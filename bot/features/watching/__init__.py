"""Watching: being told of the moves of a game that one does not play."""
