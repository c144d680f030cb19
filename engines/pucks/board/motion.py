"""The motion of pieces: slides, chains of slides, single steps and bumps. It works on the list of the pieces' spaces."""

from dataclasses import dataclass
from typing import Final

from engines.pucks.board.board import NOWHERE, Grid
from engines.pucks.board.pieces import Piece, PieceKind
from engines.pucks.board.views import Stop, Way

BESIDE: Final = -1
"""The place of a piece that lies beside the board, because it has not been placed yet."""

SCORED: Final = -2
SLUSH_REACH: Final = 4

Places = tuple[int, ...]
"""For each piece its space, `BESIDE` or `SCORED`."""


@dataclass(frozen=True, slots=True)
class Rink:
    """All that decides how pieces move, except the places of the pieces. No slide is longer than `reach` spaces."""

    grid: Grid
    pieces: tuple[Piece, ...]
    bumping: bool = True
    thin_ice: bool = False
    reach: int | None = None


@dataclass(frozen=True, slots=True)
class Leg:
    """The way of one piece, as spaces. A `Way` has points instead of spaces."""

    piece: int
    spaces: tuple[int, ...]
    stop: Stop
    hit: int | None = None
    slid: bool = True


@dataclass(frozen=True, slots=True)
class Motion:
    """A move: the places of all pieces after it, and the legs that took them there, in order."""

    places: Places
    legs: tuple[Leg, ...]

    def ways(self, rink: Rink) -> tuple[Way, ...]:
        """Return the way of each piece that moved, as points of the drawn board."""
        points = rink.grid.points
        return tuple(
            Way(
                rink.pieces[leg.piece],
                tuple(points[space] for space in leg.spaces),
                leg.stop,
                None if leg.hit is None else rink.pieces[leg.hit],
                leg.slid,
            )
            for leg in self.legs
        )


def can_move(rink: Rink, places: Places, piece: int, direction: int) -> bool:
    """Whether `move` finds a motion, because the next space is open, or has a piece that can be bumped."""
    if places[piece] < 0:
        return False
    ahead = rink.grid.neighbours[4 * places[piece] + direction]
    if ahead == NOWHERE or ahead not in places:
        return ahead != NOWHERE
    if rink.pieces[piece].kind is not PieceKind.MEEPLE or rink.pieces[places.index(ahead)].kind is PieceKind.MEEPLE:
        return False
    behind = rink.grid.neighbours[4 * ahead + direction]
    return behind != NOWHERE and behind not in places


def move(rink: Rink, places: Places, piece: int, direction: int) -> Motion | None:
    """Return the motion of a piece in a direction (0 to 3: up, right, down, left), or None if it cannot be moved that way."""
    if not can_move(rink, places, piece, direction):
        return None
    board = _Board(rink, list(places))
    kind = rink.pieces[piece].kind
    ahead = rink.grid.neighbours[4 * places[piece] + direction]
    if ahead in board.standing:
        board.slide(board.standing[ahead], direction)
        board.step(piece, ahead)
    elif kind is PieceKind.PUCK or (kind is PieceKind.ICE and rink.thin_ice):
        board.slide(piece, direction)
    else:
        board.step(piece, ahead)
    return Motion(tuple(board.places), tuple(board.legs))


class _Board:
    """The pieces while one motion is being worked out."""

    def __init__(self, rink: Rink, places: list[int]) -> None:
        self.rink = rink
        self.places = places
        self.standing = {space: piece for piece, space in enumerate(places) if space >= 0}
        self.legs: list[Leg] = []

    def open_ahead(self, piece: int, direction: int) -> bool:
        """Whether the space next to a piece is open, as a slide needs to start."""
        ahead = self.rink.grid.neighbours[4 * self.places[piece] + direction]
        return ahead != NOWHERE and ahead not in self.standing

    def step(self, piece: int, target: int) -> None:
        self.legs.append(Leg(piece, (self.places[piece], target), Stop.STEP, slid=False))
        self._put(piece, target)

    def slide(self, piece: int, direction: int) -> None:
        """Let a piece slide, then the puck that it hits, and so on along the chain."""
        sliding: int | None = piece
        while sliding is not None:
            leg = self._leg(sliding, direction)
            self.legs.append(leg)
            self._put(sliding, SCORED if leg.stop is Stop.GOAL else leg.spaces[-1])
            pushed = self.rink.bumping and leg.hit is not None and self.rink.pieces[leg.hit].kind is PieceKind.PUCK
            sliding = leg.hit if pushed and leg.hit is not None and self.open_ahead(leg.hit, direction) else None

    def _leg(self, piece: int, direction: int) -> Leg:
        grid = self.rink.grid
        space = self.places[piece]
        spaces = [space]
        may_score = self.rink.pieces[piece].kind is PieceKind.PUCK
        while True:
            ahead = grid.neighbours[4 * space + direction]
            if ahead == NOWHERE:
                barrier = grid.barriers[4 * space + direction]
                assert barrier is not None, "where there is no way on, something bars it"
                return Leg(piece, tuple(spaces), Stop(barrier.value))
            if len(spaces) - 1 == self.rink.reach:
                return Leg(piece, tuple(spaces), Stop.SLUSH)
            if ahead in self.standing:
                return Leg(piece, tuple(spaces), Stop.PIECE, self.standing[ahead])
            space = ahead
            spaces.append(space)
            if may_score and grid.marks[space] == "G":
                return Leg(piece, tuple(spaces), Stop.GOAL)

    def _put(self, piece: int, target: int) -> None:
        del self.standing[self.places[piece]]
        self.places[piece] = target
        if target >= 0:
            self.standing[target] = piece
