"""Lessons, which teach a game through a few positions with one decision in each."""
