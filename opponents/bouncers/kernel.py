"""The moves of Bouncers for the search: a position is four numbers, and a move is the position that it leads to.

It builds on the steps that `engines.bouncers.board` has computed. Where several paths end on the same square with the same
pieces captured, only one of them counts, since the next moves do not depend on how a piece got there.
"""

from random import Random
from typing import Final

from engines.bouncers.board import Ways
from engines.bouncers.state import QUIET_PLIES, SETUPS
from opponents.bouncers.evaluation import Evaluation, Position
from opponents.search import IDLE, LOUD, WINNING, Move

Ends = dict[tuple[int, int], None]
"""The ends of a piece's paths, in the order found: each is a place, with the enemy's squares that are still occupied then."""


def _ends(ways: Ways, occupied: int, enemy: int, bonus: tuple[Ways, ...], found: Ends) -> None:
    """Add the ends of a piece's paths to `found`. The other arguments are as in `engines.bouncers.board`."""
    for line, spring, ahead, to, onward in ways:
        if occupied & line == spring:
            if enemy & ahead:
                left = enemy ^ ahead
                if (to, left) not in found or not bonus:
                    found[to, left] = None
                    if left:
                        _ends(bonus[to] if bonus else onward, occupied ^ ahead, left, bonus, found)
            else:
                found[to, enemy] = None
                if onward:
                    _ends(onward, occupied, enemy, bonus, found)


class Kernel(Evaluation):
    """The moves of one variant, in the form that `opponents.search` uses."""

    idle_limit: Final = QUIET_PLIES
    margin: Final = 120
    window: Final = 40

    def __init__(self, variant: str, rng: Random | None = None) -> None:
        super().__init__(variant, rng)
        setup = SETUPS[variant]
        self._ways, self._king_ways = setup.board.counter_ways, setup.board.king_ways
        self._rim, self._last, self._terminal = setup.board.rim, setup.board.last_ranks, setup.terminal
        self.size, self._squares = setup.size, setup.size**2

    def source(self, number: int) -> int:
        """Return the place from which a move starts."""
        return (number >> 2) // self._squares % self._squares

    def target(self, number: int) -> int:
        """Return the place on which a move ends."""
        return (number >> 2) % self._squares

    def moves(self, position: Position) -> list[Move[Position]]:
        """Return every move, or only a winning one if there is one."""
        return self._moves(position, self._able(position), loud=False)

    def every_loud(self, position: Position) -> list[Move[Position]]:
        """Return the moves that capture, make a king or win."""
        return self._moves(position, self._able(position), loud=True)

    def loud(self, position: Position) -> list[Move[Position]]:
        """Return the loud moves of kings, and of counters that capture with their first step or are a step from the last rank.

        These are found at once. Looking for captures at the end of longer paths costs more time than it is worth: the search is
        stronger without them.
        """
        return self._moves(position, self._striking(position), loud=True)

    def _moves(self, position: Position, pieces: int, loud: bool) -> list[Move[Position]]:
        own, enemy, kings, seat = position
        occupied, ways, king_ways, last = own | enemy | self._rim, self._ways[seat], self._king_ways, self._last[seat]
        counters, crowns, squares, other = self.counters[seat], self.kings, self._squares, 1 - seat
        moves: list[Move[Position]] = []
        while pieces:
            bit = pieces & -pieces
            pieces ^= bit
            place, rest = bit.bit_length() - 1, own ^ bit
            found: Ends = {}
            king = kings & bit
            if king:
                _ends(king_ways[place], occupied ^ bit, enemy, king_ways, found)
            else:
                _ends(ways[place], occupied ^ bit, enemy, (), found)
            if not found:
                continue
            worth = crowns[place] if king else counters[place]
            number = (seat * squares + place) * squares
            for to, left in found:
                here = 1 << to
                kind = IDLE if king else LOUD if here & last else 0
                if left == enemy:
                    if kind == LOUD:
                        if self._terminal:
                            return [(WINNING, (number + to) << 2 | LOUD, (left, rest | here, kings, other))]
                    elif loud:
                        continue
                    gain = (crowns if kind else counters)[to] - worth
                    crowned = kings ^ king | here if kind else kings
                else:
                    gain = (crowns if kind else counters)[to] - worth + self._worth(enemy ^ left, kings, self.counters[other])
                    crowned = kings & (rest | left) | here if kind and not self._terminal else kings & (rest | left)
                    if not left or (self._terminal and kind):
                        return [(WINNING, (number + to) << 2 | LOUD, (left, rest | here, crowned, other))]
                    kind = LOUD
                moves.append((gain, (number + to) << 2 | kind, (left, rest | here, crowned, other)))
        return moves
