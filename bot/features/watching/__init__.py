"""Watching: news of a game for its spectators."""
