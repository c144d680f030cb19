"""Lists of tables. Tables that a user may not see are left out before the lists are cut into pages."""

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.core.parts import Service
from bot.core.table.errors import NoSuchTable, Quarantined
from bot.core.table.snapshot import Snapshot
from storage import queries
from storage.schema.records import Status, Table

LIVE: Final = (Status.OPEN, Status.PLAYING)

AT_ONCE: Final = 100
"""How many tables are read at a time."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a server's tables.

    Attributes:
        number: the number of the page, from 0.
        more: whether there are further pages.
        quarantined: the numbers of the tables that cannot be shown because they cannot be read.
        refused: the error codes with which Discord refuses to show boards, by table number.
    """

    snapshots: tuple[Snapshot, ...]
    number: int
    more: bool
    quarantined: tuple[int, ...]
    refused: Mapping[int, int] = field(default_factory=dict)


class Lists(Service):
    """The lists of tables."""

    async def summaries(
        self,
        *,
        guild_id: int,
        seen_by: int | None,
        channel_id: int | None = None,
        user_id: int | None = None,
        statuses: Collection[Status] = LIVE,
        limit: int | None = None,
    ) -> AsyncIterator[Snapshot]:
        """Yield the tables `seen_by` may see (None: all), newest first, without games. See `storage.queries.tables.find`."""
        before: int | None = None
        count = 0
        while True:
            async with self._core.reading() as reader:
                tables = await queries.tables.find(reader,
                    guild_id=guild_id, channel_id=channel_id, user_id=user_id, seen_by=seen_by, statuses=statuses,
                    before=before, limit=AT_ONCE,
                )  # fmt: skip
                people = await queries.seats.of_tables(reader, [table.id for table in tables])
            if not tables:
                return
            before = tables[-1].id
            for table in tables:
                if table.id in people and table.game in self._core.games:
                    summary = Snapshot(table, people[table.id])
                    if seen_by is None or summary.open_to(seen_by):
                        yield summary
                        count += 1
                        if count == limit:
                            return
            if len(tables) + len(reader.unreadable) < AT_ONCE:
                return

    async def page(
        self, guild_id: int, user_id: int, *, mine: bool = False, manages: bool = False, number: int = 0, size: int = 20
    ) -> Page:
        """Return a page of a server's tables. Those that wait for the user come first, then the others, newest first.

        `mine` lists only tables where the user plays or is invited. `manages` adds private tables in quarantine. A `number`
        that is too high gives the first page.
        """
        waiting = await self._waiting_for(guild_id, user_id)
        numbers = [snapshot.table.id for snapshot in waiting]
        wanted = (number + 1) * size + 1
        async for summary in self.summaries(guild_id=guild_id, seen_by=user_id, user_id=user_id if mine else None):
            if len(numbers) >= wanted:
                break
            if summary.table.id not in numbers:
                numbers.append(summary.table.id)
        if number and len(numbers) <= number * size:
            number, wanted = 0, size + 1
        shown = [await self._snapshot(table_id) for table_id in numbers[number * size : (number + 1) * size]]
        snapshots = tuple(snapshot for snapshot in shown if snapshot is not None)
        async with self._core.reading() as reader:
            refused = await queries.jobs.refused_boards(reader, [snapshot.table.id for snapshot in snapshots])
        return Page(
            snapshots=snapshots,
            refused=refused,
            number=number,
            more=len(numbers) > (number + 1) * size,
            quarantined=await self.quarantined(guild_id, user_id, manages=manages),
        )

    async def turns(self, guild_id: int, user_id: int, channel_id: int | None) -> list[Snapshot]:
        """Return the games in a channel or thread, or on the whole server, that wait for a user's turn, newest first."""
        found = []
        async for summary in self.summaries(
            guild_id=guild_id, seen_by=user_id, user_id=user_id, channel_id=channel_id, statuses=(Status.PLAYING,)
        ):
            snapshot = await self._snapshot(summary.table.id)
            if snapshot is not None and any(player.user_id == user_id for player in snapshot.awaited):
                found.append(snapshot)
        return found

    async def _waiting_for(self, guild_id: int, user_id: int) -> list[Snapshot]:
        """Return the tables that wait for a user's turn, or for their answer to an invitation. This reads the games."""
        found = []
        async for summary in self.summaries(guild_id=guild_id, seen_by=user_id, user_id=user_id):
            snapshot = await self._snapshot(summary.table.id)
            if snapshot is not None and any(p.user_id == user_id for p in (*snapshot.awaited, *snapshot.invited)):
                found.append(snapshot)
        return found

    async def _snapshot(self, table_id: int) -> Snapshot | None:
        """Return a table with its game, or None if it is gone or cannot be read."""
        try:
            return await self._core.snapshot(table_id)
        except (NoSuchTable, Quarantined):
            return None

    async def quarantined(self, guild_id: int, user_id: int, *, manages: bool) -> tuple[int, ...]:
        """Return the numbers of the quarantined tables that a user may know about."""
        async with self._core.store.read() as reader:
            numbers = [table_id for table_id, _ in await queries.quarantine.find(reader, guild_id)]
            there = [await queries.quarantine.whereabouts(reader, table_id) for table_id in numbers]
        return tuple(x.id for x in there if x is not None and (manages or not x.private or user_id in x.known))

    async def last_finished(self, guild_id: int, user_id: int, channel_id: int | None) -> Table | None:
        """Return the last finished game of a user in a channel or thread, even if the user left it before its end."""
        if channel_id is None:
            return None
        async with self._core.reading() as reader:
            results = await queries.tables.results(
                reader, guild_id=guild_id, user_id=user_id, channel_id=channel_id, limit=AT_ONCE
            )
        return next((table for table in results if table.game in self._core.games), None)

    async def may_have_advice(self, user_id: int, game_id: str, variant: str) -> bool:
        """Whether a person may have advice on a kind of game. Nobody may while playing a rated game of that kind anywhere."""
        async with self._core.store.read() as reader:
            return not await queries.tables.plays_rated(reader, user_id, game_id, variant)
