"""The repository behind all tables: reads them from the store, caches rebuilt games, and writes changes."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import structlog

from bot import metrics
from bot.sessions.cache import HistoryCache
from bot.sessions.computer_players import is_computer
from bot.sessions.errors import NoSuchTable, SessionError, SetAside
from bot.sessions.history import BrokenLog, History, begin, rebuild
from bot.sessions.options import misfits, rules_for
from bot.sessions.snapshot import Snapshot
from bot.sessions.unsound import Unsound, judged
from engines import EARLIER, GAMES
from engines.game import Game
from engines.text import say
from storage.records import Departure, Entry, Job, JobKind, Seat, Table
from storage.store import Reader, Store, Writer

FEW_ENTRIES: Final = 4
"""How many entries of a log are played at once where they are read; more are replayed in a worker thread."""


log = structlog.get_logger(__name__)


class Repository:
    """The access to tables that all parts of the service share.

    Args:
        store: the database.
        now: returns the current time, in seconds since the epoch.
        entropy: returns random bytes from the operating system, from which seeds are made.
        games: the games that can be played, by id.
        earlier: versions of them with other rules, by which games that began so are played on.
        histories: the cache of rebuilt games, where several services share one; None: this one has its own.

    Attributes:
        time_counts: returns whether time counts against players at present, which it does not while the bot has lost Discord.
        on_set_aside: called after a table has been set aside, which its players have then to be told.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        entropy: Callable[[int], bytes] = os.urandom,
        games: Mapping[str, Game[Any, Any]] = GAMES,
        earlier: Collection[Game[Any, Any]] = EARLIER,
        histories: HistoryCache | None = None,
    ) -> None:
        self.store = store
        self.now = now
        self.entropy = entropy
        self.games = games
        self._earlier = earlier
        self.time_counts: Callable[[], bool] = _always
        self._listeners: list[Callable[[float], None]] = []
        self.on_set_aside: Callable[[], None] = _ignore_change
        self._histories = HistoryCache() if histories is None else histories

    def listen(self, listener: Callable[[float], None]) -> None:
        """Have `listener` called by `on_change`, too."""
        self._listeners.append(listener)

    def on_change(self, moment: float) -> None:
        """Tell the listeners of a change by which something may be due earlier than before.

        `moment` is the earliest one at which that may be, in seconds since the epoch; 0.0: perhaps now.
        """
        for listener in self._listeners:
            listener(moment)

    async def snapshot(self, table_id: int, guild_id: int | None = None, asked_by: int | None = None) -> Snapshot:
        """The current state of a table, with the settings of the user who asks.

        Raises NoSuchTable, also for a table of a server other than `guild_id`; SetAside if it cannot be read.
        """
        async with self.quarantining(table_id, guild_id):
            return await self._snapshot(table_id, guild_id, asked_by)

    async def _snapshot(self, table_id: int, guild_id: int | None, asked_by: int | None = None) -> Snapshot:
        known = self._histories.get(table_id)
        while True:
            async with self.store.read() as reader:
                snapshot = await self._load(reader, table_id, guild_id, known, asked_by)
            if snapshot is not None:
                return snapshot
            known = await self._caught_up(table_id, known)

    async def outline(self, table_id: int, guild_id: int | None = None, asked_by: int | None = None) -> Snapshot:
        """A table with its people and the settings of who asks, but without its game. Raises what `snapshot` raises."""
        async with self.quarantining(table_id, guild_id), self.store.read() as reader:
            return await self.outline_from(reader, table_id, guild_id, asked_by)

    @asynccontextmanager
    async def table(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[tuple[Writer, Snapshot]]:
        """A table and a transaction to change it: committed if the block ends normally, otherwise rolled back.

        Raises NoSuchTable, also for a table of a server other than `guild_id`; SetAside if it cannot be read.
        """
        try:
            async with self._table(table_id, guild_id) as (writer, snapshot):
                yield writer, snapshot
        except Unsound as error:
            raise await self.put_aside(error, guild_id) from error
        for entry in writer.appended:
            metrics.ACTIONS.labels(snapshot.table.game, _actor(entry)).inc()
        if writer.soonest is not None:
            self.on_change(writer.soonest)

    @asynccontextmanager
    async def _table(self, table_id: int, guild_id: int | None) -> AsyncIterator[tuple[Writer, Snapshot]]:
        known = self._histories.get(table_id)
        if known is None:
            # A long log is replayed before the single writer is taken, not while it is held.
            known = await self._replayed(table_id)
        while True:
            async with self.store.write() as writer:
                snapshot = await self._load(writer, table_id, guild_id, known)
                if snapshot is not None:
                    yield writer, snapshot
                    break
            known = await self._caught_up(table_id, known)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Reader]:
        """A snapshot of the database. What lists in it leave out because it cannot be read is set aside afterwards."""
        async with self.store.read() as reader:
            yield reader
        for error in reader.unreadable:
            if error.kind is Job and error.row_id is not None:
                log.error("a job cannot be read and is not done; `springboard check` says more", reason=str(error))
                async with self.store.write() as writer:
                    await writer.bury_job(error.row_id)
            elif error.kind in {Table, Seat, Departure} and error.table_id is not None:
                await self.put_aside(Unsound(error.table_id, str(error)))

    @asynccontextmanager
    async def quarantining(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[None]:
        """Set a table aside if the block, which only reads it, finds that it cannot be read; raises SetAside then."""
        try:
            with judged(table_id):
                yield
        except Unsound as error:
            raise await self.put_aside(error, guild_id) from error

    async def put_aside(self, error: Unsound, guild_id: int | None = None) -> SessionError:
        """Set a table aside, unless it is. Returns the error for whoever wanted something there."""
        table_id = error.table_id
        async with self.store.read() as reader:
            there = await reader.whereabouts(table_id)
        if there is not None and there.reason is None:
            async with self.store.write() as writer:
                if await writer.put_aside(table_id, error.reason) and not there.over:
                    await self.enqueue(writer, table_id, JobKind.SET_ASIDE)
                count = len(await writer.set_aside())
            self.on_set_aside()
            log.warning("table set aside; `springboard check` says more", table=table_id, reason=error.reason, count=count)
            self.on_change(0.0)
            self._histories.drop(table_id)
        if there is None or (guild_id is not None and there.guild_id != guild_id):
            return NoSuchTable(say("There’s no table #{n} here.", n=table_id))
        return SetAside(table_id, there.known if there.private else None)

    async def check_rules(self, table: Table) -> bool:
        """Set a table aside if this program does not have its rules, or not what it has chosen of them; False if so."""
        try:
            with judged(table.id):
                self._require_rules(table)
        except Unsound as error:
            await self.put_aside(error)
            return False
        return True

    def _require_rules(self, table: Table) -> None:
        """Raise UnknownRules or BrokenLog if a table cannot be played by the rules that this program has."""
        for misfit in misfits(self.rules_of(table), table):
            raise BrokenLog(misfit)

    async def glimpse(self, reader: Reader, table_id: int, asked_by: int | None = None) -> Snapshot | None:
        """A table as this reader sees it; None if its log has to be replayed first, or it cannot be read: see `snapshot`."""
        try:
            return await self._load(reader, table_id, None, self._histories.get(table_id), asked_by)
        except (NoSuchTable, Unsound):
            return None

    async def load(self, reader: Reader, table_id: int, guild_id: int | None = None) -> Snapshot:
        """A table as this reader sees it. Raises NoSuchTable, or Unsound if it cannot be read.

        For several tables in one transaction. Call `snapshot` before, or a long log is replayed while the transaction is open.
        """
        snapshot = await self._load(reader, table_id, guild_id, self._histories.get(table_id))
        if snapshot is not None:
            return snapshot
        with judged(table_id):
            history = await self._rebuilt(*await _rows(reader, table_id))
        snapshot = await self._load(reader, table_id, guild_id, history)
        assert snapshot is not None, "both are of the same moment"
        return snapshot

    async def _load(
        self, reader: Reader, table_id: int, guild_id: int | None, known: History | None, asked_by: int | None = None
    ) -> Snapshot | None:
        """A table as this reader sees it, or None if its log first has to be replayed, which takes too long for a transaction.

        `known` is the game as it was at some time, as a rule at this one. Raises NoSuchTable, Unsound.
        """
        with judged(table_id):
            snapshot = await self.outline_from(reader, table_id, guild_id, asked_by)
            return await self._with_game(reader, snapshot, known)

    async def _with_game(self, reader: Reader, snapshot: Snapshot, known: History | None) -> Snapshot | None:
        table = snapshot.table
        if not table.begun:
            return snapshot
        if len(snapshot.players) != table.wanted:
            raise BrokenLog(say("it has {n} players, but {wanted} seats", n=len(snapshot.players), wanted=table.wanted))
        history = await self._continued(reader, table, known)
        if history is None:
            return None
        snapshot = replace(snapshot, history=history)
        return self.with_vacations(snapshot)

    def with_vacations(self, snapshot: Snapshot) -> Snapshot:
        """A table with those who are away, of the people that it is waiting for."""
        now = self.now()
        ends = {user_id: person.vacation_until or 0.0 for user_id, person in snapshot.known.items()}
        gone = {user_id: until for user_id, until in ends.items() if until > now}
        there = snapshot.awaited if gone else ()
        away = tuple((player.user_id, gone[player.user_id]) for player in there if player.user_id in gone)
        return snapshot if away == snapshot.away else replace(snapshot, away=away)

    async def outline_from(self, reader: Reader, table_id: int, guild_id: int | None, asked_by: int | None = None) -> Snapshot:
        """A table as this reader sees it, without its game. Raises NoSuchTable, or an error that `judged` knows."""
        found = await reader.gathering(table_id, asked_by)
        if found is None or (guild_id is not None and found.table.guild_id != guild_id):
            raise NoSuchTable(say("There’s no table #{n} here.", n=table_id))
        if found.table.set_aside is not None:
            raise Unsound(table_id, found.table.set_aside)
        self._require_rules(found.table)
        known = {person.user_id: person for person in found.people}
        return Snapshot(
            found.table, found.seats, departures=found.departures, server=found.server, known=known, watches=found.watches,
            plans=found.plans,
        )  # fmt: skip

    async def _continued(self, reader: Reader, table: Table, known: History | None) -> History | None:
        """The game as this reader sees it, from the known one and the few entries since; None if that is not possible."""
        if known is None or known.version == table.version:
            return known
        if known.version > table.version:
            # Usually the reader is older than the game. If it sees the entries too, the table itself says too little.
            return known if await reader.entries(table.id, after=known.version - 1) else None
        entries = await reader.entries(table.id, after=known.version)
        if len(entries) > FEW_ENTRIES:
            return None
        for entry in entries:
            known = known.extended(entry)
        self.keep(table.id, known)
        return known

    async def _caught_up(self, table_id: int, known: History | None) -> History | None:
        """A newer game than the known one: what somebody else has replayed in the meantime, else replayed now."""
        newer = self._histories.get(table_id)
        return newer if newer is not None and newer is not known else await self._replayed(table_id)

    async def _replayed(self, table_id: int) -> History | None:
        """The game of a table, replayed from its log without a connection to the database being held."""

        async def replay() -> History | None:
            async with self.store.read() as reader:
                rows = await _rows(reader, table_id)
            return await self._rebuilt(*rows)

        with judged(table_id):
            return await self._histories.replayed(table_id, replay)

    async def _rebuilt(self, table: Table | None, people: Sequence[Seat], entries: Sequence[Entry]) -> History | None:
        """The game that these rows tell of, a long one replayed in a worker thread; None if there is none (yet)."""
        if table is None or not table.begun or table.set_aside is not None:
            return None
        game, seats = self.rules_of(table), len(Snapshot(table, tuple(people)).players)
        if len(entries) <= FEW_ENTRIES:
            return rebuild(game, table, seats, entries)
        return await asyncio.to_thread(rebuild, game, table, seats, entries)

    def keep(self, table_id: int, history: History) -> None:
        """Cache a rebuilt game. It must have been committed, or just been read."""
        self._histories.keep(table_id, history)

    def drop(self, table_id: int) -> None:
        """Take a rebuilt game out of memory. It is rebuilt when it is needed again."""
        self._histories.drop(table_id)

    def begin(self, table: Table, seats: int) -> History:
        """The history of a game that starts now."""
        return begin(self.rules_of(table), table, seats)

    def rules_of(self, table: Table) -> Game[Any, Any]:
        """The rules that a table is played by, until its game begins the present ones. Raises UnknownRules."""
        return rules_for(table, self.games, self._earlier)

    async def append(self, writer: Writer, history: History, entry: Entry) -> History:
        """Append an entry to the log of a game, as a link of its hash chain. Returns the history with it.

        Raises BrokenLog if the rules reject it. What `Writer.append` raises comes with the end of the transaction, or before.
        """
        longer = history.appended(entry)
        await writer.append_later(longer.log[-1].entry)
        return longer

    async def enqueue(self, writer: Writer, table_id: int, kind: JobKind, key: str = "", **payload: Any) -> None:
        """Put a job into the outbox, in the same transaction as the change that it is to show."""
        now = self.now()
        await writer.enqueue_later(Job(table_id=table_id, kind=kind, key=key, payload=payload, due=now, created_at=now))


def _actor(entry: Entry) -> str:
    """Who has made an entry, as far as it is counted: a person, a computer, or the clock."""
    if entry.user_id is None:
        return "clock"
    return "computer" if is_computer(entry.user_id) else "person"


async def _rows(reader: Reader, table_id: int) -> tuple[Table | None, tuple[Seat, ...], tuple[Entry, ...]]:
    """All that a game is rebuilt from."""
    found = await reader.gathering(table_id)
    return (None, (), ()) if found is None else (found.table, found.seats, await reader.entries(table_id))


def _ignore_change() -> None:
    """The listener for tables that are set aside until another one is set."""


def _always() -> bool:
    """Time counts until somebody keeps an eye on it; see `bot.sessions.heartbeats`."""
    return True
