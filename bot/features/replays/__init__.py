"""Replays: a game as an animation, what happened since a player's last turn, and results."""
