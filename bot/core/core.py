"""The core reads tables from the store, caches rebuilt games, and holds the services that change them.

Every change is one transaction. It writes the log entry, the columns of the table, and the jobs that tell Discord; see
`bot.core.change`.
"""

import asyncio
import math
import os
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, TypeVar, cast

import structlog

from bot.core.budget import Budget
from bot.core.parts import Part, Parts
from bot.core.shares import Shares
from bot.core.table.audience import Audience, Everybody
from bot.core.table.discord_clock import DiscordClock
from bot.core.table.errors import NoSuchTable, Quarantined, SessionError
from bot.core.table.history import BrokenLog, History, HistoryCache, begin, history_cache, rebuild
from bot.core.table.options import misfits, rules_for
from bot.core.table.snapshot import Snapshot
from engines import EARLIER, GAMES, UnknownRules
from engines.game import Game
from engines.text import say
from storage import queries
from storage.schema.errors import UnreadableRow
from storage.schema.records import Departure, Entry, Job, JobKind, Seat, Status, Table
from storage.store import Reader, Store, Writer

FEW_ENTRIES: Final = 4
"""The most log entries that are replayed in the event loop. Longer logs are replayed in a worker thread."""


MOST_TURNS: Final = 2**31
"""More turns than any game can have. A number this high must be damaged, and counting on from it would overflow."""

Service = TypeVar("Service")

log = structlog.get_logger(__name__)


class CorruptTable(Exception):
    """A table that is permanently unreadable, or whose log breaks the rules. `reason` is in English, for the operator."""

    def __init__(self, table_id: int, reason: str) -> None:
        super().__init__(f"table {table_id}: {reason}")
        self.table_id = table_id
        self.reason = reason


@contextmanager
def detecting_corruption(table_id: int) -> Iterator[None]:
    """Turn errors that show a table itself to be broken into `CorruptTable`. Others, such as a lost database, pass through."""
    try:
        yield
    except (BrokenLog, UnknownRules) as error:
        raise CorruptTable(table_id, str(error.args[0])) from error
    except UnreadableRow as error:
        raise CorruptTable(table_id, str(error)) from error


class Work(Enum):
    """The kinds of work that a change may make due.

    Attributes:
        TABLES: deadlines, reminders, and computers that have to play.
        OUTBOX: jobs that do not come from a click.
        REVIEWS: finished games to be reviewed.
    """

    TABLES = "tables"
    OUTBOX = "outbox"
    REVIEWS = "reviews"


@dataclass(frozen=True, slots=True)
class CountedTime:
    """The span in which players' clocks run, from `before` seconds before the heartbeat `at` to `after` seconds after it."""

    at: float
    before: float
    after: float

    def includes(self, moment: float) -> bool:
        """Whether players' clocks run at `moment`, in seconds since the epoch."""
        return -self.before <= moment - self.at <= self.after


ALWAYS: Final = CountedTime(0.0, math.inf, math.inf)
"""The span of a bot that keeps no heartbeats: players' clocks always run."""

NEVER: Final = CountedTime(0.0, -math.inf, -math.inf)
"""An empty span: players' clocks stand still until the next heartbeat."""


