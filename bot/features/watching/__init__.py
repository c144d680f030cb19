"""Watching: news for spectators of a game."""
