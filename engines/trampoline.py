"""BOUNCE: up and down on a trampoline after too much food, hoping to land before the fifteenth jump."""

from dataclasses import dataclass

from engines.game import View
from engines.trampoline_track import Bump, Facing, Jumper, Place, Roll

__all__ = ["Bump", "Facing", "Jumper", "Place", "Roll", "TrampolineView"]


@dataclass(frozen=True, kw_only=True)
class TrampolineView(View):
    """Everything there is to know of a game of BOUNCE; all seats know all of it.

    Attributes:
        tokens: for each seat its token and jump counter.
        dice: how many dice the seat to act rolls, 1 to 3; 0 when the game is over.
        faceplant: whether the seat to act may flip a coin instead.
        sharing: the seats whose tokens share a spot with another, spot by spot from the lowest, those who have been there
            longest first (they are the first to be bumped).
    """

    tokens: tuple[Jumper, ...]
    dice: int
    faceplant: bool
    sharing: tuple[int, ...] = ()
