"""The desk behind all tables: reads them from the store, keeps rebuilt games at hand, and writes what was decided."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from bot.errors import NoSuchTable
from bot.sessions.glance import Glance
from bot.sessions.record import Record, begin, rebuild
from engines import GAMES
from engines.game import Game
from engines.words import say
from storage.records import EntryKind, Errand, Seat, SeatStatus, Status, Table
from storage.store import Reader, Store, Writer

KEPT: Final = 512
"""How many rebuilt games are kept in memory. They can all be made again from their logs."""


class Desk:
    """What the parts of the service share.

    Args:
        store: where everything is kept.
        now: the time, in seconds since 1970.
        entropy: random bytes from the operating system; seeds come from it.
        games: the games that can be played.
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
        self._records: OrderedDict[int, Record] = OrderedDict()

    async def glance(self, table_id: int, guild_id: int | None = None) -> Glance:
        """A table as it stands. Raises NoSuchTable, also for a table of another server than `guild_id`."""
        async with self.store.read() as reader:
            return await self.load(reader, table_id, guild_id)

    @asynccontextmanager
    async def table(self, table_id: int, guild_id: int | None = None) -> AsyncIterator[tuple[Writer, Glance]]:
        """A table to be changed: what is written is kept if the block ends well, and is as if it never was if not."""
        await self.glance(table_id, guild_id)  # a long log is replayed before the one writer is taken, not while it is held
        async with self.store.write() as writer:
            yield writer, await self.load(writer, table_id, guild_id)

    async def load(self, reader: Reader, table_id: int, guild_id: int | None = None) -> Glance:
        """A table as this reader sees it."""
        table = await reader.table(table_id)
        if table is None or (guild_id is not None and table.guild_id != guild_id):
            raise NoSuchTable(say("There is no table #{n} here.", n=table_id))
        people = await reader.seats(table_id)
        glance = Glance(table, people)
        if table.seed is None:
            return glance
        return replace(glance, record=await self._record(reader, glance))

    async def _record(self, reader: Reader, glance: Glance) -> Record:
        table = glance.table
        known = self._records.get(table.id)
        if known is not None and known.version <= table.version:
            self._records.move_to_end(table.id)
            if known.version == table.version:
                return known
            entries = await reader.entries(table.id, after=known.version)
            for entry in entries:
                known = known.extended(entry)
        else:
            entries = await reader.entries(table.id)
            game = self.games[table.game]
            known = await asyncio.to_thread(rebuild, game, table, len(glance.players), entries)
        self.keep(table.id, known)
        return known

    def keep(self, table_id: int, record: Record) -> None:
        """Keep a rebuilt game at hand. Only what is committed, or was just read, may be kept."""
        self._records[table_id] = record
        self._records.move_to_end(table_id)
        while len(self._records) > KEPT:
            self._records.popitem(last=False)

    def begin(self, table: Table, seats: int) -> Record:
        """The record of a game that starts now."""
        return begin(self.games[table.game], table, seats)

    async def tell(self, writer: Writer, table_id: int, kind: str, key: str = "", **payload: Any) -> None:
        """Leave word that Discord has to be told something, in the same transaction as the change itself."""
        now = self.now()
        await writer.enqueue(Errand(table_id=table_id, kind=kind, key=key, payload=payload, due=now, created_at=now))


async def changed(desk: Desk, writer: Writer, before: Glance, record: Record, outcome: dict[str, Any] | None = None) -> Glance:
    """Write what follows from a game having moved on: the turn, its deadline, the end, the board to be shown."""
    table, now = before.table, desk.now()
    was = set(before.record.to_act) if before.record is not None else set()
    columns: dict[str, Any] = {"version": record.version}
    if outcome is None and (ended := record.outcome) is not None:
        outcome = {"winners": list(ended.winners), "how": "rules", "reason": str(ended.reason)}
    if outcome is not None:
        columns |= {"status": Status.FINISHED, "outcome": outcome, "finished_at": now, "turn": table.turn + 1,
                    "deadline": None, "notice_at": None, "offers": {}}  # fmt: skip
    else:
        columns |= {"turn_began": now, "deadline": None if table.clock is None else now + table.clock}
        if not set(record.to_act) <= was:
            columns["turn"] = table.turn + 1
    after = await writer.change_table(table.id, **columns)
    people = tuple([await _marked(writer, record, seat, n) for n, seat in enumerate(before.players)])
    others = tuple(p for p in before.people if p not in before.players)
    await desk.tell(writer, table.id, "board")
    return Glance(after, people + others, record)


async def _marked(writer: Writer, record: Record, seat: Seat, number: int) -> Seat:
    """Note in the seat's row if its player has left the game."""
    left = any(x.entry.kind is EntryKind.WITHDRAW and x.entry.seat == number for x in record.in_force)
    if left and seat.status is SeatStatus.JOINED:
        seat = replace(seat, status=SeatStatus.WITHDRAWN)
        await writer.put_seat(seat)
    return seat
