"""Puzzles: which one a person gets, what they make of it, their ratings, and the puzzle of the day."""
