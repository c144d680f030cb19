"""A server's day: which of its public games are running, and which have ended."""

from dataclasses import dataclass
from typing import Final

from bot.core.parts import Service
from bot.core.table.errors import NoSuchTable, Quarantined
from bot.core.table.snapshot import Snapshot
from bot.features.today import sql
from storage import queries
from storage.schema.records import Status

BOARDS: Final = 4
"""The most games that are loaded with their boards, and therefore the most running games that are listed."""

ENDED: Final = 5
"""The most ended games that are listed."""


@dataclass(frozen=True, slots=True)
class Day:
    """A server's day, without private tables and tables in quarantine.

    Boards are loaded for the most recently active running games, and then for the latest ended ones as far as there is room.
    The full counts are `running_in_all` and `ended_in_all`. `moved` counts the running games that have begun or moved on.
    """

    running: tuple[Snapshot, ...] = ()
    ended: tuple[Snapshot, ...] = ()
    running_in_all: int = 0
    ended_in_all: int = 0
    moved: int = 0

    @property
    def boards(self) -> tuple[Snapshot, ...]:
        """The games that were loaded with their boards, the running ones first."""
        return tuple(snapshot for snapshot in (*self.running, *self.ended) if snapshot.history is not None)


class Today(Service):
    """The days of all servers."""

    async def of_server(self, guild_id: int, since: float) -> Day:
        """Return a server's day, with the games that have ended since a given moment, in seconds since the epoch."""
        async with self._core.reading() as reader:
            counts = await sql.count(reader, guild_id, since)
            running = await sql.running(reader, guild_id, limit=BOARDS) if counts.running else ()
            ended = await sql.last_games(reader, guild_id, since, limit=ENDED) if counts.ended else ()
            people = await queries.seats.of_tables(reader, [table.id for table in ended]) if ended else {}
            shown = [table.id for table in (*running, *ended)][:BOARDS]
            boards = {table_id: await self._core.load_at_once(reader, table_id) for table_id in shown}
        for table_id in shown:
            boards[table_id] = boards[table_id] or await self._replayed(table_id)
        going_on = [boards[table.id] for table in running]
        over = [
            boards[table.id] if table.id in boards else Snapshot(table, people[table.id])
            for table in ended
            if table.id in people and table.game in self._core.games
        ]
        return Day(
            running=tuple(one for one in going_on if one is not None and one.table.status is Status.PLAYING),
            ended=tuple(one for one in over if one is not None),
            running_in_all=counts.running,
            ended_in_all=counts.ended,
            moved=counts.moved,
        )

    async def _replayed(self, table_id: int) -> Snapshot | None:
        """Return a table by replaying its log, or None if it is gone by now or unreadable."""
        try:
            return await self._core.snapshot(table_id)
        except (NoSuchTable, Quarantined):
            return None
