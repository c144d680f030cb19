"""What a seat knows in a game of Puck Bumpers, and the details of events, from which pictures show them."""

from dataclasses import dataclass
from enum import StrEnum

from typing_extensions import override

from engines.game import View
from engines.pucks.board.board import Mat, Mats, Point, SpaceName
from engines.pucks.board.box import box
from engines.pucks.board.deck import CardId
from engines.pucks.board.pieces import Owners, Piece, owners_of
from engines.text import Text, plain, say


class Phase(StrEnum):
    """The phases, each named for the awaited step."""

    PLACE = "place"
    """A piece is placed on a start space."""
    DRAW = "draw"
    """The next player draws. Until then the player before can still be answered."""
    ACT = "act"
    DISCARD = "discard"
    """Cards above the hand limit are discarded."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece on the board: the name of its space, and the point where that is drawn."""

    piece: Piece
    space: SpaceName
    point: Point


@dataclass(frozen=True, kw_only=True)
class PucksView(View):
    """The board and the cards as one seat, or a spectator (None), knows them. Everything else is as in `State` and `Table`.

    Attributes:
        board: the code of the start layout; see `engines.pucks.board.codes`.
        without: the cards left out of the deck.
        mats: the mats as they lie; `engines.pucks.board.board.cells` returns the spaces of each.
        pieces: the pieces on the board, colour by colour.
        beside: the pieces that are still to be placed.
        scored: the scored pucks, colour by colour.
        hand_sizes: the number of cards of each seat; empty in a lesson that comes before the cards.
        hand: the cards of this view's own seat; empty for a spectator.
        hands: the cards of every seat in the open view of a finished game, otherwise None.
        draw_pile: the number of cards in the draw pile.
        taken, allowed: the actions taken this turn, and all that it has, quick play cards included; 0 unless the phase is
            "act", and `allowed` also in a lesson that comes before the turns.
        whole: whether all mats hang together; if not, no piece may move until they do again.
        winning: the seat that wins unless another seat whistles, or None.
        answerable: the seat whose last action a whistle could still undo, or None.
    """

    board: str
    without: tuple[CardId, ...]
    mats: Mats
    pieces: tuple[Placed, ...]
    beside: tuple[Piece, ...]
    scored: tuple[Piece, ...]
    needed: int
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

    @property
    def has_cards(self) -> bool:
        """Whether the game is played with cards, as far as the view tells."""
        return box().games[self.variant].cards and bool(self.hand_sizes)

    @property
    def owners(self) -> Owners:
        """The colours that each seat plays."""
        return owners_of(self.seats, self.colours)

    @property
    @override
    def begun_with(self) -> Text | None:
        return say("Start layout: `{code}`.", code=plain(self.board)) if self.board else None


class Stop(StrEnum):
    """What stopped a piece that has moved."""

    STEP = "step"
    """No obstacle: it only goes one space."""
    PIECE = "piece"
    EDGE = "edge"
    WALL = "wall"
    POOL = "pool"
    NET = "net"
    """A goal that Net Off has closed."""
    SLUSH = "slush"
    """It went as far as a slide may go under Slush."""
    GOAL = "goal"
    """It entered a goal, and is scored and off the board."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way of one piece: its points, what stopped it, the piece that it hit, if any, and whether it slid."""

    piece: Piece
    points: tuple[Point, ...]
    stop: Stop
    hit: Piece | None = None
    slid: bool = True

    @property
    def scored(self) -> bool:
        """Whether it ended in a goal."""
        return self.stop is Stop.GOAL


@dataclass(frozen=True, slots=True)
class Moved:
    """Kind "move": a player has moved a piece. Has the ways of all pieces that moved; in a bump the meeple's comes last."""

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """Kind "score": a puck is scored, and counts for its owner."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """Kind "place" while setting up, kind "review" when a scored puck comes back."""

    piece: Piece
    space: SpaceName
    point: Point


@dataclass(frozen=True, slots=True)
class PiecesPlaced:
    """Kind "place" for several pieces placed at random, in order."""

    placed: tuple[PiecePlaced, ...]


@dataclass(frozen=True, slots=True)
class PucksSwapped:
    """Kind "faceoff": two pucks have changed places. `points` are where the first and the second were."""

    first: Piece
    second: Piece
    points: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class MatsMoved:
    """Kinds "shift", "swap", "twist", and "mats" (which went back): the mats that lie differently, before and after."""

    before: Mats
    after: Mats


def mats_moved(before: Mats, after: Mats) -> MatsMoved:
    """Return the mats that lie differently."""
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return MatsMoved(tuple(old for old, _ in changed), tuple(new for _, new in changed))


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """Kind "card": a card was played; `quick` if it is a quick play card. The events of its effect follow."""

    card: CardId
    quick: bool


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Kind "draw": the number of cards that a player drew. Only the event private to that player names the `cards`."""

    count: int
    cards: tuple[CardId, ...] = ()


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """Kind "discard": a card was discarded."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Undone:
    """Kind "undo": a whistle has undone the last action, which `seat` had taken. Has the pieces and the mats that went back.

    If the action moved a piece, `ways` is as in `Moved`. The mats are as they lie now.
    """

    pieces: tuple[Piece, ...]
    mats: tuple[Mat, ...]
    seat: int | None = None
    ways: tuple[Way, ...] = ()
