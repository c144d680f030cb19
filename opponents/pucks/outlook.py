"""Each seat's chance to win, judged by how many slides its pucks are from a goal, and by its cards.

The logarithm of a seat's odds is the sum of the worths of its pucks, its cards and its next actions. The numbers come from a
logistic fit to games of the computer against itself, with two players and with four, and are rounded by hand.
"""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from math import exp
from operator import or_
from typing import Final, NamedTuple

from engines.pucks.board.board import Mats
from engines.pucks.board.deck import CardId
from engines.pucks.board.motion import SCORED, SLUSH_REACH
from engines.pucks.board.pieces import Owners, all_pieces, pieces_of_seat
from engines.pucks.board.state import State, Table
from engines.pucks.board.views import Phase
from opponents.pucks.rink import FAR, Rink, Sliding, Spots, occupied_bits, rink_of

COST: Final = (0.0, 0.4, 0.6, 0.7, 0.78, 0.85)
"""How much less a puck is worth than a scored one, in log odds, by its distance in slides (0 means scored)."""
AHEAD: Final = (0.5, 0.2, 0.05)
"""The weight of a seat's next actions: for the seat to move, for the next seat, and for all others."""
HOLDING: Final[Mapping[CardId, float]] = {
    "whistle": 0.25, "u-turn": 0.15, "double": 0.35, "extra": 0.2, "quick-draw": 0.25, "sweep": 0.05, "shift": 0.25,
    "swap": 0.25, "twist": 0.2, "mix": 0.3, "borrow": 0.25, "salvage": 0.2, "faceoff": 0.35, "review": 0.3, "thin-ice": 0.08,
    "slush": 0.05, "net-off": 0.1, "take-1": 0.08, "take-2": 0.08, "take-3": 0.12, "take-4": 0.14, "take-5": 0.15,
    "take-6": 0.18, "draw-2": 0.08, "draw-3": 0.08, "draw-4": 0.08,
}  # fmt: skip
"""The worth of a card in the hand, in log odds. A card that is not listed is worth nothing."""
AVERAGE: Final = 0.2
"""The worth of an unknown card, in log odds."""
KNOWN: Final = 20_000
"""The most positions whose distances are cached, since the same position is often reached by moves in another order."""
Distances = tuple[int, ...]
"""The distances from a goal, in slides, of the pucks that a seat still has to score, the nearest first."""


class Company:
    """The pieces of a game and how they move, and each seat's pieces (`owned`) and pucks, by their indices."""

    def __init__(self, owners: Owners, variant: str, needed: int, bumping: bool) -> None:
        pieces = all_pieces(owners.colours, variant)
        self.sliding = Sliding(pieces, bumping)
        self.owned = tuple(pieces_of_seat(owners, variant, seat) for seat in range(owners.seats))
        self.pucks = tuple(tuple(i for i in own if self.sliding.pucks[i]) for own in self.owned)
        self._needed = needed
        self._known: dict[tuple[Rink, Spots], tuple[Distances, ...]] = {}

    def distances(self, rink: Rink, spots: Spots) -> tuple[Distances, ...]:
        """Return, for each seat, how far the pucks that it still has to score are from a goal."""
        key = rink, spots
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            masks = [occupied_bits([spots[puck] for puck in pucks]) for pucks in self.pucks]
            layers = rink.distances(occupied_bits(spots), reduce(or_, masks))
            each = zip(masks, self.pucks, strict=True)
            known = self._known[key] = tuple([self._nearest(layers, mask, spots, pucks) for mask, pucks in each])
        return known

    def _nearest(self, layers: Sequence[int], mask: int, spots: Spots, pucks: Sequence[int]) -> Distances:
        missing, near = self._needed, []
        for puck in pucks:
            missing -= spots[puck] == SCORED
        for distance, layer in enumerate(layers, start=1):
            there = layer & mask
            if there:
                near += [distance] * there.bit_count()
        near += [FAR] * (missing - len(near))
        return tuple(near[:missing]) if missing > 0 else ()


@cache
def _company(owners: Owners, variant: str, needed: int, bumping: bool) -> Company:
    return Company(owners, variant, needed, bumping)


def company_of(state: State) -> Company:
    """Return the pieces of a game and their owners."""
    return _company(state.owners, state.variant, state.needed, state.rules.bumping)


def rink_for(table: Table, mats: Mats | None = None) -> Rink:
    """Return the board of a table. Its mats are replaced by `mats`, if given."""
    return rink_of(table.mats if mats is None else mats, table.net_off, SLUSH_REACH if table.ongoing == "slush" else None)


class Situation(NamedTuple):
    """The seat whose turn it is, and the rest of that turn.

    Attributes:
        left: the number of actions left. If there are none, the next seat is about to act.
        rule: the number of actions in a turn from now on.
        order: the other seats that take part, in the order of play.
        held: the worth of each seat's hand.
    """

    seat: int
    left: int
    rule: int
    order: tuple[int, ...]
    held: tuple[float, ...]

    def after(self, actions: int, held: float = 0.0) -> "Situation":
        """Return the situation after some actions of the seat whose turn it is. `held` is what its hand gains in worth."""
        hands = self.held
        if held:
            hands = (*hands[: self.seat], hands[self.seat] + held, *hands[self.seat + 1 :])
        return Situation(self.seat, self.left - actions, self.rule, self.order, hands)


def situation_of(state: State) -> Situation:
    """Return the situation in a state without a winner."""
    seat, rule = state.to_move, state.table.action_rule
    line = [(seat + state.direction * step) % state.seats for step in range(1, state.seats)]
    order = tuple(other for other in line if other not in state.out)
    held = tuple([worth(state.hand(other)) for other in range(state.seats)])
    if state.phase is Phase.ACT and not state.closed:
        return Situation(seat, state.allowed - state.taken, rule, order, held)
    return Situation(seat, 0 if state.phase is Phase.DISCARD or state.closed else rule, rule, order, held)


def worth(hand: Sequence[CardId]) -> float:
    """Return the worth of a hand, in log odds."""
    return sum(HOLDING.get(held, 0.0) for held in hand)


def shares_of(distances: Sequence[Distances], now: Situation) -> tuple[float, ...]:
    """Return each seat's chance to win. Seats that have left have no chance."""
    order, left = (now.seat, *now.order), now.left
    if left <= 0:
        order, left = (*now.order, now.seat), now.rule
    for seat in order:
        if not distances[seat]:
            return tuple([float(other == seat) for other in range(len(distances))])
    odds = [0.0] * len(distances)
    for place, seat in enumerate(order):
        near = distances[seat]
        now_behind, soon = behind(near), behind(_gone_on(near, now.rule if place else left))
        weight = AHEAD[min(place, len(AHEAD) - 1)]
        odds[seat] = exp(now.held[seat] - now_behind + weight * (now_behind - soon))
    total = sum(odds)
    return tuple([chance / total for chance in odds])


@cache
def behind(distances: Distances) -> float:
    """Return how far a seat is from having scored all of its pucks, in log odds."""
    return sum(COST[distance] for distance in distances)


@cache
def _gone_on(distances: Distances, actions: int) -> Distances:
    """Return the distances after this many slides without obstacles, beginning with the nearest puck."""
    left = []
    for distance in distances:
        gone = min(actions, distance) if distance < FAR else 0
        actions -= gone
        left.append(distance - gone)
    return tuple(left)


def outlook(state: State) -> tuple[float, ...]:
    """Return each seat's chance to win in a state without a winner."""
    rink = rink_for(state.table)
    return shares_of(company_of(state).distances(rink, rink.spots(state.table.places)), situation_of(state))
