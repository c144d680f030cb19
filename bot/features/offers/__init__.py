"""Offers: what needs the agreement of others, such as a draw, an undo, or a substitute."""
