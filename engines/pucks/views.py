"""What a seat may know of a game of Puck Bumpers, and the details of events from which a picture shows what happened."""

from dataclasses import dataclass
from enum import StrEnum

from engines.game import View
from engines.pucks.board import Mat, Mats, Point, SpaceName
from engines.pucks.deck import CardId
from engines.pucks.pieces import Piece


class Phase(StrEnum):
    """What a game waits for."""

    PLACE = "place"
    """A piece to be placed on a start space."""
    DRAW = "draw"
    """The next player to draw; until then the turn before can still be answered."""
    ACT = "act"
    DISCARD = "discard"
    """Cards above the hand limit to be discarded."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece on the board: its space by name, and where that is drawn."""

    piece: Piece
    space: SpaceName
    point: Point


@dataclass(frozen=True, kw_only=True)
class PucksView(View):
    """The board and the cards as one seat (None: a spectator) knows them.

    Attributes:
        mats: the mats as they lie; `engines.pucks.board.cells` gives the spaces of each.
        pieces: the pieces on the board, seat by seat.
        beside: the pieces that are neither on the board nor scored (still to be placed).
        scored: the pucks that are scored, seat by seat.
        hand_sizes: how many cards each seat holds.
        hand: the cards of this view's own seat; empty for a spectator.
        hands: the cards of every seat when nothing is hidden any more (a finished game); else None.
        hand_limit: how many cards may be kept at the end of a turn.
        draw_pile: how many cards lie in the draw pile.
        discard: the discard pile, its top last.
        edge: the cards that lie at the edge of the board (draw, action and ongoing card, those that there are).
        draw_rule: how many cards are drawn at the beginning of a turn.
        action_rule: how many actions a turn has, before quick play cards.
        ongoing: the ongoing card in force, or None.
        net_off: the letter of the goal mat that Net Off has closed, or None.
        borrowed: the seats whose pieces the player of this turn may also move.
        to_move: whose turn it is (while pieces are placed: who places next).
        phase: what that player has to do.
        taken: actions taken in this turn.
        allowed: actions that this turn has, quick play cards included; 0 unless the phase is "act".
        direction: 1 if play goes to the left (seat + 1), -1 if the other way round.
        whole: whether all mats hang together; if not, no piece may move until they do again.
        winning: the seat that has won unless somebody whistles, or None.
        passed: the seats that have said they do not whistle.
        answerable: the seat whose last action a whistle could still undo, or None.
    """

    mats: Mats
    pieces: tuple[Placed, ...]
    beside: tuple[Piece, ...]
    scored: tuple[Piece, ...]
    hand_sizes: tuple[int, ...]
    hand: tuple[CardId, ...]
    hands: tuple[tuple[CardId, ...], ...] | None = None
    hand_limit: int
    draw_pile: int
    discard: tuple[CardId, ...]
    edge: tuple[CardId, ...]
    draw_rule: int
    action_rule: int
    ongoing: CardId | None
    net_off: str | None
    borrowed: tuple[int, ...]
    to_move: int
    phase: Phase
    taken: int
    allowed: int
    direction: int
    whole: bool
    winning: int | None
    passed: tuple[int, ...]
    answerable: int | None


class Stop(StrEnum):
    """Why a piece stands where it stands after it has moved."""

    STEP = "step"
    """It only went one space."""
    PIECE = "piece"
    EDGE = "edge"
    WALL = "wall"
    POOL = "pool"
    NET = "net"
    """The goal before it is closed by Net Off."""
    SLUSH = "slush"
    """It had gone as far as a slide may go."""
    GOAL = "goal"
    """It is in the goal, and off the board."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way of one piece.

    Attributes:
        piece: which one.
        points: the points it came over, its first and its last one included.
        stop: what ended it.
        hit: the piece that stopped it, or None.
        slid: whether it slid rather than went one space.
    """

    piece: Piece
    points: tuple[Point, ...]
    stop: Stop
    hit: Piece | None = None
    slid: bool = True

    @property
    def scored(self) -> bool:
        """Whether it ended in a goal."""
        return self.stop is Stop.GOAL


# --- details of events, by the kind of the event -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moved:
    """Kind "move": a player has moved a piece. The ways of everything that moved, in the order in which it moved.

    A bump has the bumped piece's way first, the meeple's last.
    """

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """Kind "score": a puck is out, and counts for its owner."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """Kind "place" while the board is set up, kind "review" when a scored puck comes back."""

    piece: Piece
    space: SpaceName
    point: Point


@dataclass(frozen=True, slots=True)
class PucksSwapped:
    """Kind "faceoff": two pucks have changed places. `points` are where the first and the second were before."""

    first: Piece
    second: Piece
    points: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class MatsMoved:
    """Kinds "shift", "swap" and "twist": mats that were moved or turned, each as it lay before and as it lies after.

    Kind "mats": mats that went back because nobody could make them hang together any more.
    """

    before: Mats
    after: Mats


def mats_moved(before: Mats, after: Mats) -> MatsMoved:
    """The mats of a board that do not lie as before."""
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return MatsMoved(tuple(old for old, _ in changed), tuple(new for _, new in changed))


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """Kind "card", before the events of what it does. `quick`: it was a quick play card."""

    card: CardId
    quick: bool


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Kind "draw": how many cards somebody drew; `cards` names them in the event that is private to who drew them."""

    count: int
    cards: tuple[CardId, ...] = ()


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """Kind "discard": a card was laid on the discard pile."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Undone:
    """Kind "undo": a whistle has put the board back to how it was before the last action. The pieces that went back."""

    pieces: tuple[Piece, ...]
    mats: tuple[Mat, ...]
