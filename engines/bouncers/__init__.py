"""Bouncers: checkers on springs, for two players. The rules are in rules.md.

The modules from the ground up: `board` (steps, captures and paths), `position` (variants and positions) and `game`, which
implements the contract.
"""

from engines.bouncers.game import Bouncers, BouncersView, Path, Piece, perft
from engines.bouncers.position import State

__all__ = ["Bouncers", "BouncersView", "Path", "Piece", "State", "perft"]
