"""Retrograde analysis of Bouncers, which computes the tables of `opponents.bouncers.tables`.

`python -m tools.bouncers_endings --write` computes the tables and writes their files, which takes minutes of one core.

The matchups are solved in the order of `TableLayout.groups`, so that every move out of a group leads to a known position.
Within a group, the positions without a move are lost in no ply. From there on, each decided position decides those before it: a
position with a move to a lost position is won, and one whose moves all lead to won positions is lost. A position that is never
decided is drawn.
"""

import sys
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate, combinations
from pathlib import Path

from engines.bouncers.state import SETUPS
from opponents.bouncers import tables
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.tables import Matchup, Side, TableLayout, file_name, layout_of
from opponents.search import WINNING


def solve(size: int, terminal: bool) -> bytes:
    """Return the table of a geometry, which has for each index one more than the number of plies to the end, or 0.

    The number of plies is odd in a position that is won for the side to move, and even in one that is lost. 0 stands for a
    draw, or for an index without a position.
    """
    layout = layout_of(size, terminal)
    kernel = Kernel(next(variant for variant, setup in SETUPS.items() if (setup.size, setup.terminal) == (size, terminal)))
    values = bytearray(layout.length)
    for group in layout.groups:
        _Group(layout, kernel, values, group).solve()
    return bytes(values)


def positions(layout: TableLayout, matchup: Matchup) -> Iterator[Position]:
    """Yield the stored positions of a matchup, in which the side to move moves up and the lead is in the left half."""
    size = layout.size
    left = sum(1 << place for place in range(layout.squares) if place % size < size // 2)
    sides = [_placements(layout, side, last) for side, last in zip(matchup, (size - 1, 0), strict=True)]
    lead = 0 if sum(matchup[0]) == 1 else 1
    sides[lead] = [(squares, kings) for squares, kings in sides[lead] if squares & left]
    for own, own_kings in sides[0]:
        for enemy, enemy_kings in sides[1]:
            if not own & enemy:
                yield own, enemy, own_kings | enemy_kings, 0


def _placements(layout: TableLayout, side: Side, last: int) -> list[tuple[int, int]]:
    """Return each set of squares that a side's pieces can have, with those of its kings. `last` is a rank without counters."""
    everywhere = [1 << place for place in range(layout.squares)]
    for_counters = [1 << place for place in range(layout.squares) if place // layout.size != last]
    return [
        (sum(counters) | sum(kings), sum(kings))
        for counters in combinations(for_counters, side[0])
        for kings in combinations(everywhere, side[1])
        if not sum(counters) & sum(kings)
    ]


class _Group:
    """The positions of a group of matchups.

    Attributes:
        first, end: the index of the first position, and the index after the last one. All other indices count from the first.
        befores, afters: for each move within the group, the position before it and the position after it.
        unknown: for each position, the number of its moves that are not yet known to lose.
        latest: for each position, the plies to the end by the best of its losing moves that lead out of the group.
        due: the positions by the number of plies in which they are decided, unless they turn out to be decided in fewer.
    """

    def __init__(self, layout: TableLayout, kernel: Kernel, values: bytearray, group: tuple[Matchup, ...]) -> None:
        self.layout, self.kernel, self.values, self.group = layout, kernel, values, group
        self.first = layout.blocks[group[0]].start
        last = layout.blocks[group[-1]]
        self.end = last.start + layout.squares // 2 * last.width
        self.befores, self.afters = array("I"), array("I")
        self.unknown = array("H", bytes(2 * (self.end - self.first)))
        self.latest = bytearray(self.end - self.first)
        self.due: defaultdict[int, list[int]] = defaultdict(list)

    def solve(self) -> None:
        """Write the value of every position of the group."""
        for matchup in self.group:
            for position in positions(self.layout, matchup):
                self._look(position)
        starts, before = self._befores_by_after()
        values, first, unknown = self.values, self.first, self.unknown
        plies = 0
        while self.due:
            won, soon = plies % 2, self.due[plies + 1]
            for here in self.due.pop(plies, ()):
                if values[first + here]:
                    continue
                values[first + here] = plies + 1
                for there in before[starts[here] : starts[here + 1]]:
                    if values[first + there]:
                        continue
                    if not won:
                        soon.append(there)
                        continue
                    unknown[there] -= 1
                    if not unknown[there]:
                        self.due[max(plies + 1, self.latest[there])].append(there)
            if not soon:
                del self.due[plies + 1]
            plies += 1

    def _look(self, position: Position) -> None:
        index, values, first, end = self.layout.index, self.values, self.first, self.end
        here = index(position)
        assert here is not None
        here -= first
        moves = self.kernel.moves(position)
        if not moves or moves[0][0] >= WINNING:
            self.due[len(moves)].append(here)
            return
        unknown = latest = 0
        for _, _, after in moves:
            there = index(after)
            assert there is not None
            if first <= there < end:
                self.befores.append(here)
                self.afters.append(there - first)
                unknown += 1
                continue
            value = values[there]
            if value % 2:
                self.due[value].append(here)
            elif value:
                latest = max(latest, value)
                continue
            unknown += 1
        self.unknown[here], self.latest[here] = unknown, latest
        if not unknown:
            self.due[latest].append(here)

    def _befores_by_after(self) -> "tuple[list[int], array[int]]":
        """Return where the positions before each position begin in a list, and this list, which has them for all positions."""
        counts = [0] * (self.end - self.first + 1)
        for after in self.afters:
            counts[after + 1] += 1
        starts = list(accumulate(counts))
        free, sorted_befores = list(starts), array("I", bytes(4 * len(self.befores)))
        for before, after in zip(self.befores, self.afters, strict=True):
            sorted_befores[free[after]] = before
            free[after] += 1
        return starts, sorted_befores


if __name__ == "__main__" and "--write" in sys.argv:
    for geometry in sorted({(setup.size, setup.terminal) for setup in SETUPS.values()}):
        Path(tables.__file__).with_name(file_name(*geometry)).write_bytes(zlib.compress(solve(*geometry), level=9))
