"""The exact value of every position of Bouncers with at most three pieces: won, lost or drawn, and in how many plies.

The value depends on the placement of the pieces and on the side to move, except for draws by repetition and by quiet moves. The
tables leave such draws out, and `Endings` allows for them. Variants with the same board and the same way to win share a table.
`tools.bouncers_endings` writes the files beside this module. A process reads a table when it first meets a position of at most
three pieces; a table takes up to 4 MB of memory.

A position is stored as seen by the side to move, whose counters go up. Of a position and its mirror image, left to right, the
table stores the one with the *lead* in the left half of the board. The lead is the only piece of its side. If each side has
only one piece, the lead is the piece of the side to move.
"""

import zlib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from engines.bouncers import State
from engines.bouncers.state import QUIET_PLIES
from opponents.bouncers.evaluation import Position
from opponents.bouncers.paths import position_of, seen_twice
from opponents.search import WIN, WINNING, SearchResult

MOST_PIECES: Final = 3
"""The largest number of pieces, counting both sides, that the tables cover."""
Side = tuple[int, int]
"""The numbers of a side's counters and kings."""
Matchup = tuple[Side, Side]
"""The pieces of the side to move, and the pieces of the other side."""
Turn = tuple[int, ...]
"""The place to which each place goes when the board is turned or mirrored."""


@dataclass(frozen=True, slots=True)
class Block:
    """The part of a table that covers one matchup: its first index, and the number of indices for each square of the lead."""

    start: int
    width: int


class TableLayout:
    """The index of each position in the table of one geometry, which is a board size and a way to win.

    If `terminal`, the first piece on the last rank wins, so there are no kings.
    """

    def __init__(self, size: int, terminal: bool) -> None:
        self.size, self.terminal = size, terminal
        self.squares = size * size
        self.groups = _groups(terminal)
        self.blocks: dict[Matchup, Block] = {}
        self.length = 0
        for group in self.groups:
            for matchup in group:
                block = Block(self.length, self._width(matchup))
                self.blocks[matchup] = block
                self.length += self.squares // 2 * block.width
        self._bases = tuple(self._base(key) for key in range(24))
        turns = [[_turn(size, turned=turned, mirrored=mirrored) for mirrored in (False, True)] for turned in (False, True)]
        self._turns = tuple(
            tuple(self._lead(turns[seat][place % size >= size // 2], place) for place in range(self.squares)) for seat in (0, 1)
        )

    def index(self, position: Position) -> int | None:
        """Return the index of a position, or None if it has more than three pieces or a side has no pieces."""
        own, enemy, kings, seat = position
        if (own | enemy).bit_count() > MOST_PIECES or not own or not enemy:
            return None
        lead, others, key = (enemy, own, 0) if own & own - 1 else (own, enemy, 12)
        turn, number = self._turns[seat][lead.bit_length() - 1]
        if kings & lead:
            key += 6
        low = others & -others
        high, crowned, first = others ^ low, others & kings, turn[low.bit_length() - 1]
        if not high:
            start, width = self._bases[key + 1 if crowned else key]
            return start + number * width + first
        second = turn[high.bit_length() - 1]
        if crowned and crowned != others:
            start, width = self._bases[key + 3]
            counter, king = (second, first) if crowned == low else (first, second)
            return start + number * width + counter * self.squares + king
        start, width = self._bases[key + 4 if crowned else key + 2]
        if first < second:
            first, second = second, first
        return start + number * width + first * (first - 1) // 2 + second

    def _width(self, matchup: Matchup) -> int:
        counters, kings = max(reversed(matchup), key=sum)
        if counters + kings == 1:
            return self.squares
        return self.squares**2 if counters == kings else self.squares * (self.squares - 1) // 2

    def _base(self, key: int) -> tuple[int, int]:
        """Return the start and width of the block for a key, which encodes whose the lead is and the kind of each piece."""
        others = ((1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (0, 0))[key % 6]
        lead = (0, 1) if key // 6 % 2 else (1, 0)
        block = self.blocks.get((lead, others) if key >= 12 else (others, lead))
        return (block.start, block.width) if block else (0, 0)

    def _lead(self, turn: Turn, place: int) -> tuple[Turn, int]:
        """Return the given turn of the board, and the number that a turned place has among the squares of the left half."""
        rank, file = divmod(turn[place], self.size)
        return turn, rank * (self.size // 2) + file


def _turn(size: int, *, turned: bool, mirrored: bool) -> Turn:
    """Return the place to which each place goes when the board is turned upside down, mirrored left to right, or both."""
    return tuple(
        (size - 1 - rank if turned else rank) * size + (size - 1 - file if mirrored else file)
        for rank in range(size)
        for file in range(size)
    )


def _groups(terminal: bool) -> tuple[tuple[Matchup, ...], ...]:
    """Return the matchups in groups linked by quiet moves. A group comes after all groups that its moves lead to.

    A capture leads to fewer pieces, and a promotion to fewer counters.
    """
    kinds: tuple[Side, ...] = ((1, 0), (2, 0)) if terminal else ((0, 1), (1, 0), (0, 2), (1, 1), (2, 0))
    found = {frozenset({(one, other), (other, one)}) for one in kinds for other in kinds if sum(one + other) <= MOST_PIECES}
    return tuple(
        tuple(sorted(group))
        for group in sorted(
            found, key=lambda group: (sum(sum(min(group), ())), sum(side[0] for side in min(group)), sorted(group))
        )
    )


@cache
def layout_of(size: int, terminal: bool) -> TableLayout:
    """Return the layout of a geometry's table."""
    return TableLayout(size, terminal)


def file_name(size: int, terminal: bool) -> str:
    """Return the name of the file that holds a geometry's table, compressed by zlib."""
    return f"{size}x{size}{'-terminal' if terminal else ''}.table"


@cache
def table_of(size: int, terminal: bool) -> bytes:
    """Return the table of a geometry, as `tools.bouncers_endings.solve` gives it. A process reads each table only once."""
    return zlib.decompress((resources.files("opponents.bouncers") / file_name(size, terminal)).read_bytes())


class Endings:
    """The values from the tables for a search that starts from a state.

    A win or a loss is left to the search if it may still turn into a draw. That may happen by too many quiet moves before the
    end, or because a position with as many pieces as the state has come up twice.

    Attributes:
        drawn: whether the state itself is drawn. If so, draws are left to the search as well, which plays on for mistakes.
    """

    def __init__(self, state: State) -> None:
        setup = state.setup
        self._geometry = setup.size, setup.terminal
        self._index = layout_of(*self._geometry).index
        self._repeated = (state.sides[0] | state.sides[1]).bit_count() if seen_twice(state) else 0
        self.drawn = False
        self.drawn = self.value(position_of(state), state.quiet_plies) == 0

    def value(self, position: Position, idle: int) -> int | None:
        """Return the value of a position as `opponents.search` counts it, or None if the tables do not settle it.

        The game must not be over in the position. `idle` is the number of quiet moves in a row before it.
        """
        index = self._index(position)
        if index is None:
            return None
        plies = table_of(*self._geometry)[index] - 1
        if plies < 0:
            return None if self.drawn else 0
        if idle + plies > QUIET_PLIES or (position[0] | position[1]).bit_count() == self._repeated:
            return None
        return WIN - plies if plies % 2 else plies - WIN

    def settle(self, found: SearchResult[Position]) -> SearchResult[Position]:
        """Return a search's result. If the state is drawn, any result but a forced win or a forced loss counts as a draw."""
        return replace(found, value=0) if self.drawn and abs(found.value) < WINNING else found
