"""The computer player of Bounce Bunny Bounce.

The modules from the ground up: `kernel` (the rules on integers, for imagined games), `knowledge` (what a seat remembers and the
worlds that are possible by it), `playout` (quick play, and how good a position is at a glance), `widening` (what is worth a
thought of a Swap or a Spy), `search` (the tree), `reasons` (why, in words) and `player`, which implements the contract.
"""

from opponents.bunny.player import BunnyOpponent

__all__ = ["BunnyOpponent"]
