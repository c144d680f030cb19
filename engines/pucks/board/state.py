"""The state of a game, and its direct properties."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from engines.chance import UNSEEDED, Chance
from engines.game import Action
from engines.pucks.board.board import SPACES, Grid, Mats, Point, grid
from engines.pucks.board.box import Rules, box
from engines.pucks.board.deck import CardId, CardKind, card
from engines.pucks.board.house import NO_HOUSE, House, deck_without
from engines.pucks.board.layouts import shape_of, whole
from engines.pucks.board.motion import SCORED, SLUSH_REACH, Places, Rink
from engines.pucks.board.pieces import Owners, Piece, PieceKind, all_pieces, indices_of, owners_of, pieces_of_seat
from engines.pucks.board.views import Phase
from engines.values import latest, replace

FIRST_EDITION: Final = 1
PRESENT_EDITION: Final = 2
Hands = tuple[tuple[CardId, ...], ...]

grid_of: Final = latest(grid)
"""The grid of a board, which is usually the same as in the state before."""


@latest
def hangs_together(mats: Mats) -> bool:
    """Whether all mats are connected, as `layouts.whole` finds for their shape."""
    return whole(shape_of(mats))


@dataclass(frozen=True, slots=True)
class Table:
    """All that an action can change, except the places of cards. A Whistle restores the table from before an action.

    Attributes:
        places: the place of each piece, in the order of `all_pieces`.
        draw_rule: the number of cards drawn at the beginning of a turn.
        action_rule: the number of actions in a turn, before quick play cards change it.
        ongoing: the ongoing card in force, or None.
        net_off: the letter of the mat whose goal Net Off has closed, or None.
        borrowed: the seats whose pieces the player in turn has borrowed, in the order in which they were named.
        previous: the point of each piece (or None off the board) before the last move of a piece in this turn, or None if
            there was no such move. No move may put every piece back there.
        settled: the (column, row) of each mat when all mats were last connected, or None while they are.
    """

    mats: Mats
    places: Places
    draw_rule: int = 1
    action_rule: int = 1
    ongoing: CardId | None = None
    net_off: str | None = None
    borrowed: tuple[int, ...] = ()
    previous: tuple[Point | None, ...] | None = None
    settled: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class LastAction:
    """The last action other than a quick play card, as long as a Whistle can undo it.

    Attributes:
        replaced: the card at the edge of the board that this action sent to the discard pile, or None.
        kept: whether the card that the action took from the discard pile, if any, has not been played or discarded since. If
            the player holds another one like it, the one that was taken is played or discarded first.
    """

    seat: int
    action: Action
    before: Table
    replaced: CardId | None = None
    kept: bool = True

    @property
    def card(self) -> CardId | None:
        """The card that was played, or None if a piece was moved."""
        return self.action[1] if self.action[0] == "play" else None

    @property
    def taken(self) -> CardId | None:
        """The card that the action took from the discard pile, or None. It goes back if the action is undone."""
        return self.action[2] if self.card == "salvage" else None


@dataclass(frozen=True, slots=True)
class State:
    """A game of Puck Bumpers.

    Attributes:
        table: the board and the rules in force.
        hands: the cards of each seat, in the order in which they were drawn. The cards of a seat that has left stay here, but
            they belong to nobody, and `hand` leaves them out.
        draw_pile: the draw pile; its last card is drawn next.
        discard: the discard pile; its last card is on top.
        edge: those of the draw, action and ongoing cards that lie at the edge of the board.
        to_move: the seat whose turn it is or, while pieces are placed, the seat that places next.
        phase: the task of that seat.
        turn_of: the seat whose turn is going on or, until the next player draws, was the last. None before the first turn.
        direction: 1 if play goes to the left (seat + 1), or -1 if it goes to the right.
        taken: the number of actions taken in the turn of `turn_of`. The number allowed by the rule in force is doubled
            `doubled` times, and raised by `extra`.
        closed: whether that turn was ended by a U-Turn, or because its player left. A Whistle does not open it again.
        last: the action that a Whistle would undo, or None.
        winning: the seats that have scored the pucks they need, the winner first, while others may still whistle.
        passed: the seats that have passed instead of whistling.
        auto: the seats whose remaining pieces are placed at random.
        out: the seats that have left.
        stuck: whether the game ended because no player can move any more.
        colours: the number of colours of each player.
        edition: the version of the rules; see `looks_into_hands`.
        chance: the stream of random draws. Comparing states ignores it.
    """

    variant: str
    seats: int
    table: Table
    hands: Hands
    draw_pile: tuple[CardId, ...] = ()
    discard: tuple[CardId, ...] = ()
    edge: tuple[CardId, ...] = ()
    to_move: int = 0
    phase: Phase = Phase.PLACE
    turn_of: int | None = None
    direction: int = 1
    taken: int = 0
    extra: int = 0
    doubled: int = 0
    closed: bool = False
    last: LastAction | None = None
    winning: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    auto: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    stuck: bool = False
    colours: int = 1
    edition: int = PRESENT_EDITION
    house: House = NO_HOUSE
    chance: Chance = field(default=UNSEEDED, compare=False)

    @property
    def rules(self) -> Rules:
        """The rules of the variant."""
        return box().games[self.variant]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All pieces, in the order of `Table.places`."""
        return all_pieces(self.owners.colours, self.variant)

    @property
    def owners(self) -> Owners:
        """The colours that each seat plays."""
        return owners_of(self.seats, self.colours)

    @property
    def looks_into_hands(self) -> bool:
        """Whether the game follows version 1 of the rules, in which automatic steps depend on hidden cards.

        In that version, a win waited only while a player held a Whistle, and a turn ended by itself unless a card could be
        played for free. A Whistle left mats unconnected if its victim could mend them. It also took another card like the one
        that Second Wind had taken, if that one was gone. A player who left showed the hand.
        """
        return self.edition == FIRST_EDITION

    @property
    def deck(self) -> tuple[CardId, ...]:
        """The cards of this game, in the order they have before they are shuffled."""
        return deck_without(self.house.without) if self.rules.cards else ()

    def hand(self, seat: int) -> tuple[CardId, ...]:
        """Return the cards of a seat. A seat that has left has none."""
        return () if seat in self.out else self.hands[seat]

    @property
    def needed(self) -> int:
        """How many scored pucks win the game. They may be of any of the player's colours."""
        return (self.house.to_win or self.rules.pucks) * self.colours

    @property
    def hand_limit(self) -> int:
        """How many cards may be kept at the end of a turn."""
        return box().layout(self.seats).hand_limit

    @property
    def allowed(self) -> int:
        """The number of actions in this turn, including those from quick play cards."""
        return (self.table.action_rule << self.doubled) + self.extra

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that still take part."""
        return tuple(seat for seat in range(self.seats) if seat not in self.out)

    @property
    def whole(self) -> bool:
        """Whether all mats are connected."""
        return hangs_together(self.table.mats)

    def grid(self) -> Grid:
        """Return the neighbours of every space, as if there were no pieces on the board."""
        return grid_of(self.table.mats, self.table.net_off)

    def rink(self) -> Rink:
        """Return all that decides how pieces move now, except the pieces' places."""
        table = self.table
        return Rink(
            self.grid(), self.pieces, bumping=self.rules.bumping, thin_ice=table.ongoing == "thin-ice",
            reach=SLUSH_REACH if table.ongoing == "slush" else None,
        )  # fmt: skip

    def of_colour(self, colour: int) -> dict[str, int]:
        """Return the index in `pieces` of each piece of a colour, by the piece's word."""
        return indices_of(self.owners.colours, self.variant, colour)

    def pieces_of(self, seat: int) -> tuple[int, ...]:
        """Return the index in `pieces` of each piece of a seat, colour by colour."""
        return pieces_of_seat(self.owners, self.variant, seat)

    def with_table(self, table: Table) -> "State":
        """Return the same state with another table."""
        return replace(self, table=table)


