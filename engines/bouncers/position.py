"""The variants of Bouncers, and its positions: as values, as one line of text, and as JSON."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from engines.bouncers.board import Board, board_of, places_of
from engines.chance import UNSEEDED, Chance
from engines.text import say, seat_name
from engines.values import replace

REPETITIONS: Final = 3
"""How many times the same position, with the same side to move, makes a draw."""

QUIET_PLIES: Final = 100
"""How many moves in a row without a capture or a counter's step, both sides counted, make a draw."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What distinguishes a variant.

    Attributes:
        size: how many files and ranks the board has.
        ranks: how many ranks each side's pieces are set up on.
        dark_only: whether they are set up on the dark squares only.
        terminal: whether the first piece on the far rank wins.
    """

    size: int
    ranks: int
    dark_only: bool
    terminal: bool

    @property
    def board(self) -> Board:
        """The empty board."""
        return board_of(self.size)

    def start(self, seat: int) -> int:
        """The squares of a side's pieces at the start."""
        return _first_squares(self.size, self.ranks, self.dark_only, seat)


@cache
def _first_squares(size: int, ranks: int, dark_only: bool, seat: int) -> int:
    rows = range(ranks) if seat == 0 else range(size - ranks, size)
    squares = ((file, rank) for rank in rows for file in range(size))
    # a1 is dark, and so is every square whose file and rank are both odd or both even.
    return sum(1 << rank * size + file for file, rank in squares if not dark_only or (file + rank) % 2 == 0)


SETUPS: Final[Mapping[str, Setup]] = MappingProxyType(
    {
        "8x8-16": Setup(size=8, ranks=2, dark_only=False, terminal=False),
        "8x8-16-terminal": Setup(size=8, ranks=2, dark_only=False, terminal=True),
        "8x8-12": Setup(size=8, ranks=3, dark_only=True, terminal=False),
        "8x8-12-terminal": Setup(size=8, ranks=3, dark_only=True, terminal=True),
        "10x10-20": Setup(size=10, ranks=2, dark_only=False, terminal=False),
        "10x10-20-terminal": Setup(size=10, ranks=2, dark_only=False, terminal=True),
    }
)


Seen = tuple[tuple[int, int], ...]
"""How often each position has come: pairs of a `placement` and a count, sorted."""


@dataclass(frozen=True, slots=True)
class State:
    """A position, and what the draw rules have to remember. Sets of squares are integers as in `engines.bouncers.board`.

    Attributes:
        variant: the variant's id.
        sides: the squares of each seat's pieces.
        kings: the squares of all kings, of both seats.
        to_move: the seat to move.
        quiet_plies: the number of moves since the last capture or counter's step.
        seen: how often each position has come, this one included, since the last move after which no earlier position can come
            again.
        resigned: the seat that has left the game (resigned, or out of time), or None.
        chance: the table's stream. The game never draws from it, and comparing states ignores it.
    """

    variant: str
    sides: tuple[int, int]
    kings: int = 0
    to_move: int = 0
    quiet_plies: int = 0
    seen: Seen = ()
    resigned: int | None = None
    chance: Chance = field(default=UNSEEDED, compare=False, repr=False)

    @property
    def setup(self) -> Setup:
        """What distinguishes the variant."""
        return SETUPS[self.variant]

    @property
    def board(self) -> Board:
        """The empty board."""
        return board_of(SETUPS[self.variant].size)


def placement(size: int, sides: tuple[int, int], kings: int, to_move: int) -> int:
    """A position as one number. Two are equal exactly if the pieces and the side to move are the same."""
    squares = size * size
    return ((kings << squares | sides[1]) << squares | sides[0]) << 1 | to_move


def count_position(here: int, before: Seen) -> Seen:
    """How often each position has come, with the one `here` counted among those `before`."""
    index = bisect_left(before, (here,))
    if index < len(before) and before[index][0] == here:
        return (*before[:index], (here, before[index][1] + 1), *before[index + 1 :])
    return (*before[:index], (here, 1), *before[index:])


def first_state(variant: str, chance: Chance) -> State:
    """The state in which a game begins."""
    setup = SETUPS[variant]
    sides = (setup.start(0), setup.start(1))
    return State(variant, sides, seen=count_position(placement(setup.size, sides, 0, 0), ()), chance=chance)


# --- positions in one line ---------------------------------------------------------------------------------------------------

_RANK: Final = r"(?:[rRbB]|10|[1-9])+"
_LINE: Final = re.compile(rf"{_RANK}(?:/{_RANK})* [01]")


def written_line(size: int, placed: int) -> str:
    """A `placement` in one line.

    Ranks from the top, separated by "/"; r and b are counters, R and B kings, numbers count empty squares; then the seat to
    move.
    """
    whole = (1 << size * size) - 1
    to_move, sides = placed & 1, (placed >> 1 & whole, placed >> 1 + size * size & whole)
    kings = placed >> 1 + 2 * size * size
    squares = ["."] * (size * size)
    for side, counter, king in zip(sides, "rb", "RB", strict=True):
        for place in places_of(side):
            squares[place] = king if kings & 1 << place else counter
    line = "".join(squares)
    ranks = "/".join([line[first : first + size] for first in range(size * (size - 1), -1, -size)])
    for gap in range(size, 0, -1):
        ranks = ranks.replace("." * gap, str(gap))
    return f"{ranks} {to_move}"


