"""The course of the game: placing, moving, turns, standing orders, and the knowledge of a seat."""
