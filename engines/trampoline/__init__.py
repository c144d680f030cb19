"""BOUNCE: dice, bumps and at most fifteen jumps, for one to four players. The rules are in rules.md.

The modules from the ground up: `track` (places, and the effect of a roll), `story` (events in words), and `game`, which
implements the contract.
"""

from engines.trampoline.game import ROLL, Trampoline, TrampolineState, TrampolineView, odds_text
from engines.trampoline.track import Bump, Facing, Jumper, Place, Roll

__all__ = ["ROLL", "Bump", "Facing", "Jumper", "Place", "Roll", "Trampoline", "TrampolineState", "TrampolineView", "odds_text"]
