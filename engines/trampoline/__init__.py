"""BOUNCE: dice, bumps and at most fifteen jumps, for one to four players. The rules are in rules.md.

From the ground up: `track` (the spots, and what a roll does there), `story` (what happened, in words) and `game`, which is the
contract.
"""

from engines.trampoline.game import ROLL, Trampoline, TrampolineState, TrampolineView
from engines.trampoline.track import Bump, Facing, Jumper, Place, Roll

__all__ = ["ROLL", "Bump", "Facing", "Jumper", "Place", "Roll", "Trampoline", "TrampolineState", "TrampolineView"]
