"""Forced wins in Bouncers that take longer than a search looks ahead, found by proof-number search.

Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002) goes where the
fewest positions are left to be shown, however deep that is. So it finds a race of a dozen moves with single answers, which
alpha-beta does not see, and gives up where there is much to choose. A position that comes up again on the same way counts as no
win. What is proved stays proved; the rest is left open.
"""

from typing import Final

from engines.bouncers import Bouncers, State
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.bouncers.tables import Endings
from opponents.search import WINNING

GAME: Final = Bouncers()

LOOKED_AT: Final = 100_000
"""The most positions that are looked at in search of a win."""
DEEPEST: Final = 40
"""The most plies that a win may take to be found. This many quiet moves in a row are not yet a draw."""
_PROVED: Final = 1 << 30
"""The number that counts as infinite: it stands for what cannot be shown."""
Numbers = tuple[int, int]
"""The fewest positions that are left to show in order to prove that the side to move gets what it wants, and that it does not.

The side that is to be beaten wants anything but a loss; the other side wants to win.
"""


class _TooMany(Exception):
    """The search has looked at as many positions as it is allowed to."""


def is_lost(state: State, most: int = LOOKED_AT) -> bool:
    """Return whether the side to move is proved to lose by force, whatever it plays. False means that this is not known."""
    if GAME.outcome(state) is not None:
        return False
    if (value := Endings(state).value(position_of(state), state.quiet_plies)) is not None:
        return value <= -WINNING
    try:
        return _Proof(state.variant, most).is_lost(position_of(state))
    except _TooMany:
        return False


class _Proof:
    def __init__(self, variant: str, most: int) -> None:
        self._kernel, self._left = Kernel(variant), most
        self._known: dict[Position, Numbers] = {}
        self._way: set[Position] = set()

    def is_lost(self, position: Position) -> bool:
        """Return whether the side to move loses by force. Raise _TooMany if that takes too many positions."""
        _, fails = self._look(position, (_PROVED, _PROVED), beaten=True)
        return fails == 0

    def _look(self, position: Position, limits: Numbers, *, beaten: bool) -> Numbers:
        """Return the numbers of a position, searched until one of them has reached its limit.

        If `beaten`, the side to move is the one that is to be beaten.
        """
        self._left -= 1
        if self._left < 0:
            raise _TooMany
        moves = self._kernel.moves(position)
        if not moves or any(gain >= WINNING for gain, _, _ in moves):
            self._known[position] = (0, _PROVED) if moves else (_PROVED, 0)
            return self._known[position]
        self._way.add(position)
        while True:
            after = [(self._numbers(reached, beaten=not beaten), reached) for _, _, reached in moves]
            gets, fails = min(fail for (_, fail), _ in after), min(_PROVED, sum(get for (get, _), _ in after))
            if gets >= limits[0] or fails >= limits[1] or not gets or not fails:
                self._way.discard(position)
                self._known[position] = gets, fails
                return gets, fails
            ((get, _), nearest), *others = sorted(after, key=lambda one: one[0][1])
            second = min((fail for (_, fail), _ in others), default=_PROVED)
            self._look(nearest, (limits[1] - fails + get, min(limits[0], second + 1)), beaten=not beaten)

    def _numbers(self, position: Position, *, beaten: bool) -> Numbers:
        """Return what is known about a position. If it came up before on the way, or lies too deep, it counts as no win."""
        if position in self._way or len(self._way) >= DEEPEST:
            return (0, _PROVED) if beaten else (_PROVED, 0)
        return self._known.get(position, (1, 1))
