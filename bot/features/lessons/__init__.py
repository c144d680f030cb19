"""Lessons: learning a game by playing a few positions with one decision in each."""
