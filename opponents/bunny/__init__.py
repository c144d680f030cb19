"""The computer player of Bounce Bunny Bounce."""

from opponents.bunny.player import BunnyOpponent

__all__ = ["BunnyOpponent"]
