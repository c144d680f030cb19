"""The computer player of Bounce Bunny Bounce.

The modules build on one another in this order: `kernel` has the rules on integers, for imagined games; `knowledge` has a seat's
memory and the worlds that it allows; `playout` has quick play and a position's value at a glance; `widening` finds the likely
moves of a Swap or a Spy; `search` grows the tree; `reasons` puts the reasons into words; and `player` implements the contract.
"""

from opponents.bunny.player import BunnyOpponent

__all__ = ["BunnyOpponent"]
