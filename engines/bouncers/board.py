"""The Bouncers board in integers: the steps from each square, and the paths that consist of them.

A set of squares is an integer with one bit per square, rank by rank from a1 (bit 0). The number of a square's bit is the
square's place. Every step is precomputed as a `Bounce`, so that a single comparison tells whether it is possible: its
springboard must be occupied, and its target empty. The rim is one more bit beyond the last square, and always occupied. It is
the springboard of every step that may bounce off the rim, and of all steps of a king, which needs no springboard.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Final

SIDEWAYS: Final = ((-1, 0), (1, 0))
ALL_ROUND: Final = tuple((x, y) for y in (1, 0, -1) for x in (-1, 0, 1) if (x, y) != (0, 0))
Direction = tuple[int, int]


Bounce = tuple[int, int, int, int, "Ways"]
"""One step from one square in one direction. It is a plain tuple, because Python unpacks those fastest:

- line: the springboard and the target. The step is possible if, of these two, only the springboard is occupied;
- spring: the springboard, which is the square right behind, or the rim;
- ahead: the next square in the same direction, where an enemy is captured, or 0 if that is off the board;
- to: the place of the target;
- onward: the steps that may follow in the same move. Empty for a king, which goes on only after a capture.
"""

Ways = tuple[Bounce, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The geometry of an empty board of one size.

    Attributes:
        names: the name of each square, in the order of their places. `places` has the place of each name.
        rim: the bit of the rim.
        counter_ways: for each seat and place, the steps with which a counter on that place can begin a move.
        king_ways: for each place, the steps that a king can take from there.
        last_ranks: for each seat, the last rank, where its counters become kings or win.
    """

    size: int
    names: tuple[str, ...]
    places: Mapping[str, int]
    rim: int
    counter_ways: tuple[tuple[Ways, ...], tuple[Ways, ...]]
    king_ways: tuple[Ways, ...]
    last_ranks: tuple[int, int]


@cache
def board_of(size: int) -> Board:
    """Return the board with this many files and ranks."""
    names = tuple(f"{file}{rank}" for rank in range(1, size + 1) for file in ascii_lowercase[:size])
    rank = (1 << size) - 1
    return Board(
        size=size,
        names=names,
        places=MappingProxyType({name: place for place, name in enumerate(names)}),
        rim=1 << size * size,
        counter_ways=(_counter_ways(size, 1), _counter_ways(size, -1)),
        king_ways=tuple(_king_ways(size, place) for place in range(size * size)),
        last_ranks=(rank << size * (size - 1), rank),
    )


def _place(size: int, place: int, direction: Direction, steps: int = 1) -> int | None:
    x, y = place % size + steps * direction[0], place // size + steps * direction[1]
    return y * size + x if 0 <= x < size and 0 <= y < size else None


def _bit(place: int | None) -> int:
    return 0 if place is None else 1 << place


def _counter_ways(size: int, forward: int) -> tuple[Ways, ...]:
    """Return the first steps of a counter from each place. `forward` is 1 (up) or -1 (down).

    The steps that follow leave out two directions. In the direction of the step before, the springboard would be the square
    that the counter has just left, which is empty. The opposite direction leads back to that square. So every path ends: after
    a step sideways, only steps forward are left.
    """
    known: dict[tuple[int, Direction | None], Ways] = {}
    directions = ((-1, forward), (0, forward), (1, forward), *SIDEWAYS)
    last = size - 1 if forward > 0 else 0

    def ways(place: int, came: Direction | None) -> Ways:
        if place // size == last:
            return ()
        if (place, came) not in known:
            back = came and (-came[0], -came[1])
            steps = (step(place, direction) for direction in directions if direction not in (came, back))
            known[place, came] = tuple(bounce for bounce in steps if bounce is not None)
        return known[place, came]

    def step(place: int, direction: Direction) -> Bounce | None:
        to, behind = _place(size, place, direction), _place(size, place, direction, -1)
        if to is None or (behind is None and direction in SIDEWAYS):
            return None
        spring = 1 << (size * size if behind is None else behind)
        ahead = _bit(_place(size, place, direction, 2))
        return (spring | 1 << to, spring, ahead, to, ways(to, direction))

    return tuple(ways(place, None) for place in range(size * size))


def _king_ways(size: int, place: int) -> Ways:
    rim = 1 << size * size
    return tuple(
        (rim | 1 << to, rim, _bit(_place(size, place, direction, 2)), to, ())
        for direction in ALL_ROUND
        if (to := _place(size, place, direction)) is not None
    )


# --- the paths of one piece ----------------------------------------------------------------------------------------------
# The arguments mean the same throughout. `ways`: the steps from where the piece is now. `occupied`: the rim, and the squares of
# all pieces except the moving one. `enemy`: the squares of the enemy's pieces. `bonus`: `Board.king_ways` for a king, which may
# take one more step after each capture; empty for a counter.


def _count(ways: Ways, occupied: int, enemy: int, bonus: tuple[Ways, ...]) -> int:
    paths = 0
    for line, spring, ahead, to, onward in ways:
        if occupied & line == spring:
            paths += 1
            if enemy & ahead:
                if left := enemy ^ ahead:
                    paths += _count(bonus[to] if bonus else onward, occupied ^ ahead, left, bonus)
            elif onward:
                paths += _count(onward, occupied, enemy, bonus)
    return paths


