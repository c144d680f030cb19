"""Bouncers: checkers on springs, for two players. The rules are in rules.md.

The modules from the ground up: `board` (steps, captures and paths), `position` (variants and positions), `moves` (a move as a
whole), `words` (what is said about it) and `game`, which implements the contract.
"""

from engines.bouncers.game import Bouncers, BouncersView, Piece, perft
from engines.bouncers.moves import Path
from engines.bouncers.position import State

__all__ = ["Bouncers", "BouncersView", "Path", "Piece", "State", "perft"]
