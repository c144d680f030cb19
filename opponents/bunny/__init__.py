"""The computer player of Bounce Bunny Bounce.

From the ground up: `kernel` (the rules on integers, for imagined games), `knowledge` (a seat's memory and the worlds that it
allows), `playout` (quick play, and a position's value at a glance), `widening` (likely moves of a Swap or a Spy), `search` (the
tree), `reasons` (the words) and `player`, which implements the contract.
"""

from opponents.bunny.player import BunnyOpponent

__all__ = ["BunnyOpponent"]
