"""Plans: replies and orders that players give in advance, and that are played as soon as they apply."""
