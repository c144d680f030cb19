"""Puzzles of Puck Bumpers proved again by the slow reading of the rules of moving, which shares no code with the miner.

Every way through the turn is played, in every order. None scores more pucks than the line, none as many with fewer actions, and
all that score as many end on the same board. The cards are read from the rules page.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from engines.game import open_view
from engines.pucks import Pucks
from engines.pucks.board.board import Mat, Mats
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.state import State
from engines.values import replace
from opponents.puzzles.puzzle import Goal, Proof, Puzzle
from tests.engines.pucks import slow

PUCKS = Pucks()

Standing = frozenset[tuple[slow.Point, str]]

End = tuple[Mats, Standing]
"""The mats, and what stands where."""
floor_of = cache(slow.floor_of)


class SlowTurn(NamedTuple):
    """What decides the rest of a turn; `before` is what stood where before the last move of a piece."""

    mats: Mats
    standing: Standing
    scored: frozenset[str]
    before: Standing | None
    hand: tuple[str, ...]
    rule: int
    taken: int
    extra: int
    doubled: int
    lent: frozenset[str]
    thin: bool

    @property
    def left(self) -> int:
        return int(self.rule * 2**self.doubled + self.extra - self.taken)


class TurnReader:
    """Plays a turn of one state through, and remembers what each position can still bring."""

    def __init__(self, state: State, seat: int) -> None:
        view = open_view(PUCKS, state)
        self.bumping = state.variant != "old-school"
        self.net_off = state.table.net_off
        self.colours = sorted({placed.piece.name.split()[0] for placed in view.pieces})
        self.mine = COLOURS[seat]
        self.needed = view.needed
        self.known: dict[SlowTurn, tuple[int, frozenset[End], int]] = {}
        standing = frozenset((placed.point, placed.piece.name) for placed in view.pieces)
        scored = frozenset(PUCKS.position(state)["scored"])
        self.start = SlowTurn(
            state.table.mats,
            standing,
            scored,
            None,
            tuple(sorted(state.hands[seat])),
            state.table.action_rule,
            0,
            0,
            0,
            frozenset(),
            thin=False,
        )

    def goals(self, turn: SlowTurn, colour: str) -> int:
        return sum(name.split()[0] == colour for name in turn.scored)

    def over(self, turn: SlowTurn) -> bool:
        return any(self.goals(turn, colour) >= self.needed for colour in COLOURS)

    def best(self, turn: SlowTurn) -> tuple[int, frozenset[End], int]:
        """The most goals, the boards on which the last of them is scored, and the least actions for that."""
        if self.over(turn):
            return 0, frozenset(), 0
        if turn not in self.known:
            found = []
            for after in self.after(turn):
                now, (later, ends, actions) = self.goals(after, self.mine) - self.goals(turn, self.mine), self.best(after)
                if now + later:
                    found.append((now + later, ends if later else frozenset({(after.mats, after.standing)}), 1 + actions))
            most = max((goals for goals, _, _ in found), default=0)
            ways = [(ends, actions) for goals, ends, actions in found if goals == most]
            boards = frozenset(end for ends, _ in ways for end in ends)
            self.known[turn] = most, boards, min((actions for _, actions in ways), default=0)
        return self.known[turn]

    def after(self, turn: SlowTurn) -> Iterator[SlowTurn]:
        if turn.left > 0:
            for _, name in turn.standing:
                if name.split()[0] == self.mine or name.split()[0] in turn.lent:
                    yield from self.moved(turn, name)
        for card in set(turn.hand):
            free = card.startswith("take") or card in {"extra", "double"}
            if free or turn.left > 0:
                hand = list(turn.hand)
                hand.remove(card)
                yield from self.played(card, turn._replace(hand=tuple(hand), taken=turn.taken + (not free)))

    def moved(self, turn: SlowTurn, name: str) -> Iterator[SlowTurn]:
        floor, walls, closed = floor_of(turn.mats, self.net_off)
        for way in slow.WAYS:
            board = slow.Board(floor, walls, dict(turn.standing), set(turn.scored), closed, self.bumping, turn.thin)
            if slow.move(board, name, way):
                standing = frozenset(board.pieces.items())
                if standing != turn.before:
                    yield turn._replace(
                        standing=standing, scored=frozenset(board.scored), before=turn.standing, taken=turn.taken + 1
                    )

    def played(self, card: str, turn: SlowTurn) -> Iterator[SlowTurn]:
        if card.startswith("take"):
            yield turn._replace(rule=int(card[-1]))
        elif card == "extra":
            yield turn._replace(extra=turn.extra + 1)
        elif card == "double":
            yield turn._replace(doubled=turn.doubled + 1, extra=2 * turn.extra)
        elif card == "thin-ice":
            yield turn._replace(thin=True)
        elif card == "borrow":
            for colour in self.colours:
                if colour != self.mine and colour not in turn.lent:
                    yield turn._replace(lent=turn.lent | {colour})
        elif card in {"shift", "swap", "twist"}:
            for mats in LAID[card](turn.mats):
                yield turn._replace(mats=mats, standing=carried(turn.standing, turn.mats, mats))
        else:
            assert card == "faceoff", f"the card {card} is not read here"
            pucks = sorted((point, name) for point, name in turn.standing if slow.is_puck(name))
            for place, (one, first) in enumerate(pucks):
                for other, second in pucks[place + 1 :]:
                    standing = turn.standing - {(one, first), (other, second)} | {(one, second), (other, first)}
                    yield turn._replace(standing=standing)


def beside(at: slow.Point) -> set[slow.Point]:
    return {slow.plus(at, way) for way in slow.WAYS}


def hang_together(places: set[slow.Point]) -> bool:
    """Whether mats on these places are connected, side to side."""
    reached, new = set[slow.Point](), {min(places)}
    while new:
        reached |= new
        new = {place for one in new for place in beside(one)} & places - reached
    return reached == places


def free(mats: Mats) -> list[Mat]:
    """The mats with a side that touches no other."""
    places = {mat.at for mat in mats}
    return [mat for mat in mats if beside(mat.at) - places]


def shifted(mats: Mats) -> Iterator[Mats]:
    """Every mat with a free side, moved next to any other one so that all are connected."""
    places = {mat.at for mat in mats}
    for mat in free(mats):
        rest = places - {mat.at}
        for target in {place for one in rest for place in beside(one)} - places:
            if hang_together(rest | {target}):
                yield tuple(replace(one, at=target) if one is mat else one for one in mats)


def swapped(mats: Mats) -> Iterator[Mats]:
    """Every two mats with a free side, in exchanged places."""
    for one, two in combinations(free(mats), 2):
        there = {one.id: two.at, two.id: one.at}
        yield tuple(replace(mat, at=there.get(mat.id, mat.at)) for mat in mats)


def twisted(mats: Mats) -> Iterator[Mats]:
    """Every mat, turned by one, two or three quarters."""
    for turned in mats:
        for quarters in (1, 2, 3):
            turn = (turned.turn + 90 * quarters) % 360
            yield tuple(replace(mat, turn=turn) if mat is turned else mat for mat in mats)


LAID = {"shift": shifted, "swap": swapped, "twist": twisted}


def carried(standing: Standing, before: Mats, after: Mats) -> Standing:
    """What stands where after mats have moved: everything on a mat travels and turns with it."""
    new = {mat.id: mat for mat in after}
    on = {mat.at: mat for mat in before}
    moved = set()
    for (x, y), name in standing:
        old = on[x // 4, y // 4]
        across, down, there = x % 4, y % 4, new[old.id]
        for _ in range((there.turn - old.turn) % 360 // 90):
            across, down = 3 - down, across
        moved.add(((4 * there.at[0] + across, 4 * there.at[1] + down), name))
    return frozenset(moved)


def prove(puzzle: Puzzle) -> None:
    assert (puzzle.goal, puzzle.proof) == (Goal.SCORE, Proof.EXHAUSTED)
    line = puzzle.line
    reader = TurnReader(line.start.state, puzzle.seat)
    goals, ends, actions = reader.best(reader.start)
    assert goals == puzzle.goals > 0
    assert len(ends) == 1
    assert actions == len(line.actions) >= 2
    last = open_view(PUCKS, line.end.state)
    standing = frozenset((placed.point, placed.piece.name) for placed in last.pieces)
    assert next(iter(ends)) == (line.end.state.table.mats, standing)
