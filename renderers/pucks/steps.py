"""Divides the events of Puck Bumpers into steps, one for each action, and places them on the board as it lies now.

Pieces, and the spaces they have crossed, travel with their mats. So the way of a piece consists of the points where its spaces
are now. It is in several runs if moving a mat has torn it apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from engines.game import Event
from engines.pucks.board.board import Mat, Mats, Point, cells
from engines.pucks.board.deck import CardId
from engines.pucks.board.pieces import Piece
from engines.pucks.board.views import CardPlayed, MatsMoved, Moved, PiecePlaced, PiecesPlaced, PucksSwapped, Undone, Way

_SETUP: Final = "place"  # the kind of the events of pieces that are placed before the game, which are no steps

_WHISTLE: Final = "whistle"

Run = tuple[Point, ...]
"""The points of neighbouring spaces in a row or a column."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of a piece as it lies now, in runs."""

    way: Way
    runs: tuple[Run, ...]

    @property
    def start(self) -> Point:
        """The first point of the way."""
        return self.runs[0][0]

    @property
    def end(self) -> Point:
        """The last point of the way."""
        return self.runs[-1][-1]

    @property
    def points(self) -> Run:
        """All points of the way in order. A point where the way bends, as it may on a turned mat, counts once."""
        first, *others = self.runs
        bent = ((run[1:] if run[0] == before[-1] else run) for before, run in pairwise(self.runs))
        return (*first, *(point for run in bent for point in run)) if others else first


@dataclass(slots=True)
class Step:
    """An action and its consequences.

    Attributes:
        number: its number, from 1.
        card: the card that was played, or None.
        quick: whether that is a quick play card.
        traces: the ways of the pieces that moved, in order.
        mats: the mats that were moved or turned, as they were before and after.
        placed: the pieces that came onto the board, each with its space as it lies now.
        swapped: the pucks that changed places, each with where it came from.
        undone: whether a later whistle undid it.
        undoes: the step that it has undone, or None.
    """

    seat: int | None
    number: int
    card: CardId | None = None
    quick: bool = False
    traces: list[Trace] = field(default_factory=list)
    mats: list[tuple[Mat, Mat]] = field(default_factory=list)
    placed: list[tuple[Piece, Point]] = field(default_factory=list)
    swapped: list[tuple[Piece, Point]] = field(default_factory=list)
    undone: bool = False
    undoes: "Step | None" = None


@dataclass(frozen=True, slots=True)
class Story:
    """The events as `steps`, the pieces placed before the game (`setup`), and what the last whistle undid (`back`), if any."""

    steps: tuple[Step, ...]
    setup: tuple[tuple[Piece, Point], ...] = ()
    back: Undone | None = None

    def scored_pucks(self) -> set[Piece]:
        """Return the pucks scored by actions that have not been undone."""
        return {trace.way.piece for step in self.steps if not step.undone for trace in step.traces if trace.way.scored}


def story_of(events: Sequence[Event], mats: Mats) -> Story:
    """Return the story of these events. `mats` are the mats as they lie after the last of the events."""
    steps: list[Step] = []
    owners: list[Step | None] = []
    for event in events:
        if isinstance(event.detail, (Moved, CardPlayed, Undone)):
            _begin(event, steps)
        owners.append(steps[-1] if steps else None)
    layouts = _layouts(events, owners, mats)
    setup: list[tuple[Piece, Point]] = []
    back: Undone | None = None
    for event, step, laid in zip(events, owners, layouts, strict=True):
        there = _moved_points(laid, mats)
        placed = _placed(event)
        if placed and (event.kind == _SETUP or step is None):
            setup += [(one.piece, there[one.point]) for one in placed]
        elif step is not None:
            _add(step, event, there)
        back = event.detail if isinstance(event.detail, Undone) else None if isinstance(event.detail, Moved) else back
    return Story(tuple(steps), tuple(setup), back)


def numbers_of(events: Sequence[Event]) -> list[range]:
    """Return, for each event, the number of the step that it begins, if it begins one."""
    steps: list[Step] = []
    begun: list[Step | None] = []
    for event in events:
        if isinstance(event.detail, (Moved, CardPlayed, Undone)):
            _begin(event, steps)
        begun.append(steps[-1] if steps and all(step is not steps[-1] for step in begun) else None)
    return [range(0) if step is None else range(step.number, step.number + 1) for step in begun]


