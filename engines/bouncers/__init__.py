"""Bouncers: checkers on springs, for two players. The rules are in rules.md.

The modules from the ground up: `board` (steps, captures, paths), `state` (variants, positions, whole moves), `position`
(positions as text and JSON), `words`, and `game`, which implements the contract.
"""

from engines.bouncers.game import Bouncers, BouncersView, Piece, perft
from engines.bouncers.state import Path, State

__all__ = ["Bouncers", "BouncersView", "Path", "Piece", "State", "perft"]
