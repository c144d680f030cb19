"""Challenges: inviting one person to a game, from the menu on their name."""
