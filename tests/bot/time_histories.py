"""Random histories of a table, lived through by the bot's service and by the model of time: both must agree."""

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from typing_extensions import override

from bot.core.clocks import outages
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.jobs import Outbox, Posted
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.chain import DISCORD_EPOCH, EPOCH_BITS
from bot.core.table.deadlines import ends_at
from bot.core.table.errors import WrongStage
from bot.core.table.snapshot import User
from bot.parts import PARTS
from engines.chance import UNSEEDED, Chance
from engines.game import Action, Choice, Game, Outcome, Step, View
from engines.text import Text, say
from storage import queries
from storage.schema.records import Grace, JobKind, Person, Status, Table
from storage.schema.tables import outbox, tables
from storage.store import Store
from tests.bot.service import BOUNCERS, Time, seeds
from tests.bot.time_model import Model
from tests.bot.time_model import Person as Modelled

DAY = 1440
ZONES = ("UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Auckland", "Australia/Lord_Howe", "Asia/Kolkata")
CHANGES = ((2026, 3, 28), (2026, 10, 24), (2026, 4, 4), (2026, 10, 3), (2026, 3, 7), (2026, 10, 31))
"""Days on or after which clocks change somewhere."""
PRESSES = itertools.count()
"""Numbers of presses, distinct for all histories that share a database."""
Happened = list[tuple[int, str, int]]


@dataclass(frozen=True, slots=True)
class RoundsState:
    """The seats that still have to act, and the number of seats."""

    seats: int
    awaited: tuple[int, ...]
    chance: Chance = field(default=UNSEEDED, compare=False, repr=False)


class RoundsGame(Game[RoundsState, View]):
    """Everybody but the last to act goes, in any order, for ever."""

    id: ClassVar[str] = "bouncers"
    title: ClassVar[str] = "Rounds"
    summary: ClassVar[str] = "Everybody goes."
    seats: ClassVar[range] = range(2, 5)
    variants: ClassVar[tuple[str, ...]] = ("8x8-16",)
    chance: ClassVar[bool] = False

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> RoundsState:
        return RoundsState(seats, tuple(range(seats)), chance)

    @override
    def to_act(self, state: RoundsState) -> tuple[int, ...]:
        return state.awaited

    @override
    def choices(self, state: RoundsState, seat: int, prefix: Action = ()) -> list[Choice]:
        return [] if prefix or seat not in state.awaited else [Choice("go", say("Go"), final=True)]

    @override
    def _play(self, state: RoundsState, seat: int, action: Action) -> Step[RoundsState]:
        left = tuple(other for other in state.awaited if other != seat)
        return Step(RoundsState(state.seats, left or tuple(s for s in range(state.seats) if s != seat), state.chance), ())

    @override
    def withdraw(self, state: RoundsState, seat: int) -> Step[RoundsState]:
        return Step(RoundsState(state.seats, (), state.chance), ())

    @override
    def outcome(self, state: RoundsState) -> Outcome | None:
        return None if state.awaited else Outcome((), "Over.")

    @override
    def view(self, state: RoundsState, seat: int | None = None) -> View:
        return View(variant=self.variants[0], seats=state.seats, seat=seat, to_act=state.awaited)

    @override
    def describe(self, view: View) -> Text:
        return say("Everybody goes.")

    @override
    def position(self, state: RoundsState, secret: bool = False) -> dict[str, Any]:
        return {"seats": state.seats, "awaited": list(state.awaited)}

    @override
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> RoundsState:
        return RoundsState(position["seats"], tuple(position["awaited"]), chance or UNSEEDED)


@dataclass(frozen=True, slots=True)
class History:
    """What people do at a table, and what happens to the bot: in which minute, what, by whom, and how."""

    begins: int
    ends: int
    clock: int
    strict: bool
    people: dict[int, tuple[str, tuple[int, int]]]
    delays: tuple[int, ...]
    events: tuple[tuple[int, str, int, Any], ...]


