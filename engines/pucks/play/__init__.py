"""The course of the game: placing, moving, turns, standing orders, and what each seat knows."""
