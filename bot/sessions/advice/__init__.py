"""Hints during a game and reviews after it."""