def history(seed: int) -> History:
    rng = random.Random(seed)
    year, month, day = rng.choice(CHANGES) if rng.random() < 0.4 else (2026, rng.randint(1, 12), rng.randint(1, 28))
    begins = int(datetime(year, month, day, rng.randrange(24), rng.randrange(60), tzinfo=UTC).timestamp()) // 60
    clock = rng.choice((60, 480, 480, DAY, DAY, 3 * DAY))
    people = {number: (rng.choice(ZONES), quiet(rng)) for number in range(1, rng.choice((2, 2, 3, 4)) + 1)}
    delays = (0, *(rng.choice((0, 0, 0, 0, 1, 3, clock // 3, clock + 7, 3 * clock)) for _ in range(60)))
    events: list[tuple[int, str, int, Any]] = []
    now, ends, gone = begins, begins + min(3 * clock + DAY, 4 * DAY), set()
    while now < ends:
        steps = (1, 1, 2, rng.randint(1, clock // 10), rng.randint(1, clock), clock // 2, clock // 10)
        now += rng.choice((*steps, max(1, clock + rng.choice((-16, -15, -5, -1, 0, 1)))))
        who = rng.choice(list(people))
        what = rng.choices(("press", "press late", "gap", "away", "back", "settings"), (6, 3, 2, 1, 1, 1))[0]
        if what == "press":
            events.append((now, "press", who, 0))
        elif what == "press late":
            events.append((now, "press", who, rng.choice((1, 1, 2, 5))))
        elif what == "gap":
            length = rng.choice((1, 2, 4, 5, 6, 20, rng.randint(6, DAY)))
            events.append((now, "gap", 0, length))
            now += length
        elif what == "away" and who not in gone:
            gone.add(who)
            events.append((now, "away", who, rng.choice((1, 1, 2))))
        elif what == "back" and who in gone:
            events.append((now, "back", who, 0))
        elif what == "settings":
            events.append((now, "settings", who, (rng.choice(ZONES), quiet(rng))))
    return History(begins, ends, clock, rng.random() < 0.4, people, delays, tuple(events))


def quiet(rng: random.Random) -> tuple[int, int]:
    usual = (22 * 60, 8 * 60), (23 * 60, 7 * 60), (0, 6 * 60), (150, 200)
    return rng.choice((*usual, (0, 0), (rng.randrange(DAY), rng.randrange(DAY))))


OVERS: int = 2
"""Missed deadlines after which a history ends: a third in a row takes the seat."""


def by_model(told: History) -> Happened:
    people = {number: Modelled(zone, hours) for number, (zone, hours) in told.people.items()}
    model = Model(told.begins, told.clock, people, list(told.delays), overtime=len(people) == 2 and not told.strict)
    events = list(told.events)
    while model.now < told.ends:
        while events and events[0][0] <= model.now:
            _, what, who, how = events.pop(0)
            match what:
                case "press" if who in model.awaited:
                    counts = model.press(who, model.now - how)
                    model.happened.append((model.now, "taken" if counts else "refused", who))
                case "gap":
                    model.gap(how)
                case "away" if people[who].back <= model.now:
                    model.leave(who, how * DAY)
                case "back" if people[who].back > model.now:
                    model.come_back(who)
                case "settings":
                    people[who].zone, people[who].quiet = how
            model.happened.append((model.now, "ends", model.ends))
        if model.now < told.ends:
            model.minute()
        if model.is_over or model.missed == OVERS:
            break
    return sorted(model.happened)


class Lived:
    """A history as the bot's service lives through it."""

    def __init__(self, store: Store, told: History) -> None:
        self.clock, self.told, known = Time(60.0 * told.begins), told, seeds()
        games = {"bouncers": RoundsGame()}
        self.core = Core(store, parts=PARTS, now=self.clock, entropy=lambda _: next(known), games=games, earlier=())
        self.happened: Happened = []
        self.delays = iter(told.delays)
        self.stands: int | None = None
        self.turn = 0
        self.is_over = False

    @property
    def now(self) -> int:
        return round(self.clock.now / 60)

    async def begin(self) -> None:
        store = self.core.store
        async with store.write() as writer:
            await writer.execute(outbox.delete())
            await writer.execute(tables.update().values(status=Status.FINISHED, deadline=None, notice_at=None))
            for number, (zone, (begins, ends)) in self.told.people.items():
                settings = {"zone": zone, "quiet_from": begins, "quiet_until": ends}
                await queries.people.put(writer, Person(user_id=number, settings=settings))
        first, *others = [User(number, f"P{number}") for number in self.told.people]
        request = replace(BOUNCERS, seats=len(others) + 1, clock=60 * self.told.clock, strict=self.told.strict)
        opened = await self.core.service(Lobby).open(first, request)
        self.table_id = opened.table.id
        for user in others:
            await self.core.service(Lobby).join(self.table_id, user, self.press_id(0))
        await self.look()

    def press_id(self, ago: int) -> int:
        """The id of an interaction from so many minutes ago."""
        return ((round((self.clock.now - 60 * ago) * 1000) - DISCORD_EPOCH) << EPOCH_BITS) + next(PRESSES)

    async def look(self) -> None:
        """Record what happened since the last look: reminders, and turns whose messages are still to be posted."""
        async with self.core.store.write() as writer:
            for job in await queries.jobs.due(writer, self.clock.now + 60.0 * 30 * DAY):
                if job.kind is JobKind.REMINDER:
                    due = round(max(job.due, self.clock.now) / 60)
                    self.happened.append((due, job.payload["which"], job.payload["user"]))
            await writer.execute(outbox.delete())
        table = (await self.core.snapshot(self.table_id)).table
        if table.turn != self.turn:
            self.turn, self.stands = table.turn, self.now + next(self.delays)
        await self.post()

    async def post(self) -> None:
        if self.stands is not None and self.stands <= self.now:
            self.stands = None
            table = (await self.core.snapshot(self.table_id)).table
            await self.core.service(Outbox).record_board(self.table_id, board_of(table, self.clock.now))

    async def sweep(self, until: int) -> None:
        """The clock does what is due before a minute."""
        while not self.is_over and self.now < until:
            due = await self.core.service(Timing).next_due()
            post = self.stands
            if post is not None and post < until and (due is None or 60 * post <= due):
                self.clock.now = max(self.clock.now, 60.0 * post)
                await self.post()
                continue
            if due is None or due >= 60 * until:
                return
            self.clock.now = max(self.clock.now, due)
            before = await self.core.snapshot(self.table_id)
            await self.core.service(Timing).sweep()
            after = await self.core.snapshot(self.table_id)
            played = any(logged.entry.user_id is None for logged in after.playing.log[before.playing.version :])
            if played or (after.table.grace is Grace.RUNNING and before.table.grace is not Grace.RUNNING):
                self.happened.append((self.now, "over", 0))
            self.is_over = (
                after.table.status is not Status.PLAYING or sum(what == "over" for _, what, _ in self.happened) == OVERS
            )
            await self.look()

    async def act(self, what: str, who: int, how: Any) -> None:
        core, person = self.core, User(who, f"P{who}")
        snapshot = await core.snapshot(self.table_id)
        match what:
            case "press" if who in {player.user_id for player in snapshot.awaited}:
                try:
                    await core.service(Play).act(self.table_id, person, "go", interaction_id=self.press_id(how))
                except WrongStage:
                    self.happened.append((self.now, "refused", who))
                else:
                    self.happened.append((self.now, "taken", who))
                await self.look()
            case "gap":
                since = self.clock.now
                self.clock.pass_(60.0 * how)
                mend = outages.give_back if how > 5 else outages.bridge
                async with core.store.write() as writer:
                    await mend(core, writer, since, self.clock.now)
                await self.post()
            case "away" if await self.back(who) <= self.clock.now:
                await core.service(Users).begin_vacation(who, how)
            case "back" if await self.back(who) > self.clock.now:
                await core.service(Users).end_vacation(who)
            case "settings":
                zone, (begins, ends) = how
                await core.service(Users).change(who, zone=zone, quiet_from=begins, quiet_until=ends)
        ends = ends_at((await core.snapshot(self.table_id)).table)
        assert ends is not None
        self.happened.append((self.now, "ends", round(ends / 60)))

    async def back(self, who: int) -> float:
        async with self.core.store.read() as reader:
            return (await queries.people.get(reader, who)).vacation_until or 0.0


def board_of(table: Table, now: float) -> Posted:
    return Posted(
        channel_id=20, message_id=1000 + table.turn, version=table.version, since=0, turn=table.turn, at=now
    )  # fmt: skip


async def by_bot(store: Store, told: History) -> Happened:
    lived = Lived(store, told)
    await lived.begin()
    for minute, what, who, how in told.events:
        await lived.sweep(min(minute, told.ends))
        if lived.is_over or minute >= told.ends:
            break
        lived.clock.now = 60.0 * minute
        await lived.post()
        await lived.act(what, who, how)
    await lived.sweep(told.ends)
    return sorted(lived.happened)
