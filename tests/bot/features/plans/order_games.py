"""Random games of Puck Bumpers with standing orders of all kinds, compared with a second reading of the rules."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.core.table.history import History, HistoryEntry
from bot.features.plans.answering import with_answers
from engines.game import Action
from engines.pucks.board.state import State
from storage.schema.records import Entry, EntryKind, Plan
from tests.engines.pucks.drawing import PUCKS
from tests.engines.pucks.order_reading import Look, OrderReading
from tests.engines.pucks.random_games import KINDS, begun, chosen
from tests.engines.pucks.test_orders import all_orders

ACTIONS_A_GAME = 120

WINNING = "near the end"
"""The kind of games in which most wins have to wait."""


@dataclass
class Found:
    """The number of random actions, what orders have played, by its first two words, and where the readings differ."""

    actions: int = 0
    by_order: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


class Game:
    """A random game in which everybody changes their orders now and then."""

    def __init__(self, kind: str, seats: int, dice: random.Random, found: Found) -> None:
        self._kind, self._dice, self._found = kind, dice, found
        self._history = History(PUCKS, seats, with_answering_cards(begun(kind, seats, dice), dice))
        self._plans = {seat: Plan(table_id=1, user_id=seat + 1, seat=seat) for seat in range(seats)}
        self._reading = OrderReading()

    def play(self) -> None:
        """Play to the end, or for long enough."""
        for _ in range(ACTIONS_A_GAME):
            self._order()
            if not self._history.to_act:
                return
            self._act()
            self._found.actions += 1

    def _order(self) -> None:
        """Somebody replaces all their orders by others, which may answer a win that waits."""
        live = self._history.state.live
        if self._dice.random() < 0.4 or not self._history.to_act:
            return
        seat = self._dice.choice(live)
        possible = list(all_orders(PUCKS, self._history.state, seat))
        orders = self._dice.sample(possible, min(len(possible), self._dice.choice([1, 4, 12, 60, 60])))
        self._reading.give(seat, orders)
        self._plans[seat] = replace(self._plans[seat], orders=tuple(orders))
        action = PUCKS.at_once(self._history.state, seat, orders)
        expected = self._reading.answer_when_given(seat, PUCKS.view(self._history.state, seat))
        self._compare("when given", action, expected)
        if action is not None and self._dice.random() < 0.5:
            self._found.by_order["pass when given"] += 1
            self._append(EntryKind.PLAY, seat, action)

    def _act(self) -> None:
        state, dice = self._history.state, self._dice
        if dice.random() < 0.005 and len(state.live) > 2:
            self._append(EntryKind.WITHDRAW, dice.choice(state.live), ("resigned",))
            return
        seat = dice.choice(PUCKS.may_act(state) if dice.random() < 0.1 else PUCKS.to_act(state))
        self._append(EntryKind.PLAY, seat, chosen(self._kind, state, seat, dice))

    def _append(self, kind: EntryKind, seat: int, tokens: Action) -> None:
        """Play something, with all that orders answer, and follow it in the second reading."""
        number, plans = self._history.version + 1, self._plans
        entry = Entry(table_id=1, number=number, kind=kind, seat=seat, tokens=tokens, user_id=seat + 1, at=7.0)
        self._history, now = with_answers(self._history.with_new_entry(entry), plans)
        self._plans = dict(now)
        for logged in self._history.log[number - 1 :]:
            self._count(logged.entry, plans)
            self._follow(logged)
        standing = {seat: set(orders) for seat, orders in self._reading.given.items() if seat not in self._history.state.out}
        self._compare("orders", {seat: set(self._plans[seat].orders) for seat in standing}, standing)

    def _follow(self, logged: HistoryEntry) -> None:
        entry = logged.entry
        before = self._history.log[entry.number - 2].state if entry.number > 1 else self._history.first
        action = entry.tokens if entry.kind is EntryKind.PLAY else ()
        self._reading.follow(entry.seat, action, _look(before), _look(logged.state), by_order=entry.fired)
        expected = self._reading.next_answer(_look(logged.state))
        if expected is not None:
            self._reading.use_up(expected[0], expected[2])
        following = self._history.log[entry.number].entry if entry.number < self._history.version else None
        played = None if following is None else (following.seat, following.tokens)
        self._compare(f"{entry.seat}: {' '.join(action)}", played, None if expected is None else expected[:2])

    def _count(self, entry: Entry, before: Mapping[int, Plan]) -> None:
        """Count what orders have played: a card by the order that it has used up."""
        if not entry.fired:
            return
        used = set(before[entry.seat].orders) - set(self._plans[entry.seat].orders)
        self._found.by_order.update(
            [" ".join(order[:2]) for order in used if order[0] == entry.tokens[-1]] or [" ".join(entry.tokens)]
        )

    def _compare(self, what: str, is_so: object, expected: object) -> None:
        if is_so != expected:
            self._found.differences.append(f"{self._kind}, {self._history.version}, {what}: {is_so}, expected {expected}")
            for seat, plan in self._plans.items():
                self._reading.give(seat, plan.orders)  # so that one difference is counted once


def with_answering_cards(state: State, dice: random.Random) -> State:
    """The state with many cards that answer something or are answered by name, and three of them drawn a turn."""

    def dealt(cards: tuple[str, ...]) -> tuple[str, ...]:
        known = [card for card in ("whistle", "u-turn", "extra", "double") if card in state.deck]
        return tuple(dice.choice(known) if known and dice.random() < 0.5 else card for card in cards)

    hands, table = tuple(dealt(hand) for hand in state.hands), replace(state.table, draw_rule=3)
    return replace(state, hands=hands, draw_pile=dealt(state.draw_pile), table=table)


def _look(state: State) -> Look:
    return lambda seat: PUCKS.view(state, seat)


def played(actions: int, seed: int) -> Found:
    """At least so many random actions, in games of all kinds."""
    dice, found = random.Random(seed), Found()
    while found.actions < actions:
        Game(dice.choice([*KINDS, WINNING, WINNING]), dice.randint(2, 6), dice, found).play()
    return found
