"""Reviews: what an expert thinks of a finished game, its turning points, and another try at one's own slips."""
