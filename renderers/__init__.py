"""Pictures: a view of a game in, an image out. Knows the engines and Pillow, nothing else."""
