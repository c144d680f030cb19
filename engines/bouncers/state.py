"""The variants of Bouncers, its positions, and whole moves: the pieces that can move, their paths, and their results."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Final

from engines.actions import Action
from engines.bouncers.board import Board, Walk, board_of, walk_of, walks
from engines.chance import UNSEEDED, Chance
from engines.values import latest

REPETITIONS: Final = 3
"""How often the same position, with the same side to move, has to come up for a draw."""

QUIET_PLIES: Final = 100
"""How many moves in a row without a capture or a counter's step make a draw. The moves of both sides are counted."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A variant: the board's size, the ranks of pieces, whether they use dark squares only, and whether the last rank wins."""

    size: int
    ranks: int
    dark_only: bool
    terminal: bool

    @property
    def board(self) -> Board:
        """The empty board of the variant."""
        return board_of(self.size)

    def start(self, seat: int) -> int:
        """Return the squares of a side's pieces at the start."""
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
"""How often each position has occurred, as sorted pairs of a `placement` and a count."""


@dataclass(frozen=True, slots=True)
class State:
    """A position, with what the draw rules have to remember. Sets of squares are integers as in `engines.bouncers.board`.

    Attributes:
        sides: the squares of each seat's pieces.
        kings: the squares of both seats' kings.
        quiet_plies: the number of moves since the last capture or the last step of a counter.
        seen: how often each position, including this one, has occurred since the last move that cannot be undone.
        resigned: the seat that has left the game (resigned, or out of time), or None.
        chance: the table's stream, from which nothing is ever drawn. Comparing states ignores it.
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
        """The properties of the variant."""
        return SETUPS[self.variant]

    @property
    def board(self) -> Board:
        """The empty board of the variant."""
        return board_of(SETUPS[self.variant].size)


def placement(size: int, sides: tuple[int, int], kings: int, to_move: int) -> int:
    """Return a position as one number. Two positions have the same number exactly if pieces and side to move are the same."""
    squares = size * size
    return ((kings << squares | sides[1]) << squares | sides[0]) << 1 | to_move


def count_position(here: int, before: Seen) -> Seen:
    """Return how often each position has occurred, with the one `here` added to those `before`."""
    index = bisect_left(before, (here,))
    if index < len(before) and before[index][0] == here:
        return (*before[:index], (here, before[index][1] + 1), *before[index + 1 :])
    return (*before[:index], (here, 1), *before[index:])


def first_state(variant: str, chance: Chance) -> State:
    """Return the state in which a game begins."""
    setup = SETUPS[variant]
    sides = (setup.start(0), setup.start(1))
    return State(variant, sides, seen=count_position(placement(setup.size, sides, 0, 0), ()), chance=chance)


@dataclass(frozen=True, slots=True)
class Path:
    """The detail of a "move" event: the squares, the captures as (square, seat, was it a king), and whether it made a king."""

    squares: tuple[str, ...]
    captured: tuple[tuple[str, int, bool], ...]
    promoted: bool


def winner_on_board(state: State) -> int | None:
    """Return the seat that has won on the board, by leaving the enemy without pieces or by reaching the last rank, or None."""
    red, blue = state.sides
    ranks = state.board.last_ranks if state.setup.terminal else (0, 0)
    if not blue or red & ranks[0]:
        return 0
    return 1 if not red or blue & ranks[1] else None


def pieces_to_move(state: State) -> Iterator[Walk]:
    """Yield the walk of each piece of the side to move, before its first step. If the game is decided, yield none."""
    seat = state.to_move
    if winner_on_board(state) is None:
        yield from walks(state.board, seat, state.sides[seat], state.sides[1 - seat], state.kings)


@latest
def walk_along(state: State, action: Action) -> Walk | None:
    """Return the walk along the squares of an action, or None if there is no such path."""
    board, seat = state.board, state.to_move
    if not action or (place := board.places.get(action[0])) is None:
        return None
    own, enemy = state.sides[seat], state.sides[1 - seat]
    if not own & 1 << place or winner_on_board(state) is not None:
        return None
    walk: Walk | None = walk_of(board, seat, place, own, enemy, state.kings)
    for square in action[1:]:
        walk = walk and walk.onto(board.places.get(square))
    return walk


def state_after(state: State, walk: Walk) -> State:
    """Return the state after a piece has moved along its path."""
    seat, enemy = state.to_move, 1 - state.to_move
    source, to = 1 << walk.path[0], 1 << walk.path[-1]
    king, own, left = bool(state.kings & source), state.sides[seat] ^ source, walk.enemy
    kings = state.kings & (own | left)
    if king or promotes(state, walk):
        kings |= to
    captured = left != state.sides[enemy]
    size = state.setup.size
    # After a capture, or a counter's step forward, no earlier position can come again.
    final = captured or (not king and walk.path[0] // size != walk.path[-1] // size)
    sides = (own | to, left) if seat == 0 else (left, own | to)
    seen = count_position(placement(size, sides, kings, enemy), () if final else state.seen)
    quiet_plies = state.quiet_plies + 1 if king and not captured else 0
    return State(state.variant, sides, kings, enemy, quiet_plies, seen, state.resigned, state.chance)


def is_king(state: State, walk: Walk) -> bool:
    """Whether the piece of a path was a king before its first step."""
    return bool(state.kings & 1 << walk.path[0])


def reaches_last_rank(state: State, walk: Walk) -> bool:
    """Whether a path brings a counter to the last rank, where its move ends."""
    return bool(1 << walk.path[-1] & state.board.last_ranks[state.to_move]) and not is_king(state, walk)


def promotes(state: State, walk: Walk) -> bool:
    """Whether the last step of a path makes its piece a king."""
    return reaches_last_rank(state, walk) and not state.setup.terminal


def path_of(state: State, walk: Walk) -> Path:
    """Return the result of a move, with squares by name."""
    names, enemy = state.board.names, 1 - state.to_move
    captured = tuple((names[place], enemy, bool(state.kings & 1 << place)) for place in walk.taken if place is not None)
    return Path(tuple(names[place] for place in walk.path), captured, promotes(state, walk))
