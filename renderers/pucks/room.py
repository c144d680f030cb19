"""Finds places for signs on the board of Puck Bumpers where they cover neither a piece nor another sign."""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import ceil
from typing import Final

from engines.pucks.board.board import Point as Cell
from engines.pucks.board.box import ROWS
from engines.pucks.board.views import PucksView
from renderers.canvas import Point
from renderers.pucks.board import DrawnRink

_FAR: Final = 4  # spaces up to which room is looked for: a sign that is farther away would seem to be about something else
_SLACK: Final = 1.02  # how much of a single space a sign may take: it may reach the lines round the space


class Room:
    """The room for signs in one picture. The spaces of the view's pieces, and those in `others`, must stay free."""

    def __init__(self, rink: DrawnRink, view: PucksView, others: Iterable[Cell] = ()) -> None:
        self._rink = rink
        self._places = {mat.at for mat in view.mats}
        self._taken = {placed.point for placed in view.pieces} | set(others)

    def take(self, spaces: Sequence[Cell], size: tuple[float, float]) -> Point | None:
        """Take room for a sign in or near the first space that has it, and return its middle, or None if there is no room."""
        seen = [space for space in spaces if self._is_seen([space], (0, 0))]
        if not seen:
            return None
        across, down = (max(1, ceil(length / (self._rink.space * _SLACK))) for length in size)
        around = ((seen[0][0] + x, seen[0][1] + y) for x, y in _AROUND)
        for space in chain(seen, around):
            left, top = space[0] - (across - 1) // 2, space[1] - (down - 1) // 2
            block = [(left + x, top + y) for x in range(across) for y in range(down)]
            if self._taken.isdisjoint(block) and self._is_seen(block, size):
                self._taken.update(block)
                return self._middle(block)
        return None

    def _middle(self, block: Sequence[Cell]) -> Point:
        (x, y), (end_x, end_y) = self._rink.middle(block[0]), self._rink.middle(block[-1])
        return (x + end_x) / 2, (y + end_y) / 2

    def _is_seen(self, block: Sequence[Cell], size: tuple[float, float]) -> bool:
        """Return whether a sign on these spaces would lie within the board's area, and in one part of a cut board."""
        rink, on_mats = self._rink, all((x // ROWS, y // ROWS) in self._places for x, y in block)
        if rink.fold is not None and not (on_mats and len(rink.parts(block)) == 1):
            return False
        (x, y), (left, top, right, bottom) = self._middle(block), rink.area
        return left + size[0] / 2 <= x <= right - size[0] / 2 and top + size[1] / 2 <= y <= bottom - size[1] / 2


_AROUND: Final = sorted(
    ((x, y) for x in range(-_FAR, _FAR + 1) for y in range(-_FAR, _FAR + 1) if (x, y) != (0, 0)),
    key=lambda away: (away[0] ** 2 + away[1] ** 2, away),
)
"""The steps from a space to the spaces round it, the nearest first."""
