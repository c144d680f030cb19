"""Playing: the panel for moves, the hand, hints, and what a table shows of itself."""
