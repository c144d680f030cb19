"""Plays two games that differ only in hidden cards side by side: others must see the same until such a card is shown."""

import contextlib
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import SessionError
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.plans.service import Plans
from bot.features.settings.moderation import Moderation
from bot.features.watching.service import Watching
from bot.parts import PARTS
from engines.game import Action, Orders, part_of
from engines.pucks import Pucks
from engines.pucks.board.views import Phase
from engines.pucks.play.moves import can_move_a_piece
from storage.schema.records import EntryKind, OfferKind, Status, WatchFor
from storage.store import Store
from tests.bot.observing.deals import Deals, Pair, beginning_with, pair, walked, winning_move
from tests.bot.observing.seen import ENGLISH, WRONG, seen, told
from tests.bot.service import DAY, HOUR, Time, made, seeds

PEOPLE: Final = tuple(User(10 + seat, name) for seat, name in enumerate(("Ann", "Ben", "Cleo", "Dev", "Eve", "Fred")))
WATCHER, NEWCOMER, CHIEF = User(90, "Zoe"), User(91, "Nell"), User(92, "Chief")
SERVER: Final = 1000
"""The first pair's server. Each has its own, so that pairs do not affect each other's ratings."""
NIGHT: Final = {"zone": "UTC", "quiet_from": 22 * 60, "quiet_until": 8 * 60}
STEPS: Final = 12
ORDERS: Final[tuple[Action, ...]] = (
    ("pass", "until-turn"), ("pass", "otherwise"), ("whistle", "wins", "anyone"), ("whistle", "scores", "anyone"),
    ("whistle", "moves", "any"), ("u-turn", "scores", "anyone"),
)  # fmt: skip


class Leak(AssertionError):
    """Others can tell two games apart that differ only in hidden cards."""


@dataclass
class Side:
    store: Store
    core: Core
    clock: Time
    deals: Deals
    game: Pucks
    watched_by: User | None = WATCHER

    @classmethod
    async def opened(cls, folder: Path, rules: type[Pucks]) -> "Side":
        store, clock, deals, known = await Store.open(folder), Time(), Deals(), seeds()
        game = beginning_with(rules, deals)
        core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known), games={"pucks": game}, earlier=())
        for user in PEOPLE:
            night = NIGHT if user is PEOPLE[1] else {}
            await core.service(Users).change(user.id, remind_next=True, **night)
        return cls(store, core, clock, deals, game)

    async def open_table(self, number: int, state: Any) -> int:
        """A table that continues from a state, on its own server and day. Zoe watches it."""
        self.clock.pass_(DAY)
        self.deals.states[str(number)] = state
        asked = TableRequest(
            guild_id=SERVER + number, channel_id=20, game="pucks", seats=state.seats, clock=int(DAY),
            options={"deal": str(number)},
        )  # fmt: skip
        opener, *others = PEOPLE[: state.seats]
        table_id = (await self.core.service(Lobby).open(opener, asked)).table.id
        for user in others:
            await self.core.service(Lobby).join(table_id, user, 1_000_000 * table_id + user.id)
        if self.watched_by is not None:
            await self.core.service(Watching).watch(table_id, self.watched_by, WatchFor.TURN)
        return table_id


Doing = Callable[[Side], Awaitable[Any]]


@dataclass
class Compared:
    """The result of a pair: the steps before the games were allowed to part, and why they were.

    A card was shown or drawn, or the game ended. `waited` tells whether a win was pending on the way.
    """

    steps: int = 0
    why: str = ""
    waited: bool = False


