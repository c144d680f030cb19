"""Verification: the log of a game, and how anybody can check that its dice were fair."""
