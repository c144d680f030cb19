"""Reviews: what an expert thinks of a finished game, its turning points, and one’s own slips to play again."""