def _ends(ways: Ways, occupied: int, enemy: int, bonus: tuple[Ways, ...], found: list[tuple[int, int]]) -> None:
    """For each path that continues from here, append to `found` its end and the enemy squares that are still occupied then."""
    for line, spring, ahead, to, onward in ways:
        if occupied & line == spring:
            if enemy & ahead:
                left = enemy ^ ahead
                found.append((to, left))
                if left:
                    _ends(bonus[to] if bonus else onward, occupied ^ ahead, left, bonus, found)
            else:
                found.append((to, enemy))
                if onward:
                    _ends(onward, occupied, enemy, bonus, found)


def _captures(ways: Ways, occupied: int, enemy: int) -> bool:
    for line, spring, ahead, _, onward in ways:
        if occupied & line == spring and (enemy & ahead or _captures(onward, occupied, enemy)):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Walk:
    """A piece on its way along `path`, standing on its last place. For each step, `taken` has the place captured, or None."""

    path: tuple[int, ...]
    taken: tuple[int | None, ...]
    ways: Ways
    occupied: int
    enemy: int
    bonus: tuple[Ways, ...]

    @property
    def can_step(self) -> bool:
        """Whether the piece can take any step now."""
        occupied = self.occupied
        return any(occupied & bounce[0] == bounce[1] for bounce in self.ways)

    @property
    def can_capture(self) -> bool:
        """Whether any path that continues from here captures something."""
        return _captures(self.ways, self.occupied, self.enemy)

    def onward(self) -> Iterator["Walk"]:
        """Yield the walk after each step that the piece can take now."""
        return (self._after(bounce) for bounce in self.ways if self.occupied & bounce[0] == bounce[1])

    def onto(self, place: int | None) -> "Walk | None":
        """Return the walk after the step to a place, or None if the piece cannot step there now."""
        for bounce in self.ways:
            if bounce[3] == place and self.occupied & bounce[0] == bounce[1]:
                return self._after(bounce)
        return None

    def _after(self, bounce: Bounce) -> "Walk":
        _, _, ahead, to, onward = bounce
        path, occupied, enemy, taken = (*self.path, to), self.occupied, self.enemy, None
        if enemy & ahead:
            taken, occupied, enemy = ahead.bit_length() - 1, occupied ^ ahead, enemy ^ ahead
            onward = (self.bonus[to] if self.bonus else onward) if enemy else ()
        return Walk(path, (*self.taken, taken), onward, occupied, enemy, self.bonus)

    def continuations(self) -> Iterator["Walk"]:
        """Yield the walk at the end of every path that continues from here. Each path comes before its own continuations."""
        for walk in self.onward():
            yield walk
            yield from walk.continuations()


# --- a side to move --------------------------------------------------------------------------------------------------------


def walks(board: Board, seat: int, own: int, enemy: int, kings: int) -> Iterator[Walk]:
    """Yield the walk of each piece of a side before its first step. `kings` holds the kings of both sides."""
    return (walk_of(board, seat, place, own, enemy, kings) for place in places_of(own))


def walk_of(board: Board, seat: int, place: int, own: int, enemy: int, kings: int) -> Walk:
    """Return the walk of the piece on a place, before its first step."""
    occupied = (own | enemy | board.rim) ^ 1 << place
    if kings & 1 << place:
        return Walk((place,), (), board.king_ways[place], occupied, enemy, board.king_ways)
    return Walk((place,), (), board.counter_ways[seat][place], occupied, enemy, ())


def places_of(squares: int) -> Iterator[int]:
    """Yield the places in a set of squares, lowest first."""
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def movable(board: Board, seat: int, own: int, enemy: int, kings: int) -> Iterator[int]:
    """Yield the places of a side's pieces that have a move."""
    occupied, ways, king_ways = own | enemy | board.rim, board.counter_ways[seat], board.king_ways
    for place in places_of(own):
        for line, spring, _, _, _ in king_ways[place] if kings & 1 << place else ways[place]:
            if occupied & line == spring:
                yield place
                break


def count_paths(board: Board, seat: int, own: int, enemy: int, kings: int) -> int:
    """Return the number of moves of a side."""
    occupied = own | enemy | board.rim
    ways, paths = board.counter_ways[seat], 0
    counters = own & ~kings
    while counters:
        bit = counters & -counters
        counters ^= bit
        paths += _count(ways[bit.bit_length() - 1], occupied ^ bit, enemy, ())
    for place in places_of(own & kings):
        paths += _count(board.king_ways[place], occupied ^ 1 << place, enemy, board.king_ways)
    return paths


def perft_of(board: Board, seat: int, own: int, enemy: int, kings: int, *, depth: int, terminal: bool) -> int:
    """Return the number of sequences of `depth` moves, ignoring draws. If `terminal`, reaching the last rank ends the game."""
    if depth == 1:
        return count_paths(board, seat, own, enemy, kings)
    sequences, occupied = 0, own | enemy | board.rim
    last_rank = board.last_ranks[seat]
    for source in places_of(own):
        bit = 1 << source
        king, rest = bool(kings & bit), own ^ bit
        ways, bonus = (board.king_ways[source], board.king_ways) if king else (board.counter_ways[seat][source], ())
        found: list[tuple[int, int]] = []
        _ends(ways, occupied ^ bit, enemy, bonus, found)
        for place, left in found:
            to = 1 << place
            if terminal and to & last_rank:
                continue
            crowned = kings & (rest | left)
            if king or to & last_rank:
                crowned |= to
            sequences += perft_of(board, 1 - seat, left, rest | to, crowned, depth=depth - 1, terminal=terminal)
    return sequences
