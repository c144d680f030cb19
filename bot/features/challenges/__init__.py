"""Challenges: asking one person to a game, from the menu on them."""
