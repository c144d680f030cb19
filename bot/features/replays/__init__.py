"""Replays: the moves of a game as an animation, what happened since one last looked, and results."""
