"""The computer player of Bounce Bunny Bounce.

The modules from the ground up: `kernel` (the rules on integers, for imagined games), `knowledge` (the memory of a seat and the
worlds that are possible by it), `playout` (quick play, and the value of a position at a glance), `widening` (likely moves of
a Swap or a Spy), `search` (the tree), `reasons` (the words) and `player`, which implements the contract.
"""

from opponents.bunny.player import BunnyOpponent

__all__ = ["BunnyOpponent"]
