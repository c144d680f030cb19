"""The repository behind all tables: reads them from the store, keeps rebuilt games at hand, and writes what was decided."""

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
"""How many rebuilt games are kept in memory. They can all be made again from their logs."""


class Repository:
    """What the parts of the service share.

    Args:
        store: where everything is kept.
        now: the time, in seconds since 1970.
        entropy: random bytes from the operating system; seeds come from it.
        games: the games that can be played.

    Attributes:
        on_change: called after every change to a table, with nothing; the clock looks then whether it has to ring earlier.
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
        self.on_change: Callable[[], None] = _nothing
        self._histories: OrderedDict[int, History] = OrderedDict()

    async def snapshot(self, table_id: int, guild_id: int | None = None) -> Snapshot:
        """A table as it stands. Raises NoSuchTable, also for a table of another server than `guild_id`."""
        async with self.store.read() as reader:
            return await self.load(reader, table_id, guild_id)

    @asynccontextmanager
    async def table(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[tuple[Writer, Snapshot]]:
        """A table to be changed: what is written is kept if the block ends well, and is as if it never was if not."""
        if table_id not in self._histories:
            await self.snapshot(
                table_id, guild_id
            )  # a long log is replayed before the one writer is taken, not while it is held
        async with self.store.write() as writer:
            yield writer, await self.load(writer, table_id, guild_id)
        self.on_change()

    async def load(self, reader: Reader, table_id: int, guild_id: int | None = None) -> Snapshot:
        """A table as this reader sees it."""
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
        """Keep a rebuilt game at hand. Only what is committed, or was just read, may be kept."""
        self._histories[table_id] = history
        self._histories.move_to_end(table_id)
        while len(self._histories) > CACHE_SIZE:
            self._histories.popitem(last=False)

    def begin(self, table: Table, seats: int) -> History:
        """The history of a game that starts now."""
        return begin(self.games[table.game], table, seats)

    async def enqueue(self, writer: Writer, table_id: int, kind: JobKind, key: str = "", **payload: Any) -> None:
        """Leave word that Discord has to be told something, in the same transaction as the change itself."""
        now = self.now()
        await writer.enqueue(Job(table_id=table_id, kind=kind, key=key, payload=payload, due=now, created_at=now))


def _nothing() -> None:
    """What is done after a change until somebody wants to know of it."""