def read_line(size: int, line: str) -> int | None:
    """The `placement` that `written_line` wrote, or None if it is not one on a board of this size."""
    if not _LINE.fullmatch(line):
        return None
    drawn, _, to_move = line.partition(" ")
    ranks = re.sub("[0-9]+", lambda gap: "." * int(gap[0]), drawn).split("/")
    if [len(rank) for rank in ranks] != [size] * size:
        return None
    red, blue, kings = (
        sum(1 << place for place, letter in enumerate("".join(reversed(ranks))) if letter in letters)
        for letters in ("rR", "bB", "RB")
    )
    return placement(size, (red, blue), kings, int(to_move))


# --- JSON --------------------------------------------------------------------------------------------------------------------

_LISTS: Final = (("red", "red_kings"), ("blue", "blue_kings"))
_KEYS: Final = frozenset({"variant", "to_move", *_LISTS[0], *_LISTS[1], "quiet_plies", "seen", "resigned", "chance"})


def write_position(state: State) -> dict[str, Any]:
    """The state as plain JSON, without its random stream.

    The keys: ``"variant"``; ``"to_move"``, 0 for Red and 1 for Blue; ``"red"``, ``"red_kings"``, ``"blue"`` and
    ``"blue_kings"``, the squares of the counters and kings; ``"quiet_plies"``; ``"seen"``, how often each position has come, as
    `written_line` writes it; and ``"resigned"``, the seat that has left, only if one has.
    """
    names = state.board.names
    position: dict[str, Any] = {"variant": state.variant, "to_move": state.to_move}
    for (counters, kings), side in zip(_LISTS, state.sides, strict=True):
        position[counters] = [names[place] for place in places_of(side & ~state.kings)]
        position[kings] = [names[place] for place in places_of(side & state.kings)]
    seen = ((written_line(state.setup.size, placed), count) for placed, count in state.seen)
    position |= {"quiet_plies": state.quiet_plies, "seen": dict(sorted(seen))}
    if state.resigned is not None:
        position["resigned"] = state.resigned
    return position


def read_position(position: Mapping[str, Any], chance: Chance) -> State:
    """The state that `write_position` wrote. Raises ValueError, saying what is wrong, if there is no such state.

    Kings, quiet plies and the positions seen before may be left out if there are none.
    """
    if unknown := sorted(set(position) - _KEYS):
        raise ValueError(say("A position has no “{key}”.", key=unknown[0]))
    variant = position.get("variant")
    if not isinstance(variant, str) or variant not in SETUPS:
        raise ValueError(say("There’s no variant “{variant}”.", variant=variant))
    board = SETUPS[variant].board
    red, red_kings, blue, blue_kings = (_squares(position, key, board) for pair in _LISTS for key in pair)
    state = State(
        variant,
        (sum(red | red_kings), sum(blue | blue_kings)),
        kings=sum(red_kings | blue_kings),
        to_move=_number(position, "to_move", 0, 1),
        quiet_plies=_number({"quiet_plies": 0, **position}, "quiet_plies", 0, QUIET_PLIES),
        resigned=_number(position, "resigned", 0, 1) if "resigned" in position else None,
        chance=chance,
    )
    _check_pieces(state, (red, red_kings, blue, blue_kings))
    here = placement(board.size, state.sides, state.kings, state.to_move)
    return replace(state, seen=_read_repetitions(board.size, position.get("seen", {}), here))


def _squares(position: Mapping[str, Any], key: str, board: Board) -> set[int]:
    """The squares listed under a key, one bit each."""
    squares = position.get(key, [] if key.endswith("kings") else None)
    if not isinstance(squares, list | tuple):
        raise ValueError(say("“{key}” must be a list of squares.", key=key))
    bits: set[int] = set()
    for square in squares:
        if not isinstance(square, str) or square not in board.places:
            raise ValueError(say("There’s no square “{square}” on this board.", square=square))
        bit = 1 << board.places[square]
        if bit in bits:
            raise ValueError(say("Two pieces stand on {square}.", square=square))
        bits.add(bit)
    return bits


def _number(position: Mapping[str, Any], key: str, least: int, most: int) -> int:
    number = position.get(key)
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ValueError(say("“{key}” must be a whole number from {least} to {most}.", key=key, least=least, most=most))
    return number


def _check_pieces(state: State, lists: Iterable[set[int]]) -> None:
    """Raise ValueError if a piece cannot stand where it is."""
    names, everywhere = state.board.names, 0
    for bits in lists:
        for bit in sorted(bits):
            if everywhere & bit:
                raise ValueError(say("Two pieces stand on {square}.", square=names[bit.bit_length() - 1]))
            everywhere |= bit
    if not everywhere:
        raise ValueError(say("There’s no piece on the board."))
    arrived = [side & last for side, last in zip(state.sides, state.board.last_ranks, strict=True)]
    if state.setup.terminal:
        if state.kings:
            raise ValueError(say("This variant has no kings."))
        if all(arrived):
            raise ValueError(say("Both sides have reached the last rank."))
    for seat in (0, 1):
        for place in () if state.setup.terminal else places_of(arrived[seat] & ~state.kings):
            who = seat_name(seat)
            raise ValueError(say("{who}’s piece on {square} must be a king.", who=who, square=names[place]))


def _read_repetitions(size: int, counts: object, here: int) -> Seen:
    """The positions that came before, and the one `here`, which has come at least once."""
    if not isinstance(counts, Mapping):
        raise ValueError(say("“seen” must give a number for each position."))
    seen = {here: 1}
    for line, count in counts.items():
        placed = read_line(size, line) if isinstance(line, str) else None
        if placed is None:
            raise ValueError(say("“{line}” in “seen” is no position.", line=line))
        most = REPETITIONS if placed == here else REPETITIONS - 1
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= most:
            raise ValueError(say("“{line}” can’t have been seen {count} times.", line=line, count=count))
        seen[placed] = count
    return tuple(sorted(seen.items()))
