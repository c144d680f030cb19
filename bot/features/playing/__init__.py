"""Playing: the panel for moves, the hand, hints, and whatever a table shows on demand."""
