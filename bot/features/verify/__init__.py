"""Verification: the log of a game, and how anybody can check with it that the game's dice were fair."""
