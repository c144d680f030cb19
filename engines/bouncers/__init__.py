"""Bouncers: draughts on springs, for two players. The rules are in rules.md, beside the code that plays them.

From the ground up: `board` (steps, and what they capture), `position` (set-ups, and what makes a position) and `game`, which
is the contract.
"""

from engines.bouncers.game import Bouncers, BouncersView, Path, Piece, perft
from engines.bouncers.position import State

__all__ = ["Bouncers", "BouncersView", "Path", "Piece", "State", "perft"]
