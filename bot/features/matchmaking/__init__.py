"""Matchmaking: people say what they would like to play, and are put together at tables."""