class Core:
    """The tables of the bot, or of one of its shards, and the services that act on them.

    Args:
        now: returns the current time, in seconds since the epoch.
        entropy: returns random bytes from the operating system, for seeds.
        earlier: games with earlier versions of their rules, under which games already begun go on.
        histories: a cache of rebuilt games shared between cores, or None to have one of its own.
        name: the name under which heartbeats are recorded, such as "shard 3 of 12".

    Attributes:
        counting: when players' clocks run. They stand still while the bot has lost Discord.
        histories: the cache of rebuilt games. Each of them is committed, or was just read.
        discord: Discord's clock, which tells when buttons were pressed and commands sent.
        audience: who is on a server, and who can see its places.
        budget: the queue of heavy work.
        shares: the threads that compute for people.
    """

    def __init__(
        self,
        store: Store,
        *,
        parts: Sequence[Part],
        now: Callable[[], float],
        entropy: Callable[[int], bytes] = os.urandom,
        games: Mapping[str, Game[Any, Any]] = GAMES,
        earlier: Collection[Game[Any, Any]] = EARLIER,
        histories: HistoryCache | None = None,
        name: str = "main",
    ) -> None:
        self.store = store
        self.parts = Parts(parts)
        self.name = name
        self._clock = now
        self.entropy = entropy
        self.games = games
        self._earlier = earlier
        self.counting = ALWAYS
        self.discord = DiscordClock(self.now)
        self.audience: Audience = Everybody()
        self.budget = Budget()
        self.shares = Shares()
        self._services: dict[Callable[[Core], Any], Any] = {}
        self._listeners: dict[Work, list[Callable[[float], None]]] = {work: [] for work in Work}
        self.histories = history_cache() if histories is None else histories
        store.on_failover(self.histories.clear)

    def now(self) -> float:
        """Return the current time, in seconds since the epoch."""
        return self._clock()

    def service(self, kind: Callable[["Core"], Service]) -> Service:
        """Return the only instance of a service, such as `core.service(Lobby)`. It is created on first use."""
        if (service := self._services.get(kind)) is None:
            service = self._services[kind] = kind(self)
        return cast("Service", service)

    def time_counts(self) -> bool:
        """Whether time counts against players now."""
        return self.counting.includes(self.now())

    def listen(self, listener: Callable[[float], None], work: Work = Work.TABLES) -> None:
        """Have `on_change` call `listener` for this kind of work."""
        self._listeners[work].append(listener)

    def on_change(self, moment: float, work: Work = Work.TABLES) -> None:
        """Tell listeners that work may be due from `moment` on, in seconds since the epoch, or perhaps now if it is 0.0."""
        for listener in self._listeners[work]:
            listener(moment)

    async def snapshot(self, table_id: int, guild_id: int | None = None, asked_by: int | None = None) -> Snapshot:
        """Return a table, with the settings of `asked_by`. Raises NoSuchTable (also on another server) or Quarantined."""
        async with self.quarantining(table_id, guild_id):
            return await self._snapshot(table_id, guild_id, asked_by)

    async def _snapshot(self, table_id: int, guild_id: int | None, asked_by: int | None = None) -> Snapshot:
        known = self.histories.get(table_id)
        while True:
            async with self.store.read() as reader:
                snapshot = await self._load(reader, table_id, guild_id, known, asked_by)
            if snapshot is not None:
                return snapshot
            known = await self._catch_up(table_id, known)

    async def tables(
        self,
        *,
        guild_id: int,
        channel_id: int | None = None,
        user_id: int | None = None,
        statuses: Collection[Status] = (Status.OPEN, Status.PLAYING),
        game: str | None = None,
        limit: int = 25,
    ) -> tuple[Table, ...]:
        """Return tables of a server, newest first. `storage.queries.tables.find` explains the arguments."""
        async with self.reading() as reader:
            return await queries.tables.find(
                reader, guild_id=guild_id, channel_id=channel_id, user_id=user_id, statuses=statuses, game=game, limit=limit
            )

    async def summary(self, table_id: int, guild_id: int | None = None, asked_by: int | None = None) -> Snapshot:
        """Return a table with its people and the settings of `asked_by`, but without its game. Raises as `snapshot` does."""
        async with self.quarantining(table_id, guild_id), self.store.read() as reader:
            return await self.read_summary(reader, table_id, guild_id, asked_by)

    @asynccontextmanager
    async def table(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[tuple[Writer, Snapshot]]:
        """Yield a transaction and a table, only for `bot.core.change.changing`. Raises NoSuchTable or CorruptTable."""
        known = self.histories.get(table_id)
        if known is None:
            # A long log is replayed before the single writer is taken, not while it is held.
            known = await self._replay(table_id)
        while True:
            async with self.store.write() as writer:
                snapshot = await self._load(writer, table_id, guild_id, known)
                if snapshot is not None:
                    yield writer, snapshot
                    break
            known = await self._catch_up(table_id, known)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Reader]:
        """Yield a consistent view of the database. Unreadable rows that lists have skipped go into quarantine afterwards."""
        async with self.store.read() as reader:
            yield reader
        for error in reader.unreadable:
            if error.kind is Job and error.row_id is not None:
                log.error("a job cannot be read and is not done; `springboard check` says more", reason=str(error))
                async with self.store.write() as writer:
                    await queries.quarantine.bury_job(writer, error.row_id)
            elif error.kind in {Table, Seat, Departure} and error.table_id is not None:
                await self.put_in_quarantine(CorruptTable(error.table_id, str(error)))

    @asynccontextmanager
    async def quarantining(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[None]:
        """Quarantine a table if the block finds it corrupt, and raise Quarantined. The block may only read the table."""
        try:
            with detecting_corruption(table_id):
                yield
        except CorruptTable as error:
            raise await self.put_in_quarantine(error, guild_id) from error

    async def put_in_quarantine(self, error: CorruptTable, guild_id: int | None = None) -> SessionError:
        """Quarantine a table, unless it is there already. Returns the error to show to a user who asked for the table."""
        table_id = error.table_id
        async with self.store.read() as reader:
            there = await queries.quarantine.whereabouts(reader, table_id)
        if there is not None and there.reason is None:
            async with self.store.write() as writer:
                if await queries.quarantine.put(writer, table_id, error.reason) and not there.over:
                    await self.enqueue(writer, table_id, JobKind.SET_ASIDE)
                count = len(await queries.quarantine.find(writer))
            self.on_change(0.0, Work.OUTBOX)
            log.warning("table set aside; `springboard check` says more", table=table_id, reason=error.reason, count=count)
            self.on_change(0.0)
            self.histories.drop(table_id)
        if there is None or (guild_id is not None and there.guild_id != guild_id):
            return NoSuchTable(table_id)
        return Quarantined(table_id, there.known if there.private else None)

    async def check_rules(self, table: Table) -> bool:
        """Return False, and quarantine the table, if this program lacks the table's rules, its variant or its options."""
        try:
            with detecting_corruption(table.id):
                for misfit in misfits(self.rules_of(table), table):
                    raise BrokenLog(misfit)
        except CorruptTable as error:
            await self.put_in_quarantine(error)
            return False
        return True

    async def load_at_once(self, reader: Reader, table_id: int, asked_by: int | None = None) -> Snapshot | None:
        """Return a table as `reader` sees it, or None if it is missing or corrupt, or only `snapshot` can replay its log."""
        try:
            return await self._load(reader, table_id, None, self.histories.get(table_id), asked_by)
        except (NoSuchTable, CorruptTable):
            return None

    async def load(self, reader: Reader, table_id: int, guild_id: int | None = None) -> Snapshot:
        """Return a table as `reader` sees it. Call `snapshot` first, or a long log is replayed here. Raises as `_load` does."""
        snapshot = await self._load(reader, table_id, guild_id, self.histories.get(table_id))
        if snapshot is not None:
            return snapshot
        with detecting_corruption(table_id):
            history = await self._rebuild(*await _rows(reader, table_id))
        snapshot = await self._load(reader, table_id, guild_id, history)
        assert snapshot is not None, "both are of the same moment"
        return snapshot

    async def _load(
        self, reader: Reader, table_id: int, guild_id: int | None, known: History | None, asked_by: int | None = None
    ) -> Snapshot | None:
        """Return a table, or None if its log must be replayed first, which takes too long for a transaction."""
        with detecting_corruption(table_id):
            snapshot = await self.read_summary(reader, table_id, guild_id, asked_by)
            table, players = snapshot.table, len(snapshot.players)
            if not table.begun:
                return snapshot
            if players != table.wanted:
                raise BrokenLog(say("it has {n} players, but {wanted} seats", n=players, wanted=table.wanted))
            history = await self._continue(reader, table, known)
            if history is None:
                return None
            counted = table if table.version == history.version else replace(table, version=history.version)  # the log is right
            return self.with_vacations(replace(snapshot, table=counted, history=history))

    def on_vacation(self, snapshot: Snapshot) -> Mapping[int, float]:
        """Return when the vacations of the table's people end, by user id, in seconds since the epoch."""
        now = self.now()
        ends = {user_id: person.vacation_until or 0.0 for user_id, person in snapshot.known.items()}
        return {user_id: until for user_id, until in ends.items() if until > now}

    def with_vacations(self, snapshot: Snapshot) -> Snapshot:
        """Return the table with `away` filled in for the people it waits for."""
        gone = self.on_vacation(snapshot)
        there = snapshot.awaited if gone else ()
        away = tuple((player.user_id, gone[player.user_id]) for player in there if player.user_id in gone)
        return snapshot if away == snapshot.away else replace(snapshot, away=away)

    async def read_summary(self, reader: Reader, table_id: int, guild_id: int | None, asked_by: int | None = None) -> Snapshot:
        """Return a table without its game. Raises NoSuchTable, or an error that `detecting_corruption` recognizes."""
        found = await queries.tables.get_joined(reader, table_id, asked_by)
        if found is None or (guild_id is not None and found.table.guild_id != guild_id):
            raise NoSuchTable(table_id)
        if found.table.set_aside is not None:
            raise CorruptTable(table_id, found.table.set_aside)
        if found.table.turn >= MOST_TURNS:
            raise CorruptTable(table_id, f"turn={found.table.turn}")
        for misfit in misfits(self.rules_of(found.table), found.table):
            raise BrokenLog(misfit)
        known = {person.user_id: person for person in found.people}
        return Snapshot(
            found.table, found.seats, departures=found.departures, server=found.server, known=known, watches=found.watches,
            plans=found.plans,
        )  # fmt: skip

    async def _continue(self, reader: Reader, table: Table, known: History | None) -> History | None:
        """Return the game as `reader` sees it, by adding a few newer entries to `known`, or None if this cannot be done."""
        if known is None or known.version == table.version:
            return known
        if known.version > table.version:
            # Usually the reader is older than the game. If it sees the entries too, the table itself says too little.
            return known if await queries.entries.of_table(reader, table.id, after=known.version - 1) else None
        entries = await queries.entries.of_table(reader, table.id, after=known.version)
        if len(entries) > FEW_ENTRIES:
            return None
        for entry in entries:
            known = known.with_entry(entry)
        self.histories.keep(table.id, known)
        return known

    async def _catch_up(self, table_id: int, known: History | None) -> History | None:
        """Return a newer game than `known`, from the cache or by replaying the log."""
        newer = self.histories.get(table_id)
        return newer if newer is not None and newer is not known else await self._replay(table_id)

    async def _replay(self, table_id: int) -> History | None:
        """Replay a game from its log. No database connection is held while the game is replayed."""

        async def replay() -> History | None:
            async with self.store.read() as reader:
                rows = await _rows(reader, table_id)
            return await self._rebuild(*rows)

        with detecting_corruption(table_id):
            return await self.histories.load(table_id, replay)

    async def _rebuild(self, table: Table | None, people: Sequence[Seat], entries: Sequence[Entry]) -> History | None:
        """Rebuild a game from its rows, in a worker thread if it is long. Returns None if the game has not begun."""
        if table is None or not table.begun or table.set_aside is not None:
            return None
        game, seats = self.rules_of(table), len(Snapshot(table, tuple(people)).players)
        if len(entries) <= FEW_ENTRIES:
            return rebuild(game, table, seats, entries)
        return await asyncio.to_thread(rebuild, game, table, seats, entries)

    def begin(self, table: Table, seats: int) -> History:
        """Return the history of a game that starts now."""
        return begin(self.rules_of(table), table, seats)

    def rules_of(self, table: Table) -> Game[Any, Any]:
        """Return the rules that a table is played by, which are the current ones until its game begins. Raises UnknownRules."""
        return rules_for(table, self.games, self._earlier)

    async def enqueue(self, writer: Writer, table_id: int, kind: JobKind, key: str = "", **payload: Any) -> None:
        """Put a job into the outbox, in the transaction of the change that it shows."""
        now = self.now()
        await queries.jobs.enqueue_later(
            writer, Job(table_id=table_id, kind=kind, key=key, payload=payload, due=now, created_at=now)
        )


async def _rows(reader: Reader, table_id: int) -> tuple[Table | None, tuple[Seat, ...], tuple[Entry, ...]]:
    found = await queries.tables.get_joined(reader, table_id)
    return (None, (), ()) if found is None else (found.table, found.seats, await queries.entries.of_table(reader, table_id))
