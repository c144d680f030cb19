"""Matchmaking on a server: what people seek, who is waiting, and the rounds in which they are put together."""
