"""The value of a position of Bouncers, from the square of each piece and the steps that it can take next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Final

from engines.bouncers.board import board_of, places_of
from engines.bouncers.state import SETUPS
from opponents.search import WINNING

Position = tuple[int, int, int, int]
"""The squares of the side to move, the squares of the other side, the squares of all kings, and the seat to move."""
UNIT: Final = 100
"""The unit of all values: a counter is worth about this much."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the evaluation.

    Attributes:
        ranks: the worth of a counter, by its rank from its own first rank to the last but one.
        middle: added to a counter for each file between it and the nearer side of the board.
        king: the worth of a king.
        centre: added to a king for each square between it and the nearest rim.
        step: the worth of each step that a counter can take next.
        hit: the worth of each first step with which the side that is not to move could capture.
        chase: the worth of each square by which a king of the leading side is nearer to the next enemy piece.
        turn: the worth of being to move.
        spread: the difference that makes a win about 73 % likely.
    """

    ranks: tuple[int, ...]
    middle: int
    king: int
    centre: int
    step: int
    hit: int
    chase: int
    turn: int
    spread: int


_TERMINAL: Final = Weights(
    ranks=(113, 121, 101, 65, 69, 32, -2), middle=1, king=0, centre=0, step=35, hit=30, chase=0, turn=-2, spread=118
)

WEIGHTS: Final = {
    "8x8-16": Weights(
        (136, 104, 91, 69, 50, 34, 24), middle=2, king=116, centre=-4, step=2, hit=15, chase=6, turn=-13, spread=154
    ),
    "8x8-16-terminal": _TERMINAL,
    "8x8-12": Weights(
        (100, 101, 102, 104, 106, 110, 118), middle=2, king=220, centre=4, step=3, hit=6, chase=12, turn=8, spread=320
    ),
    "8x8-12-terminal": _TERMINAL,
    "10x10-20": Weights(
        (114, 106, 95, 85, 65, 51, 39, 30, 22), middle=1, king=139, centre=0, step=1, hit=14, chase=6, turn=0, spread=143
    ),
    "10x10-20-terminal": replace(_TERMINAL, ranks=(113, 119, 111, 92, 65, 68, 50, 24, -2)),
}
"""The weights of each variant. The weights of 8x8-12 are set by hand; the others are fitted by `benchmarks/tuning.py`."""


Lane = tuple[int, int, int, int, int]
"""The steps of a side's counters in one direction: how many places a step leads on, and four masks of starting places.

