"""Playing cards: the effect of each, and the piles."""