class Lockstep:
    """Plays a pair by the same script, and after each step compares what others can observe."""

    def __init__(self, sides: tuple[Side, Side], dealt: Pair) -> None:
        self._sides = sides
        self._pair = dealt
        self._dice = dealt.dice
        self._table = 0
        self._doing = ""
        self.compared = Compared()

    async def run(self) -> Compared:
        here, there = [
            await side.open_table(self._pair.number, state)
            for side, state in zip(self._sides, (self._pair.here, self._pair.there), strict=True)
        ]
        assert here == there
        self._table, self._doing = here, "nothing"
        await self._give_orders(await self._sides[0].core.snapshot(here))
        await self._compare(None, None)
        while self.compared.steps < STEPS and await self._step():
            self.compared.steps += 1
        for side in self._sides:
            if (await side.core.snapshot(here)).table.status is Status.PLAYING:
                await side.core.service(Moderation).close(here, SERVER + self._pair.number, CHIEF)
        return self.compared

    async def _give_orders(self, snapshot: Snapshot) -> None:
        """In half of the pairs, people with hidden hands have given orders before, mostly about wins and goals."""
        hidden = [seat for seat in snapshot.present if seat != self._pair.observer]
        for seat in hidden if self._dice.random() < 0.5 else ():
            for order in self._dice.sample(ORDERS, 2):
                for side in self._sides:
                    with contextlib.suppress(SessionError):
                        await side.core.service(Plans).add_order(self._table, self._user(snapshot, seat), None, order)

    async def _step(self) -> bool:
        """Do something in both games. Returns False when the comparison may end."""
        before = [await side.core.snapshot(self._table) for side in self._sides]
        if before[0].table.status is not Status.PLAYING:
            self.compared.why = "the end"
            return False
        self.compared.waited |= bool(before[0].playing.state.winning)
        actor, doing = self._next(before[0])
        answers = [await _attempted(doing(side)) for side in self._sides]
        after = [await side.core.snapshot(self._table) for side in self._sides]
        if (why := self._parted(before, after)) is not None:
            self.compared.why = why
            return False
        await self._compare(*(answers if actor in {None, self._pair.observer} else (None, None)))
        return True

    def _parted(self, before: list[Snapshot], after: list[Snapshot]) -> str | None:
        """Why the games may differ from now on: a hidden card was shown, or the observer drew another one."""
        observer = self._pair.observer
        new = [now.playing.log[was.playing.version :] for was, now in zip(before, after, strict=True)]
        state = before[0].playing.state
        for one, other in zip(*new, strict=False):
            kinds = [logged.entry.tokens[:1] for logged in (one, other) if logged.entry.user_id is None]
            if len(set(kinds)) == 2 and can_move_a_piece(state):
                raise Leak(f"{self._where}: the bot plays something else for seat {one.entry.seat}: {kinds}")
            state = one.state
        for logged in (*new[0], *new[1]):
            entry = logged.entry
            shown = entry.kind is EntryKind.PLAY and entry.tokens[0] in {"play", "discard"}
            if shown and entry.seat != observer:
                return "a hidden card was shown"
        hands = [sorted(now.playing.state.hands[observer]) for now in after]
        return None if hands[0] == hands[1] else "the observer has drawn"

    async def _compare(self, here: Any, there: Any) -> None:
        if here != there:
            raise Leak(f"{self._where}: the answers differ: {here} / {there}")
        for observer in (self._pair.observer, None):
            seed = self._dice.random()
            one, other = [await seen(side.core, self._table, observer, random.Random(seed)) for side in self._sides]
            apart = [name for name in dict.fromkeys((*one, *other)) if one.get(name) != other.get(name)]
            if apart:
                said = "\n".join(f"{name}:\n  {one.get(name)!r:.1500}\n  {other.get(name)!r:.1500}" for name in apart[:3])
                raise Leak(f"{self._where}: seat {observer} sees another {', '.join(apart)}\n{said}")

    @property
    def _where(self) -> str:
        here, there = self._pair.here.hands, self._pair.there.hands
        return f"pair {self._pair.number} after {self._doing}; the hands: {here} / {there}"

    def _next(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        """What is done next and by which seat, if any, depending only on what the observer may know."""
        dice = self._dice
        rare = (self._time_out, self._time_out, self._late_click, self._undo, self._resign, self._draw, self._hand_over,
                self._order, self._order, self._wrong, self._outsider, self._answer)  # fmt: skip
        if dice.random() < 0.4:
            found = dice.choice(rare)(snapshot)
            if found is not None:
                return found
        return self._play(snapshot)

    def _user(self, snapshot: Snapshot, seat: int) -> User:
        player = snapshot.players[seat]
        return User(player.user_id, player.name)

    def _play(self, snapshot: Snapshot, pressed: int | None = None) -> tuple[int | None, Doing]:
        state, seat = snapshot.playing.state, self._dice.choice(snapshot.playing.to_act)
        action = self._own_action(state, seat) if seat == self._pair.observer else self._hidden_action(state, seat)
        return self._acting(snapshot, seat, action, closing=self._dice.random() < 0.5, pressed=pressed)

    def _acting(
        self, snapshot: Snapshot, seat: int, action: Action, *, closing: bool = False, pressed: int | None = None
    ) -> tuple[int | None, Doing]:
        self._doing = f"{' '.join(action)} by seat {seat}{' and the end' if closing else ''}"
        user, version = self._user(snapshot, seat), snapshot.table.version

        async def doing(side: Side) -> Any:
            played = await side.core.service(Play).act(
                self._table, user, action, version=version, closing=closing, interaction_id=pressed
            )
            return [told(event.text) for event in played.events if event.known_to(seat)]

        return seat, doing

    def _own_action(self, state: Any, seat: int) -> Action:
        game = self._sides[0].game
        winning = winning_move(game, state) if state.phase is Phase.ACT and seat == state.to_move else None
        return winning if winning is not None and self._dice.random() < 0.7 else walked(game, state, seat, self._dice)

    def _hidden_action(self, state: Any, seat: int) -> Action:
        """An action that needs no card and that no card can prevent: moving, drawing, passing, ending the turn."""
        game = self._sides[0].game
        if state.winning:
            return ("pass",)
        if state.phase is Phase.ACT and state.taken >= state.allowed:
            return ("end",)
        winning = winning_move(game, state) if state.phase is Phase.ACT else None
        if winning is not None and self._dice.random() < 0.7:
            return winning
        return walked(game, state, seat, self._dice, without=("play", "end"))

    def _time_out(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        """Let time pass until the next reminder, or until the turn is over and the game goes on without the absent."""
        whole = self._dice.random() < 0.7
        self._doing = "the end of the time" if whole else "half of the time"
        moment = (snapshot.table.deadline or 0.0) + WAITS if whole else snapshot.table.notice_at

        async def doing(side: Side) -> Any:
            side.clock.now = max(side.clock.now, moment or 0.0)
            return await side.core.service(Timing).sweep()

        return None, doing

    def _late_click(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        """Somebody presses just before or after the end of their time, and it is carried out later."""
        ends = snapshot.table.deadline or 0.0
        when = ends + self._dice.choice((-1.0, 1.0))
        for side in self._sides:
            side.clock.now = max(side.clock.now, ends + 3.0)
        return self._play(snapshot, made(when) + snapshot.table.version)

    def _undo(self, snapshot: Snapshot) -> tuple[int | None, Doing] | None:
        standing = snapshot.playing.in_force
        return self._proposing(snapshot, standing[-1].entry.seat, OfferKind.UNDO) if standing else None

    def _draw(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        return self._proposing(snapshot, self._dice.choice(snapshot.present), OfferKind.DRAW)

    def _proposing(
        self, snapshot: Snapshot, seat: int, kind: OfferKind, seating: Seating | None = None
    ) -> tuple[int | None, Doing]:
        return self._asking(
            snapshot, seat, f"the offer {kind}", lambda s, u: s.service(Consent).propose(self._table, u, kind, seating)
        )

    def _answer(self, snapshot: Snapshot) -> tuple[int | None, Doing] | None:
        offers, seat = snapshot.table.offers, self._dice.choice(snapshot.present)
        kinds = [kind for kind in OfferKind if offers.of(kind) is not None]
        if not kinds:
            return None
        kind = self._dice.choice(kinds)
        if kind is OfferKind.SUBSTITUTE:
            self._doing = "a newcomer"
            return None, lambda side: side.core.service(Consent).agree(self._table, NEWCOMER, OfferKind.SUBSTITUTE)
        if self._dice.random() < 0.2:
            return self._asking(snapshot, seat, f"no {kind}", lambda s, u: s.service(Consent).refuse(self._table, u, kind))
        agreed = OfferKind.UNDO if kind is OfferKind.UNDO else OfferKind.DRAW
        return self._asking(snapshot, seat, f"yes to {kind}", lambda s, u: s.service(Consent).agree(self._table, u, agreed))

    def _resign(self, snapshot: Snapshot) -> tuple[int | None, Doing] | None:
        seat = self._dice.choice(snapshot.present)
        if len(snapshot.present) == 2 and self._dice.random() < 0.8:
            return None
        return self._asking(snapshot, seat, "resigning", lambda s, u: s.service(Play).resign(self._table, u))

    def _hand_over(self, snapshot: Snapshot) -> tuple[int | None, Doing] | None:
        seat = self._dice.randrange(len(snapshot.players))
        if seat == self._pair.observer or snapshot.person(NEWCOMER.id) is not None:
            return None
        leaver, by = snapshot.players[seat].user_id, seat if seat in snapshot.present else self._dice.choice(snapshot.present)
        return self._proposing(snapshot, by, OfferKind.SUBSTITUTE, Seating(leaver, NEWCOMER))

    def _order(self, snapshot: Snapshot) -> tuple[int | None, Doing] | None:
        game, state = self._sides[0].game, snapshot.playing.state
        seat = self._dice.choice(snapshot.present)
        order: Action = ()
        while choices := part_of(game, Orders).order_choices(state, seat, order):
            choice = self._dice.choice(choices)
            order = (*order, choice.token)
            if choice.final:
                break
        if not order:
            return None
        return self._asking(
            snapshot, seat, f"the order {order}", lambda s, u: s.service(Plans).add_order(self._table, u, None, order)
        )

    def _wrong(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        """The observer tries something that may not be possible."""
        return self._acting(snapshot, self._pair.observer, self._dice.choice(WRONG[1:]))

    def _outsider(self, snapshot: Snapshot) -> tuple[int | None, Doing]:
        """An outsider tries to play, or the observer wants to hurry the others."""
        if self._dice.random() < 0.5:
            self._doing = "an attempt to play without a seat"
            return None, lambda side: side.core.service(Play).act(self._table, WATCHER, ("draw",))
        for side in self._sides:
            side.clock.now = max(side.clock.now, (snapshot.table.deadline or 0.0) - 11 * HOUR)
        return self._asking(snapshot, self._pair.observer, "a nudge", lambda s, u: s.service(Play).nudge(self._table, u))

    def _asking(
        self, snapshot: Snapshot, seat: int, what: str, ask: Callable[[Core, User], Awaitable[Any]]
    ) -> tuple[int | None, Doing]:
        user = self._user(snapshot, seat)
        self._doing = f"{what} by seat {seat}"

        async def doing(side: Side) -> Any:
            await ask(side.core, user)

        return seat, doing


async def _attempted(doing: Awaitable[Any]) -> Any:
    """The answer to an attempt, or why it was refused."""
    try:
        answer = await doing
    except SessionError as error:
        return type(error).__name__, ENGLISH(error.text, error.names), getattr(error, "possible", ())
    return answer if isinstance(answer, list | tuple) else None


async def compare(folder: Path, rules: type[Pucks], numbers: Iterable[int]) -> list[Compared]:
    """Play pairs one after another with two bots. Raises Leak at the first that others can tell apart."""
    sides = (await Side.opened(folder / "here.sqlite3", rules), await Side.opened(folder / "there.sqlite3", rules))
    game = rules()
    try:
        return [await Lockstep(sides, pair(game, number)).run() for number in numbers]
    finally:
        for side in sides:
            await side.store.close()
