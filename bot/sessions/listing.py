"""Lists of tables. What somebody may not see is left out before a list is cut, so that it hides nothing that they may."""

from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from typing import Final

from bot.sessions.errors import NoSuchTable, SetAside
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from storage.records import Status, Table

LIVE: Final = (Status.OPEN, Status.PLAYING)

AT_ONCE: Final = 100
"""How many tables are read at a time."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the list of a server's tables.

    Attributes:
        snapshots: the tables on it, with their games.
        number: which page it is, from 0.
        more: whether there are tables on further pages.
        set_aside: the numbers of the tables that cannot be shown because they cannot be read.
    """

    snapshots: tuple[Snapshot, ...]
    number: int
    more: bool
    set_aside: tuple[int, ...]


class Lists:
    """The lists of tables."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def outlines(
        self,
        *,
        guild_id: int,
        seen_by: int,
        channel_id: int | None = None,
        user_id: int | None = None,
        statuses: Collection[Status] = LIVE,
    ) -> AsyncIterator[Snapshot]:
        """The tables of a server that `seen_by` may look at, newest first, with their people but without their games.

        See `storage.reading.Reader.tables` for the other arguments.
        """
        before: int | None = None
        while True:
            async with self._repository.reading() as reader:
                tables = await reader.tables(
                    guild_id=guild_id, channel_id=channel_id, user_id=user_id, seen_by=seen_by, statuses=statuses,
                    before=before, limit=AT_ONCE,
                )  # fmt: skip
                people = await reader.seats_of([table.id for table in tables])
            if not tables:
                return
            before = tables[-1].id
            for table in tables:
                if table.id in people and table.game in self._repository.games:
                    outline = Snapshot(table, people[table.id])
                    if outline.open_to(seen_by):
                        yield outline
            if len(tables) + len(reader.unreadable) < AT_ONCE:
                return

    async def page(
        self, guild_id: int, user_id: int, *, mine: bool = False, manages: bool = False, number: int = 0, size: int = 20
    ) -> Page:
        """A page of the tables of a server: those that wait for somebody first, then the others, newest first.

        Args:
            guild_id: the server.
            user_id: who looks at it.
            mine: whether to list only the tables where they play or are invited.
            manages: whether they manage the server, and may know of private tables that are set aside.
            number: which page, from 0; the first one if there are not so many.
            size: the maximum number of tables on it.
        """
        waiting = await self._waiting_for(guild_id, user_id)
        numbers = [snapshot.table.id for snapshot in waiting]
        wanted = (number + 1) * size + 1
        async for outline in self.outlines(guild_id=guild_id, seen_by=user_id, user_id=user_id if mine else None):
            if len(numbers) >= wanted:
                break
            if outline.table.id not in numbers:
                numbers.append(outline.table.id)
        if number and len(numbers) <= number * size:
            number, wanted = 0, size + 1
        shown = [await self._snapshot(table_id) for table_id in numbers[number * size : (number + 1) * size]]
        return Page(
            snapshots=tuple(snapshot for snapshot in shown if snapshot is not None),
            number=number,
            more=len(numbers) > (number + 1) * size,
            set_aside=await self._set_aside(guild_id, user_id, manages=manages),
        )

    async def _waiting_for(self, guild_id: int, user_id: int) -> list[Snapshot]:
        """The tables that wait for somebody: their turn, or an invitation. For that their games have to be known."""
        found = []
        async for outline in self.outlines(guild_id=guild_id, seen_by=user_id, user_id=user_id):
            snapshot = await self._snapshot(outline.table.id)
            if snapshot is not None and any(p.user_id == user_id for p in (*snapshot.awaited, *snapshot.invited)):
                found.append(snapshot)
        return found

    async def _snapshot(self, table_id: int) -> Snapshot | None:
        """A table with its game; None if it is gone meanwhile, or cannot be read."""
        try:
            return await self._repository.snapshot(table_id)
        except (NoSuchTable, SetAside):
            return None

    async def _set_aside(self, guild_id: int, user_id: int, *, manages: bool) -> tuple[int, ...]:
        """The numbers of the tables that are set aside, as far as somebody may know of them."""
        async with self._repository.store.read() as reader:
            numbers = [table_id for table_id, _ in await reader.set_aside(guild_id)]
            there = [await reader.whereabouts(table_id) for table_id in numbers]
        return tuple(x.id for x in there if x is not None and (manages or not x.private or user_id in x.known))

    async def last_finished(self, guild_id: int, user_id: int, channel_id: int | None) -> Table | None:
        """The game that somebody finished last in a channel or thread, even if they left it before the end."""
        if channel_id is None:
            return None
        async with self._repository.reading() as reader:
            results = await reader.results(guild_id=guild_id, user_id=user_id, channel_id=channel_id, limit=AT_ONCE)
        return next((table for table in results if table.game in self._repository.games), None)
