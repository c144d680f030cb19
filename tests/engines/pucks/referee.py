"""A second reading of the rules, written from the rules page alone and as plainly as can be, to compare with.

The referee keeps the books of a game: whose turn it is, what is left of it, where the cards are, what a whistle undoes, whom a
win asks, and what happens by itself. Where a move or a card leaves pieces and mats is read off the engine's position, which
other tests check; where a whistle and a new turn leave them, the referee says. Cards are counted, not ordered.
"""

from collections import Counter
from copy import deepcopy
from typing import Any

from engines.pucks.board.state import State
from tests.engines.pucks import slow
from tests.engines.pucks.drawing import PUCKS

QUICK = {"whistle", "u-turn", "double", "extra", "quick-draw", "sweep"}
ONGOING = {"thin-ice", "slush", "net-off"}
COLOURS = ["red", "blue", "green", "yellow", "purple", "orange"]
TABLE = (
    "pieces",
    "scored",
    "mats",
    "draw_rule",
    "action_rule",
    "ongoing",
    "net_off",
    "borrowed",
    "before_last_move",
    "whole_at",
)
"""What a whistle gives back."""


class Referee:
    """The books of one game, from the moment when all its pieces are placed."""

    def __init__(self, state: State) -> None:
        position = PUCKS.position(state)
        self.seats: int = position["seats"]
        self.colours: int = position.get("colours", 1)
        self.needed: int = position.get("to_win", 4) * self.colours
        self.whistles = "whistle" not in position.get("without", [])
        self.limit = 7 if self.seats < 4 else 5
        self.hands = [Counter(hand) for hand in position["hands"]]
        self.gone = [Counter[str]() for _ in self.hands]
        self.pile, self.discard = Counter(position["draw_pile"]), Counter(position["discard"])
        self.edge: dict[str, str] = {}
        self.phase, self.to_move, self.direction = "draw", 0, 1
        self.turn_of: int | None = None
        self.taken = self.extra = self.doubled = 0
        self.closed = False
        self.last: dict[str, Any] | None = None
        self.winning: list[int] = []
        self.passed: set[int] = set()
        self.out: list[int] = []
        self.borrowed: list[int] = []
        self.before_last_move: dict[str, Any] | None = None
        self.whole_at: dict[str, Any] = {}
        self.look(state)
        for card in (f"take-{self.action_rule}", f"draw-{self.draw_rule}"):
            if not card.endswith("-1"):
                self.edge[card[:4]] = card

    def look(self, state: State) -> None:
        """Read off where pieces and mats are, and what the cards in force say about moving."""
        position = PUCKS.position(state)
        self.pieces, self.scored, self.mats = position["pieces"], sorted(position["scored"]), position["mats"]
        self.draw_rule, self.action_rule = position["draw_rule"], position["action_rule"]
        self.ongoing, self.net_off = position["ongoing"], position["net_off"]
        self.remember_whole()

    def remember_whole(self) -> None:
        if self.whole():
            self.whole_at = {letter: mat["at"] for letter, mat in self.mats.items()}

    def live(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.out]

    def allowed(self) -> int:
        return int(self.action_rule * 2**self.doubled + self.extra)

    def whole(self) -> bool:
        places = {tuple(mat["at"]) for mat in self.mats.values()}
        reached, edge = set(), [next(iter(places))]
        while edge:
            x, y = edge.pop()
            if (x, y) in places and (x, y) not in reached:
                reached.add((x, y))
                edge += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return reached == places

    def colours_of(self, seat: int) -> set[str]:
        return {COLOURS[seat + self.seats * number] for number in range(self.colours)}

    def after(self, seat: int) -> int:
        seat = (seat + self.direction) % self.seats
        return seat if seat not in self.out else self.after(seat)

    def board(self, state: State) -> slow.Board:
        floor, walls, closed = slow.floor_of(state.table.mats, self.net_off)
        view = PUCKS.view(state)
        return slow.Board(
            floor, walls, {placed.point: placed.piece.name for placed in view.pieces}, set(self.scored), closed,
            thin_ice=self.ongoing == "thin-ice", slush=self.ongoing == "slush",
        )  # fmt: skip

    def can_move(self, state: State) -> bool:
        """Whether any piece of the player can be moved other than straight back."""
        movers = {colour for seat in (self.to_move, *self.borrowed) for colour in self.colours_of(seat)}
        for name in [name for name in self.pieces if name.split()[0] in movers]:
            for way in slow.WAYS:
                board = self.board(state)
                if slow.move(board, name, way) and by_piece(board) != self.before_last_move:
                    return True
        return False

    def asked(self) -> list[int]:
        if not self.winning or self.last is None or not self.whistles:
            return []
        apart = {self.winning[0], self.last["seat"], *self.passed}
        return [seat for seat in self.live() if seat not in apart and self.hands[seat].total()]

    def winner(self) -> list[int] | None:
        if len(self.live()) == 1:
            return self.live()
        return self.winning[:1] if self.winning and not self.asked() else None

    def act(self, before: State, seat: int, action: tuple[str, ...], after: State) -> None:
        """Enter an action of a seat into the books. `after` only tells what moved, and which cards were drawn."""
        if action[0] == "play":
            self.hands[seat][action[1]] -= 1
            self.card(before, seat, action[1], action[2:], after)
        elif action[0] == "draw":
            self.phase, self.turn_of = "act", seat
            self.taken, self.extra, self.doubled, self.closed = 0, 0, 0, False
            self.last, self.winning, self.passed = None, [], set()
            self.draw(seat, self.draw_rule, after)
        elif action[0] == "discard":
            self.hands[seat][action[1]] -= 1
            self.to_discard(seat, action[1])
        elif action[0] == "end":
            self.phase = "discard"
        elif action[0] == "pass":
            self.passed.add(seat)
        else:
            self.acted(seat, 1)
            self.before_last_move = by_piece(self.board(before))
            self.look(after)
            self.count_win()

    def acted(self, seat: int, cost: int, replaced: str | None = None) -> None:
        table = {key: deepcopy(getattr(self, key)) for key in TABLE}
        self.last = {"seat": seat, "table": table, "card": None, "took": None, "replaced": replaced}
        self.taken += cost
        self.passed = set()

    def count_win(self) -> None:
        order = [(self.to_move + self.direction * step) % self.seats for step in range(self.seats)]
        pucks = {seat: [name for name in self.scored if name.split()[0] in self.colours_of(seat)] for seat in order}
        self.winning = [seat for seat in order if seat not in self.out and len(pucks[seat]) >= self.needed]

    def draw(self, seat: int, number: int, after: State) -> None:
        number = min(number, self.pile.total() + self.discard.total())
        drawn = Counter(after.hands[seat]) - self.hands[seat]
        assert drawn.total() == number
        first = min(number, self.pile.total())
        if first == self.pile.total():
            self.pile, self.discard = self.pile + self.discard, Counter()
        assert drawn <= self.pile
        self.pile, self.hands[seat] = self.pile - drawn, self.hands[seat] + drawn
        if not self.pile.total():
            self.pile, self.discard = self.discard, Counter()

    def to_discard(self, seat: int, card: str) -> None:
        self.discard[card] += 1
        if self.last is not None and (self.last["seat"], self.last["took"]) == (seat, card):
            self.last["took"] = None

    def card(self, before: State, seat: int, card: str, named: tuple[str, ...], after: State) -> None:
        if card in QUICK:
            self.to_discard(seat, card)
            self.quick(seat, card, after)
            return
        free, kind = card.startswith("take-"), card[:4] if card[:4] in {"take", "draw"} else "ongoing"
        stays = card in ONGOING or kind != "ongoing"
        replaced = self.edge.get(kind) if stays else None
        self.acted(seat, 0 if free else 1, replaced)
        assert self.last is not None
        self.last["card"] = card
        if replaced is not None:
            self.discard[replaced] += 1
        if stays:
            self.edge[kind] = card
        else:
            self.discard[card] += 1
        if card == "salvage":
            self.discard[named[0]] -= 1
            self.hands[seat][named[0]] += 1
            self.last["took"] = named[0]
        elif card == "borrow":
            self.borrowed.append(COLOURS.index(named[0]) % self.seats)
        self.look(after)
        self.count_win()

    def quick(self, seat: int, card: str, after: State) -> None:
        if card == "whistle":
            self.whistle()
        elif card == "u-turn":
            self.direction = -self.direction
            if self.turn_of is not None:
                self.closed = True
                if self.phase == "draw":
                    self.to_move = self.after(self.turn_of)
        elif card == "double":
            self.doubled, self.extra = self.doubled + 1, 2 * self.extra
        elif card == "extra":
            self.extra += 1
        elif card == "quick-draw":
            self.draw(seat, 2, after)
        else:
            self.pile, self.discard = self.pile + self.discard, Counter()

    def whistle(self) -> None:
        last, self.last, self.winning, self.passed = self.last, None, [], set()
        assert last is not None
        for key, value in last["table"].items():
            setattr(self, key, value)
        self.borrowed = [seat for seat in self.borrowed if seat not in self.out]
        card, kind = last["card"], "ongoing"
        if card is not None and card[:4] in {"take", "draw"}:
            kind = card[:4]
        if card in ONGOING or kind != "ongoing":
            del self.edge[kind]
            self.discard[card] += 1
            if last["replaced"] is not None and self.discard[last["replaced"]]:
                self.discard[last["replaced"]] -= 1
                self.edge[kind] = last["replaced"]
        if last["took"] is not None and last["seat"] not in self.out:
            self.hands[last["seat"]][last["took"]] -= 1
            self.discard[last["took"]] += 1
        if not self.closed:
            self.to_move, self.phase = last["seat"], "act"
        elif self.phase == "draw":
            self.borrowed, self.before_last_move = [], None
        self.snap_back()

    def snap_back(self) -> None:
        if not self.whole():
            for letter, mat in self.mats.items():
                mat["at"] = self.whole_at[letter]

    def leave(self, seat: int) -> None:
        self.out.append(seat)
        self.gone[seat], self.hands[seat] = self.hands[seat], Counter()
        self.borrowed = [other for other in self.borrowed if other != seat]
        self.winning = [other for other in self.winning if other != seat]
        if not self.winning:
            self.passed = set()
        if len(self.live()) == 1:
            return
        if seat == self.turn_of:
            self.closed = True
            self.snap_back()
        if seat == self.to_move and self.phase == "draw":
            self.to_move = self.after(seat)

    def go_on(self, state: State) -> None:
        """What happens by itself. `state` only tells the points of the pieces, which it does not change."""
        if self.winner() is not None or self.winning:
            return
        if self.phase == "act":
            none_left = self.taken >= self.allowed() or not self.can_move(state)
            if self.closed or (not self.hands[self.to_move].total() and none_left):
                self.phase = "discard"
        if self.phase == "discard" and self.hands[self.to_move].total() <= self.limit:
            self.borrowed, self.before_last_move = [], None
            self.phase, self.to_move = "draw", self.after(self.to_move)

    def check(self, state: State) -> None:
        position, view = PUCKS.position(state), PUCKS.view(state)
        outcome, winner = PUCKS.outcome(state), self.winner()
        assert (None if outcome is None else list(outcome.winners)) == winner
        if winner is None:
            assert list(view.to_act) == (self.asked() or [self.to_move])
        assert view.hand_sizes == tuple(hand.total() for hand in self.hands)
        held = [self.gone[seat] if seat in self.out else self.hands[seat] for seat in range(self.seats)]
        assert [Counter(hand) for hand in position["hands"]] == held
        assert (Counter(position["draw_pile"]), Counter(position["discard"])) == (self.pile, self.discard)
        assert sorted(state.edge) == sorted(self.edge.values())
        assert (position["pieces"], sorted(position["scored"]), position["mats"]) == (self.pieces, self.scored, self.mats)
        rules = (self.draw_rule, self.action_rule, self.ongoing, self.net_off, self.direction)
        assert (view.draw_rule, view.action_rule, view.ongoing, view.net_off, view.direction) == rules
        assert (view.borrowed, set(view.passed)) == (tuple(self.borrowed), self.passed)
        assert view.winning == (self.winning[0] if self.winning else None)
        assert view.answerable == (None if self.last is None else self.last["seat"])
        if winner is not None:
            return
        assert (view.phase.value, view.to_move) == (self.phase, self.to_move)
        if self.phase == "act":
            assert (view.taken, view.allowed) == (self.taken, self.allowed())
        for seat in self.live():
            self.check_offers(state, seat)

    def check_offers(self, state: State, seat: int) -> None:
        offered = {choice.token for choice in PUCKS.choices(state, seat)}
        cards = {choice.token for choice in PUCKS.choices(state, seat, ("play",))} if "play" in offered else set()
        assert ("pass" in offered) == (seat in self.asked())
        own_turn = seat == self.to_move and not self.winning
        assert ("draw" in offered) == (own_turn and self.phase == "draw")
        assert ("discard" in offered) == (own_turn and self.phase == "discard")
        acting = own_turn and self.phase == "act" and not self.closed
        left = self.taken < self.allowed()
        if acting and self.whole() and not left:
            assert "end" in offered
        if "end" in offered:
            assert acting
            assert self.whole()
            assert not left or not (self.can_move(state) or cards - QUICK - {f"take-{number}" for number in range(1, 7)})
        if cards - QUICK:
            assert acting
        hand = self.hands[seat]
        whistled = self.last is not None and self.last["seat"] != seat
        assert ("whistle" in cards) == (bool(hand["whistle"]) and whistled)
        assert ("u-turn" in cards) == (bool(hand["u-turn"]) and self.whole())
        mine = seat == self.to_move and self.phase == "act" and not self.closed
        for card in ("double", "extra"):
            assert (card in cards) == (bool(hand[card]) and mine)
        for card in ("quick-draw", "sweep"):
            assert (card in cards) == bool(hand[card])


def by_piece(board: slow.Board) -> dict[str, slow.Point]:
    return {name: point for point, name in board.pieces.items()}
