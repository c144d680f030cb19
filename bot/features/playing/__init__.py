"""Playing: the panel in which a person moves, the hand, hints, and what a table shows of itself."""
