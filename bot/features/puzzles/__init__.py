"""Puzzles: positions with one best move, those of the days, and who has solved them."""
