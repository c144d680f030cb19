"""The course of the game: placing, moving, turns, standing orders, and what a seat may know."""
