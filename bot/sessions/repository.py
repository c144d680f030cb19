"""The repository behind all tables: reads them from the store, caches rebuilt games, and writes changes."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from bot.sessions.errors import NoSuchTable
from bot.sessions.history import History, begin, rebuild
from bot.sessions.snapshot import Snapshot
from engines import GAMES
from engines.game import Game
from engines.text import say
from storage.records import Job, JobKind, Table
from storage.store import Reader, Store, Writer

CACHE_SIZE: Final = 512
"""How many rebuilt games are kept in memory. Each can be rebuilt from its log at any time."""


class Repository:
    """The access to tables that all parts of the service share.

    Args:
        store: the database.
        now: returns the current time, in seconds since the epoch.
        entropy: returns random bytes from the operating system, from which seeds are made.
        games: the games that can be played, by id.

    Attributes:
        on_change: called without arguments after every change to a table; the clock then checks whether something is due
            earlier.
    """

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], float],
        entropy: Callable[[int], bytes] = os.urandom,
        games: Mapping[str, Game[Any, Any]] = GAMES,
    ) -> None:
        self.store = store
        self.now = now
        self.entropy = entropy
        self.games = games
        self.on_change: Callable[[], None] = _ignore_change
        self._histories: OrderedDict[int, History] = OrderedDict()

    async def snapshot(self, table_id: int, guild_id: int | None = None) -> Snapshot:
        """The current state of a table. Raises NoSuchTable, also for a table of a server other than `guild_id`."""
        async with self.store.read() as reader:
            return await self.load(reader, table_id, guild_id)

    @asynccontextmanager
    async def table(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[tuple[Writer, Snapshot]]:
        """A table and a transaction to change it: committed if the block ends normally, otherwise rolled back.

        Raises NoSuchTable, also for a table of a server other than `guild_id`.
        """
        if table_id not in self._histories:
            # A long log is replayed before the single writer is taken, not while it is held.
            await self.snapshot(table_id, guild_id)
        async with self.store.write() as writer:
            yield writer, await self.load(writer, table_id, guild_id)
        self.on_change()

    async def load(self, reader: Reader, table_id: int, guild_id: int | None = None) -> Snapshot:
        """A table as this reader sees it. Raises NoSuchTable."""
        table = await reader.table(table_id)
        if table is None or (guild_id is not None and table.guild_id != guild_id):
            raise NoSuchTable(say("There is no table #{n} here.", n=table_id))
        people = await reader.seats(table_id)
        snapshot = Snapshot(table, people)
        if table.seed is None:
            return snapshot
        snapshot = replace(snapshot, history=await self._history(reader, snapshot))
        away = []
        for player in snapshot.awaited:
            until = (await reader.person(player.user_id)).vacation_until
            if until is not None and until > self.now():
                away.append((player.user_id, until))
        return replace(snapshot, away=tuple(away))

    async def _history(self, reader: Reader, snapshot: Snapshot) -> History:
        table = snapshot.table
        known = self._histories.get(table.id)
        if known is not None and known.version <= table.version:
            self._histories.move_to_end(table.id)
            if known.version == table.version:
                return known
            entries = await reader.entries(table.id, after=known.version)
            for entry in entries:
                known = known.extended(entry)
        else:
            entries = await reader.entries(table.id)
            game = self.games[table.game]
            known = await asyncio.to_thread(rebuild, game, table, len(snapshot.players), entries)
        self.keep(table.id, known)
        return known

    def keep(self, table_id: int, history: History) -> None:
        """Cache a rebuilt game. It must have been committed, or just been read."""
        self._histories[table_id] = history
        self._histories.move_to_end(table_id)
        while len(self._histories) > CACHE_SIZE:
            self._histories.popitem(last=False)

    def begin(self, table: Table, seats: int) -> History:
        """The history of a game that starts now."""
        return begin(self.games[table.game], table, seats)

    async def enqueue(self, writer: Writer, table_id: int, kind: JobKind, key: str = "", **payload: Any) -> None:
        """Put a job into the outbox, in the same transaction as the change that it is to show."""
        now = self.now()
        await writer.enqueue(Job(table_id=table_id, kind=kind, key=key, payload=payload, due=now, created_at=now))


def _ignore_change() -> None:
    """The listener for changes until another one is set."""