In this order, the masks hold the places at which the square behind counts as a springboard, the places at which the rim counts
as one, the places from which there is a square to step to, and the places from which there is also a square beyond it.
"""


@cache
def _lanes(size: int, seat: int) -> tuple[tuple[Lane, ...], tuple[Lane, ...]]:
    """Return the directions in which a side's counters step: first those to higher places, then those to lower places.

    The steps of the second group are given as the number of places that they go down.
    """
    board = board_of(size)
    found: dict[int, list[int]] = {}
    for place, ways in enumerate(board.counter_ways[seat]):
        for _, spring, ahead, to, _ in ways:
            behind, rim, reach, beyond = found.setdefault(to - place, [0, 0, 0, 0])
            here = 1 << place
            found[to - place] = [
                behind | (here if spring != board.rim else 0),
                rim | (here if spring == board.rim else 0),
                reach | here,
                beyond | (here if ahead else 0),
            ]
    up = tuple((shift, *masks) for shift, masks in found.items() if shift > 0)
    down = tuple((-shift, *masks) for shift, masks in found.items() if shift < 0)
    return up, down  # type: ignore[return-value]


@cache
def _rings(size: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each place, the squares at most 2 squares away, at most 3, at most 4, and so on."""
    places = range(size * size)
    away = [[max(abs(a % size - b % size), abs(a // size - b // size)) for b in places] for a in places]
    return tuple(tuple(sum(1 << b for b in places if away[a][b] <= reach) for reach in range(2, size - 1)) for a in places)


class Evaluation:
    """The evaluation of one variant. `rng` shifts the worth of squares a little, so that choices between like moves vary."""

    def __init__(self, variant: str, rng: Random | None = None, weights: Weights | None = None) -> None:
        setup = SETUPS[variant]
        board, size = setup.board, setup.size
        self.weights = weights or WEIGHTS[variant]
        places = range(size * size)
        shades = [0 if rng is None else rng.randrange(-2, 3) for _ in places]
        far = [min(place % size, size - 1 - place % size) for place in places]
        rims = [min(far[place], place // size, size - 1 - place // size) for place in places]
        ranks = self.weights.ranks[: size - 1]
        ranks = (*ranks, ranks[-1])
        up = tuple(ranks[place // size] + self.weights.middle * far[place] + shades[place] for place in places)
        down = tuple(ranks[size - 1 - place // size] + self.weights.middle * far[place] + shades[place] for place in places)
        self.counters = (up, down)
        self.kings = tuple(self.weights.king + self.weights.centre * rims[place] for place in places)
        self._whole = board.rim - 1
        self._rings = _rings(size)
        self._lanes = (_lanes(size, 0), _lanes(size, 1))
        row = (1 << size) - 1
        self._near_last = (row << size * (size - 2), row << size)
        self._near = tuple(sum(1 << to for _, _, _, to, _ in ways) for ways in board.king_ways)

    def score(self, position: Position) -> int:
        """Return the worth of the pieces on their squares, as seen by the side to move."""
        own, enemy, kings, seat = position
        return self._worth(own, kings, self.counters[seat]) - self._worth(enemy, kings, self.counters[1 - seat])

    def _worth(self, side: int, kings: int, counters: Sequence[int]) -> int:
        worth = 0
        while side:
            bit = side & -side
            side ^= bit
            worth += (self.kings if kings & bit else counters)[bit.bit_length() - 1]
        return worth

    def evaluate(self, position: Position, score: int) -> int:
        """Return the evaluation for the side to move, given its score, or -WINNING if it has no move."""
        own, enemy, kings, seat = position
        occupied = own | enemy
        empty = self._whole ^ occupied
        steps, _ = self._reach(self._lanes[seat], own & ~kings, occupied, empty, enemy)
        theirs, hits = self._reach(self._lanes[1 - seat], enemy & ~kings, occupied, empty, own)
        if kings:
            for place in places_of(own & kings):
                steps += (self._near[place] & empty).bit_count()
        if not steps:
            return -WINNING
        if kings:
            score += self._chase(own & kings, enemy) if score > 0 else -self._chase(enemy & kings, own)
        weights = self.weights
        return score + weights.turn + weights.step * (steps - theirs) - weights.hit * hits

    def _chase(self, kings: int, prey: int) -> int:
        """Return how near the leading side's kings are to the enemy pieces. Without this, that side would make no progress."""
        near = 0
        while kings:
            bit = kings & -kings
            kings ^= bit
            for ring in self._rings[bit.bit_length() - 1]:
                if ring & prey:
                    near += self.weights.chase
        return near

    def nearness(self, place: int, prey: int) -> int:
        """Return how near a king on a place is to the nearest enemy piece: one more for each square less.

        Two squares away counts as near as the next square, because a king captures from there.
        """
        return sum(bool(ring & prey) for ring in self._rings[place])

    @staticmethod
    def _reach(
        lanes: tuple[tuple[Lane, ...], tuple[Lane, ...]], counters: int, occupied: int, empty: int, enemy: int
    ) -> tuple[int, int]:
        """Return how many steps a side's counters can take next, and how many of these capture."""
        steps = hits = 0
        for shift, behind, rim, to, beyond in lanes[0]:
            if able := counters & to & (empty >> shift) & (rim | (occupied << shift) & behind):
                steps += able.bit_count()
                if able := able & beyond & (enemy >> 2 * shift):
                    hits += able.bit_count()
        for shift, behind, rim, to, beyond in lanes[1]:
            if able := counters & to & (empty << shift) & (rim | (occupied >> shift) & behind):
                steps += able.bit_count()
                if able := able & beyond & (enemy << 2 * shift):
                    hits += able.bit_count()
        return steps, hits

    def _able(self, position: Position) -> int:
        own, enemy, kings, seat = position
        occupied = own | enemy
        empty, able = self._whole ^ occupied, kings
        up, down = self._lanes[seat]
        for shift, behind, rim, to, _ in up:
            able |= to & (empty >> shift) & (rim | (occupied << shift) & behind)
        for shift, behind, rim, to, _ in down:
            able |= to & (empty << shift) & (rim | (occupied >> shift) & behind)
        return own & able

    def _striking(self, position: Position) -> int:
        """Return the mover's kings, and its counters that capture with their first step or are near the last rank."""
        own, enemy, kings, seat = position
        occupied = own | enemy
        empty, able, near = self._whole ^ occupied, kings, self._near_last[seat]
        up, down = self._lanes[seat]
        for shift, behind, rim, to, beyond in up:
            able |= to & (empty >> shift) & (rim | (occupied << shift) & behind) & (near | beyond & (enemy >> 2 * shift))
        for shift, behind, rim, to, beyond in down:
            able |= to & (empty << shift) & (rim | (occupied >> shift) & behind) & (near | beyond & (enemy << 2 * shift))
        return own & able
