"""What a seat knows in a game of Puck Bumpers, and the details of events, from which pictures show what happened."""

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
    """The next player draws. Until then, the last action of the player before can still be answered."""
    ACT = "act"
    DISCARD = "discard"
    """Cards above the hand limit are discarded."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece on the board, with the name of its space and the point where that space is drawn."""

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
        taken: the number of actions taken this turn, of those `allowed`, which include any from quick play cards.
            Both are 0 unless the phase is "act"; `allowed` is also 0 in a lesson that comes before the turns.
        whole: whether all mats are connected. If they are not, no piece may move until they are again.
        winning: the seat that wins unless another seat whistles, or None.
        answerable: the seat whose last action a Whistle could still undo, or None.
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
    """No obstacle: the piece only goes one space."""
    PIECE = "piece"
    EDGE = "edge"
    WALL = "wall"
    POOL = "pool"
    NET = "net"
    """A goal that Net Off has closed."""
    SLUSH = "slush"
    """The limit of a slide under Slush, which the piece has reached."""
    GOAL = "goal"
    """A goal that the piece entered. It is scored and off the board."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way of one piece: its points, what stopped it, the piece that it hit (or None), and whether it slid."""

    piece: Piece
    points: tuple[Point, ...]
    stop: Stop
    hit: Piece | None = None
    slid: bool = True

    @property
    def scored(self) -> bool:
        """Whether the way ended in a goal."""
        return self.stop is Stop.GOAL


@dataclass(frozen=True, slots=True)
class Moved:
    """The detail of a "move" event, with the ways of all pieces that moved. In a bump, the meeple's way comes last."""

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Scored:
    """The detail of a "score" event: a puck is scored, and counts for its owner."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class PiecePlaced:
    """The detail of a "place" event while setting up, and of a "review" event when a scored puck comes back."""

    piece: Piece
    space: SpaceName
    point: Point


@dataclass(frozen=True, slots=True)
class PiecesPlaced:
    """The detail of a "place" event for several pieces, in the order in which they were placed at random."""

    placed: tuple[PiecePlaced, ...]


@dataclass(frozen=True, slots=True)
class PucksSwapped:
    """The detail of a "faceoff" event: two pucks have changed places. `points` are where the first and the second were."""

    first: Piece
    second: Piece
    points: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class MatsMoved:
    """The detail of "shift", "swap" and "twist" events, and of "mats" (mats go back): the changed mats, before and after."""

    before: Mats
    after: Mats


def mats_moved(before: Mats, after: Mats) -> MatsMoved:
    """Return the mats that lie differently."""
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    return MatsMoved(tuple(old for old, _ in changed), tuple(new for _, new in changed))


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """The detail of a "card" event: a card was played, `quick` if it is a quick play card. Events of its effect follow."""

    card: CardId
    quick: bool


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """The detail of a "draw" event: how many cards a player drew. Only that player's private event names the `cards`."""

    count: int
    cards: tuple[CardId, ...] = ()


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """The detail of a "discard" event: a card was discarded."""

    card: CardId


@dataclass(frozen=True, slots=True)
class Undone:
    """The detail of an "undo" event: a Whistle has undone the last action, which `seat` had taken.

    It has the pieces and the mats that went back. If the action moved a piece, `ways` is as in `Moved`. The mats are as they
    lie now.
    """

    pieces: tuple[Piece, ...]
    mats: tuple[Mat, ...]
    seat: int | None = None
    ways: tuple[Way, ...] = ()
