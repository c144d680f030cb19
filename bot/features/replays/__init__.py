"""Replays: a game as an animation with its log, and what has happened since a player's last turn."""
