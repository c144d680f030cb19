"""Puzzles: positions in which one move is best, the puzzle of each day, and who has solved them."""