def _placed(event: Event) -> tuple[PiecePlaced, ...]:
    if isinstance(event.detail, PiecesPlaced):
        return event.detail.placed
    return (event.detail,) if isinstance(event.detail, PiecePlaced) else ()


def _begin(event: Event, steps: list[Step]) -> None:
    """Begin a step with an event. A whistle is a step too, and undoes the last step that is not a quick play."""
    detail = event.detail
    if isinstance(detail, CardPlayed):
        steps.append(Step(event.seat, len(steps) + 1, card=detail.card, quick=detail.quick))
        return
    if isinstance(detail, Moved):
        steps.append(Step(event.seat, len(steps) + 1))
        return
    if not steps or steps[-1].card != _WHISTLE or steps[-1].undoes is not None:
        steps.append(Step(event.seat, len(steps) + 1, card=_WHISTLE, quick=True))
    undone = next((step for step in reversed(steps) if not step.quick and not step.undone), None)
    if undone is None and detail.ways:  # it happened before these events
        undone = Step(detail.seat, steps[-1].number)
        steps[-1].number += 1
        steps.insert(-1, undone)
    if undone is not None:
        steps[-1].undoes, undone.undone = undone, True


def _add(step: Step, event: Event, there: Mapping[Point, Point]) -> None:
    detail = event.detail
    if isinstance(detail, Moved):
        _add_ways(step, detail.ways, there)
    elif isinstance(detail, Undone):
        if step.undoes is not None and not step.undoes.traces:
            _add_ways(step.undoes, detail.ways, there)
    elif isinstance(detail, MatsMoved):
        step.mats += list(zip(detail.before, detail.after, strict=True))
    elif isinstance(detail, PiecePlaced):
        step.placed.append((detail.piece, there[detail.point]))
    elif isinstance(detail, PucksSwapped):
        step.swapped += [(detail.first, there[detail.points[0]]), (detail.second, there[detail.points[1]])]


def _add_ways(step: Step, ways: Sequence[Way], there: Mapping[Point, Point]) -> None:
    step.traces += [Trace(way, _runs([there[point] for point in way.points])) for way in ways]


def _runs(points: Sequence[Point]) -> tuple[Run, ...]:
    """Return points as runs, each without a gap or a bend."""
    runs: list[list[Point]] = [[points[0]]]
    for before, point in pairwise(points):
        step = (point[0] - before[0], point[1] - before[1])
        if abs(step[0]) + abs(step[1]) != 1:
            runs.append([point])
            continue
        last = runs[-1]
        if len(last) > 1 and step != (last[-1][0] - last[-2][0], last[-1][1] - last[-2][1]):
            runs.append([before])
        runs[-1].append(point)
    return tuple(tuple(run) for run in runs)


def _layouts(events: Sequence[Event], owners: Sequence[Step | None], mats: Mats) -> list[Mats]:
    """Return the mats as they lay after each event. They are worked out backwards from the last one."""
    found: list[Mats] = []
    for index in range(len(events) - 1, -1, -1):
        found.append(mats)
        detail = events[index].detail
        if isinstance(detail, MatsMoved):
            mats = _with(mats, detail.before)
        elif isinstance(detail, Undone):
            # Before the whistle, the mats were as the action that it undid had left them.
            whistle = owners[index]
            for event, step in zip(events[:index], owners[:index], strict=True):
                if whistle is not None and step is not None and step is whistle.undoes and isinstance(event.detail, MatsMoved):
                    mats = _with(mats, event.detail.after)
    return found[::-1]


def _with(mats: Mats, changed: Sequence[Mat]) -> Mats:
    by_letter = {mat.id: mat for mat in changed}
    return tuple(by_letter.get(mat.id, mat) for mat in mats)


@lru_cache(maxsize=32)
def _moved_points(before: Mats, now: Mats) -> Mapping[Point, Point]:
    """Return, for each point of a board, where the space that used to be there is now."""
    after = {cell.space: cell.point for mat in now for cell in cells(mat)}
    return {cell.point: after[cell.space] for mat in before for cell in cells(mat)}
