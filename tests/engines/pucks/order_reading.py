"""Standing orders read a second time, from the rules page alone and as plainly as can be, to compare with.

It follows what happens by the actions and by the seats' views, which are what they see. It shares nothing with the engine's
orders.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engines.game import Action
from engines.pucks.board.deck import CardKind, card
from engines.pucks.board.pieces import COLOURS, Piece
from engines.pucks.board.views import PucksView

Order = Action
Look = Callable[[int | None], PucksView]
"""What a seat (None: a spectator) sees now."""

OTHERWISE, UNTIL = ("pass", "otherwise"), ("pass", "until-turn")


@dataclass(frozen=True)
class Taken:
    """An action that can be whistled: whose, its card, the pieces that it has moved, and the seats for which it has scored."""

    number: int
    seat: int
    card: str | None
    moved: frozenset[Piece]
    scored_for: frozenset[int]


@dataclass
class OrderReading:
    """What the rules page says of standing orders.

    Attributes:
        given: the orders of each seat, with the number of entries that the log had when they were given.
        taken: the last action that can be whistled, or None.
        unbroken: whether everything since that action was played by order.
        number: the number of entries of the log.
        newest: the newest entry: its seat and its action.
    """

    given: dict[int, dict[Order, int]] = field(default_factory=dict)
    taken: Taken | None = None
    unbroken: bool = False
    number: int = 0
    newest: tuple[int, Action] = (0, ())

    def give(self, seat: int, orders: Sequence[Order]) -> None:
        self.given[seat] = dict.fromkeys(orders, self.number)

    def follow(self, seat: int, action: Action, before: Look, now: Look, *, by_order: bool) -> None:
        """Something was played, or somebody has left (an empty action)."""
        self.number += 1
        self.newest = seat, action
        self.unbroken = self.unbroken and by_order
        if not action:
            return
        if action == ("draw",):
            self.given.get(seat, {}).pop(UNTIL, None)
        if action in {("draw",), ("play", "whistle")}:
            self.taken = None
        elif _can_be_whistled(action):
            self.taken, self.unbroken = _taken(self.number, seat, action, before(None), now(None)), True

    def next_answer(self, look: Look) -> tuple[int, Action, Order] | None:
        """The seat that plays an action by an order now, with both, or None."""
        seen = look(None)
        actor = self.newest[0]
        for step in range(1, seen.seats + 1):
            seat = (actor + seen.direction * step) % seen.seats
            found = self._answer_of(seat, look) if seen.to_act and seat not in seen.out else None
            if found is not None:
                return seat, *found
        return None

    def use_up(self, seat: int, order: Order) -> None:
        """An order has played its card. Letting wins stand is never used up."""
        if order[0] != "pass":
            del self.given[seat][order]

    def answer_when_given(self, seat: int, seen: PucksView) -> Action | None:
        """What a seat plays that has just given its orders: it lets a win stand that it is asked about.

        If it has ordered a Whistle for that win, it decides itself, unless it lets every win stand.
        """
        orders = self.given.get(seat, {})
        if not self._is_asked(seat, seen):
            return None
        whistled = any(order[0] == "whistle" and self._names_what_happened(seat, order, seen) for order in orders)
        return ("pass",) if UNTIL in orders or (OTHERWISE in orders and not whistled) else None

    def _answer_of(self, seat: int, look: Look) -> tuple[Action, Order] | None:
        orders, seen = self.given.get(seat, {}), look(seat)
        passing = next((order for order in (UNTIL, OTHERWISE) if order in orders), None)
        if seen.winning is None or passing != UNTIL:
            for held in ("whistle", "u-turn"):
                fits = (order for order in orders if order[0] == held and self._fits(seat, order, seen))
                if held in seen.hand and (order := next(fits, None)) is not None:
                    return ("play", held), order
        return (("pass",), passing) if passing is not None and self._is_asked(seat, seen) else None

    def _is_asked(self, seat: int, seen: PucksView) -> bool:
        """Whether a win waits for this seat: all opponents who hold a card are asked, except the one who took the action."""
        waits = seen.winning not in {None, seat} and "whistle" not in seen.without and seat not in seen.out
        took_it = self.taken is not None and self.taken.seat == seat
        return waits and not took_it and bool(seen.hand_sizes[seat]) and seat not in seen.passed

    def _fits(self, seat: int, order: Order, seen: PucksView) -> bool:
        """Whether an order answers now, if its card is held."""
        if order[0] == "u-turn":
            return self._ends_a_turn(seat, order, seen)
        taken = self.taken
        since = taken is not None and self.unbroken and taken.number > self.given[seat][order]
        return since and self._names_what_happened(seat, order, seen)

    def _ends_a_turn(self, seat: int, order: Order, seen: PucksView) -> bool:
        actor, action = self.newest
        if seen.winning is not None or not seen.whole or actor == seat:
            return False
        if order[2:] in {("double",), ("extra",)}:
            return action == ("play", order[2])
        just = self.taken is not None and self.taken.number == self.number > self.given[seat][order]
        return just and self._names_what_happened(seat, order, seen)

    def _names_what_happened(self, seat: int, order: Order, seen: PucksView) -> bool:
        taken = self.taken
        if taken is None or seat in {taken.seat, seen.winning}:
            return False
        named = " ".join(order[2:])
        if order[1] == "plays":
            return taken.card == named
        if order[1] == "moves":
            own = [piece for piece in taken.moved if COLOURS.index(piece.shade) % seen.seats == seat]
            names = {name for piece in own for name in (piece.word, piece.name, "any")}
            return named in names and seat not in taken.scored_for
        players = {seen.winning} - {None} if order[1] == "wins" else taken.scored_for - {seat}
        return bool(players) if named == "anyone" else COLOURS.index(named) in players


def _can_be_whistled(action: Action) -> bool:
    if action[0] == "play":
        return card(action[1]).kind is not CardKind.QUICK
    return action[0] not in {"place", "auto", "draw", "discard", "end", "pass"}


def _taken(number: int, seat: int, action: Action, before: PucksView, now: PucksView) -> Taken:
    was, places = dict(_places(before)), dict(_places(now))
    moved = frozenset(piece for piece in places if was[piece] != places[piece])
    scored_for = {COLOURS.index(piece.shade) % now.seats for piece in moved if places[piece] == "scored"}
    return Taken(number, seat, action[1] if action[0] == "play" else None, moved, frozenset(scored_for - {*now.out}))


def _places(seen: PucksView) -> Iterator[tuple[Piece, str]]:
    """Where each piece is: the space's name, which travels with its mat."""
    yield from ((placed.piece, placed.space) for placed in seen.pieces)
    yield from ((piece, "scored") for piece in seen.scored)
    yield from ((piece, "beside") for piece in seen.beside)
