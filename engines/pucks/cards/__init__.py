"""Playing cards: what each does, and where it goes."""