def next_live(state: State, seat: int, direction: int) -> int:
    """Return the first seat after `seat`, in a direction, that still takes part."""
    for step in range(1, state.seats + 1):
        other = (seat + direction * step) % state.seats
        if other not in state.out:
            return other
    raise ValueError("nobody takes part any more")


def points_of(table: Table) -> tuple[Point | None, ...]:
    """Return the point of each piece, or None for a piece off the board."""
    points = grid_of(table.mats, table.net_off).points
    return tuple(points[space] if space >= 0 else None for space in table.places)


def owners_of_pieces(state: State, pieces: Iterable[Piece]) -> set[int]:
    """Return the seats that own any of these pieces."""
    owners = state.owners
    return {owners.of(piece.colour) for piece in pieces}


def owners_carried(state: State, after: Mats) -> set[int]:
    """Return the seats with a piece on a mat that will lie differently."""
    mats, pieces = state.table.mats, zip(state.pieces, state.table.places, strict=True)
    moved = {index for index, (old, new) in enumerate(zip(mats, after, strict=True)) if old != new}
    return owners_of_pieces(state, (piece for piece, space in pieces if space >= 0 and space // SPACES in moved))


def scored_in(state: State, colour: int) -> int:
    """Return the number of scored pucks of a colour."""
    return sum(state.table.places[i] == SCORED for i in state.of_colour(colour).values())


def scored_by(state: State, seat: int) -> int:
    """Return the number of scored pucks of a seat."""
    return sum(state.table.places[i] == SCORED for i in state.pieces_of(seat))


def has_scored_enough(state: State, seat: int) -> bool:
    """Whether a seat has scored as many pucks as it needs to win."""
    return scored_by(state, seat) >= state.needed


def pucks_on_board(state: State) -> tuple[int, ...]:
    """Return the pucks on the board, of every colour."""
    places = state.table.places
    return tuple(i for i, piece in enumerate(state.pieces) if piece.kind is PieceKind.PUCK and places[i] >= 0)


def without(cards: tuple[CardId, ...], card_id: CardId) -> tuple[CardId, ...]:
    """Return the cards without one copy of a card, the last (on a pile, the topmost). Raises ValueError if there is none."""
    for i in range(len(cards) - 1, -1, -1):
        if cards[i] == card_id:
            return cards[:i] + cards[i + 1 :]
    raise ValueError(f"there is no {card_id}")


def with_hand(state: State, seat: int, hand: tuple[CardId, ...]) -> State:
    """Return the state with a seat's hand replaced."""
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def can_mend(state: State, hand: tuple[CardId, ...], taken: int) -> bool:
    """Whether a seat with this hand could still play a card that shifts a mat after `taken` actions of this turn."""
    return taken < state.allowed and any(held in {"shift", "mix"} for held in hand)


def is_quick(card_id: CardId) -> bool:
    """Whether a card is a quick play card."""
    return card(card_id).kind is CardKind.QUICK
