"""Every way through a turn of Puck Bumpers: how many pucks the turn can score, and which boards it can end with.

The search is exhaustive. It tries all moves of all pieces, and the cards of `CARDS` with every target, in every order.
Positions that come up again in another order are looked at once. It plays on the boards of `opponents.pucks.rink`, one for each
layout of the mats.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS, Mats, Point
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.motion import SCORED
from engines.pucks.board.pieces import COLOURS, PieceKind
from engines.pucks.board.state import State, grid_of, scored_by
from engines.pucks.board.views import Phase
from opponents.pucks.mats import PLAYED
from opponents.pucks.outlook import company_of, rink_for
from opponents.pucks.rink import Bit, Spots

PLAIN_CARDS: Final = frozenset({"faceoff", "borrow", "thin-ice", "extra", "double", "take-1", "take-2", "take-3", "take-4"})
"""The cards that draw nothing and leave the mats alone."""
LAYING: Final = frozenset({"shift", "swap", "twist"})
"""The cards that move or turn one or two mats. A hand has at most one of them, because two could part the mats in between."""
CARDS: Final = PLAIN_CARDS | LAYING
"""The cards that a hand may have for its turn to be searched."""
MOST_ENDS: Final = 2
"""The number of final boards that are told apart. Two are enough, because a puzzle may have only one."""
KEPT: Final = 1024
"""The number of states whose best result is cached, because each action of a solver brings up the earlier states again."""
_OFF: Final = -1

_NOWHERE: Final = -2
"""The bit that stands for a point where there is no mat any more."""


class TurnPosition(NamedTuple):
    """Everything that the rest of a turn depends on.

    Attributes:
        layout: the number of the layout of the mats, among those that the search has met.
        spots, before: the bits of all pieces now, and before the last move, if any. In `before`, all pieces off the board are
            alike.
        hand: the cards in the hand, sorted.
        taken, extra, doubled: the actions taken, the actions added, and how often their number was doubled.
        rule: the number of actions in a turn.
        lent, thin: the seats whose pieces are borrowed, and whether Thin Ice is in force.
    """

    layout: int
    spots: Spots
    before: Spots | None
    hand: tuple[CardId, ...]
    taken: int
    extra: int
    doubled: int
    rule: int
    lent: tuple[int, ...]
    thin: bool

    @property
    def left(self) -> int:
        """The number of actions left."""
        return (self.rule << self.doubled) + self.extra - self.taken

    @property
    def board(self) -> "End":
        """The layout of the mats, and the pieces on them."""
        return self.layout, self.spots


End = tuple[int, Spots]
"""The number of a layout, and the bits of all pieces."""


class Best(NamedTuple):
    """The most that the rest of a turn can bring: the own pucks scored, the final boards, and the fewest actions needed."""

    goals: int
    ends: frozenset[End]
    actions: int


_NOTHING: Final = Best(0, frozenset(), 0)


class TooLarge(Exception):
    """A turn has more positions than are allowed."""


class TurnSearch:
    """The search through the rest of a turn. It raises TooLarge beyond `most` positions; `looked` counts them.

    The seat to move must be acting, and its hand must have no cards other than those of `CARDS`.
    """

    def __init__(self, state: State, most: int = 100_000) -> None:
        self._most = most
        hand = state.hands[state.to_move]
        if state.phase is not Phase.ACT or not CARDS.issuperset(hand) or sum(held in LAYING for held in hand) > 1:
            raise ValueError("this turn cannot be searched to its end")
        self.seat, self.looked = state.to_move, 0
        self._state, self._company = state, company_of(state)
        self._layouts, self._rinks = [state.table.mats], [rink_for(state.table)]
        self._numbers, self._points = {state.table.mats: 0}, dict[int, dict[Point, Bit]]()
        self._needed = state.needed
        self._known: dict[TurnPosition, Best] = {}
        self.now = TurnPosition(
            0, self._rinks[0].spots(state.table.places), self._previous(), tuple(sorted(state.hands[self.seat])), state.taken,
            state.extra, state.doubled, state.table.action_rule, state.table.borrowed, state.table.ongoing == "thin-ice",
        )  # fmt: skip

    def _previous(self) -> Spots | None:
        points = self._state.table.previous
        if points is None:
            return None
        bits = self._bits(0)
        return tuple([_OFF if point is None else bits.get(point, _NOWHERE) for point in points])

    def _bits(self, layout: int) -> dict[Point, Bit]:
        if layout not in self._points:
            grid = grid_of(self._layouts[layout], self._state.table.net_off)
            self._points[layout] = dict(zip(grid.points, self._rinks[layout].bits, strict=True))
        return self._points[layout]

    def best(self, moment: TurnPosition | None = None) -> Best:
        """Return the most that the rest of the turn can bring from a position, or from the current one if none is given."""
        moment = self.now if moment is None else moment
        if moment.left <= 0 and all(card(held).costs for held in moment.hand):
            return _NOTHING
        if moment not in self._known:
            self.looked += 1
            if self.looked > self._most:
                raise TooLarge
            self._known[moment] = self._best(moment)
        return self._known[moment]

    def _best(self, moment: TurnPosition) -> Best:
        most, ends, fewest = 0, set[End](), 0
        scored = self._scored(moment.spots, self.seat)
        if any(self._scored(moment.spots, seat) >= self._needed for seat in range(self._state.seats)):
            return _NOTHING
        for _, after in self.actions(moment):
            now, later = self._scored(after.spots, self.seat) - scored, self.best(after)
            goals = now + later.goals
            if goals <= 0 or goals < most:
                continue
            if goals > most:
                most, ends, fewest = goals, set(), 1 + later.actions
            fewest = min(fewest, 1 + later.actions)
            if len(ends) < MOST_ENDS:
                ends |= later.ends if later.goals else {after.board}
        return Best(most, frozenset(ends), fewest)

    def _scored(self, spots: Spots, seat: int) -> int:
        return sum(spots[puck] == SCORED for puck in self._company.pucks[seat])

    def actions(self, moment: TurnPosition) -> Iterator[tuple[Action, TurnPosition]]:
        """Yield every action, with the position after it."""
        if moment.left > 0:
            yield from self._moves(moment)
        for place, held in enumerate(moment.hand):
            if held not in moment.hand[:place] and (moment.left > 0 or not card(held).costs):
                rest = (*moment.hand[:place], *moment.hand[place + 1 :])
                yield from self._with(held, moment._replace(hand=rest, taken=moment.taken + card(held).costs))

    def _moves(self, moment: TurnPosition) -> Iterator[tuple[Action, TurnPosition]]:
        at, rink = {bit: piece for piece, bit in enumerate(moment.spots) if bit >= 0}, self._rinks[moment.layout]
        here = _on_board(moment.spots)
        for seat in (self.seat, *moment.lent):
            for piece in self._company.owned[seat]:
                if moment.spots[piece] < 0:
                    continue
                for side in range(4):
                    spots = self._company.sliding.after_move(rink, moment.spots, at, piece, side, moment.thin)
                    if spots is not None and (moment.before is None or _on_board(spots) != moment.before):
                        yield (
                            (*self._tokens(piece), DIRECTIONS[side]),
                            moment._replace(spots=spots, before=here, taken=moment.taken + 1),
                        )

    def _tokens(self, piece: int) -> Action:
        known, state = self._state.pieces[piece], self._state
        named = state.colours > 1 or state.owners.of(known.colour) != self.seat
        return (known.shade, known.word) if named else (known.word,)

    def _with(self, held: CardId, spent: TurnPosition) -> Iterator[tuple[Action, TurnPosition]]:
        """Yield every way to play a card, which is no longer in the hand of `spent`."""
        played = ("play", held)
        match held:
            case "faceoff":
                for tokens, spots in self._exchanges(spent.spots):
                    yield (*played, *tokens), spent._replace(spots=spots)
            case "borrow":
                for seat in range(self._state.seats):
                    if seat not in (self.seat, *spent.lent):
                        yield (*played, COLOURS[seat]), spent._replace(lent=(*spent.lent, seat))
            case "thin-ice":
                yield played, spent._replace(thin=True)
            case "extra":
                yield played, spent._replace(extra=spent.extra + 1)
            case "double":
                yield played, spent._replace(doubled=spent.doubled + 1, extra=2 * spent.extra)
            case _ if held in LAYING:
                for tokens, mats in PLAYED[held](self._layouts[spent.layout]):
                    yield (*played, *tokens), self._laid(spent, mats)
            case _:
                yield played, spent._replace(rule=card(held).number)

    def _laid(self, moment: TurnPosition, mats: Mats) -> TurnPosition:
        """Return a position after mats have moved. Pieces travel with their mats; the places not to be returned to stay put."""
        if mats not in self._numbers:
            self._numbers[mats] = len(self._layouts)
            self._layouts.append(mats)
            self._rinks.append(rink_for(self._state.table, mats))
        layout = self._numbers[mats]
        space_at = self._rinks[moment.layout].space_at
        spots = self._rinks[layout].spots([bit if bit < 0 else space_at[bit] for bit in moment.spots])
        before = moment.before
        if before is not None:
            points, bits = {bit: point for point, bit in self._bits(moment.layout).items()}, self._bits(layout)
            before = tuple([bit if bit < 0 else bits.get(points[bit], _NOWHERE) for bit in before])
        return moment._replace(layout=layout, spots=spots, before=before)

    def _exchanges(self, spots: Spots) -> Iterator[tuple[Action, Spots]]:
        pieces = self._state.pieces
        pucks = [place for place, piece in enumerate(pieces) if piece.kind is PieceKind.PUCK and spots[place] >= 0]
        for place, one in enumerate(pucks):
            for other in pucks[place + 1 :]:
                new = list(spots)
                new[one], new[other] = new[other], new[one]
                yield (pieces[one].shade, pieces[one].word, pieces[other].shade, pieces[other].word), tuple(new)

    def line(self) -> list[Action]:
        """Return the shortest sequence of actions that scores the most pucks."""
        moment, found, left = self.now, list[Action](), self.best()
        while left.goals:
            scored = self._scored(moment.spots, self.seat)
            action, moment, left = next(
                (action, after, later)
                for action, after in self.actions(moment)
                for later in [self.best(after)]
                if self._scored(after.spots, self.seat) - scored + later.goals == left.goals
                and later.actions == left.actions - 1
            )
            found.append(action)
        return found


def _on_board(spots: Spots) -> Spots:
    """Return the bits of all pieces, with the same number for every piece off the board."""
    return tuple([max(bit, _OFF) for bit in spots])


@lru_cache(maxsize=KEPT)
def most_goals(state: State, seat: int) -> int:
    """Return the most pucks that a seat can still score in this turn, or 0 if it is not its turn."""
    if state.phase is not Phase.ACT or state.to_move != seat or state.winning or state.closed:
        return 0
    return TurnSearch(state).best().goals


def best_actions(state: State, seat: int) -> list[Action]:
    """Return the shortest sequence of actions that scores the most pucks that a seat can still score in this turn."""
    return TurnSearch(state).line() if most_goals(state, seat) else []


def goals_of(before: State, after: State, seat: int) -> int:
    """Return the number of pucks that a seat has scored between two states."""
    return scored_by(after, seat) - scored_by(before, seat)
