"""Quarantine: tables that cannot be read are set aside, so that they spoil nothing for others, until they can be read again.

Nobody can do anything at such a table, it is in no list, and its time stands still. Its players are told once. A manager of the
server may close it, and the operator may put it right: it then comes back by itself at the next start, or with
`springboard release`.
"""

from collections.abc import Iterator, Sequence

import structlog

from bot.sessions.errors import NoSuchTable, WrongStage
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from bot.sessions.turns import OPEN_FOR, ended_by, turn_columns
from bot.sessions.unsound import Unsound
from engines.text import say
from storage.aside import Whereabouts
from storage.records import Ending, JobKind, Offers, Status
from storage.store import Writer

AT_ONCE = 500
"""How many tables are read at a time when all of them are looked through."""

CLOSED = "closed"
"""The key of the job that tells the players that a table which was set aside has been closed."""

log = structlog.get_logger(__name__)


def _batched(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """The numbers, so many at a time as are read at once."""
    return (numbers[n : n + AT_ONCE] for n in range(0, len(numbers), AT_ONCE))


class Quarantine:
    """The tables that are set aside."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def tables(self, guild_id: int | None = None) -> dict[int, str]:
        """Why tables are set aside, by number: those of one server or of all, without games that are over."""
        async with self._repository.store.read() as reader:
            return dict(await reader.set_aside(guild_id))

    async def whereabouts(self, table_id: int) -> Whereabouts | None:
        """What can be told of a table, whatever is wrong with it; None if there is none."""
        async with self._repository.store.read() as reader:
            return await reader.whereabouts(table_id)

    async def close(self, table_id: int, guild_id: int) -> None:
        """Close a table of this server without reading it: its game ends without a result, and is not rated.

        Raises NoSuchTable, or WrongStage if its game is over.
        """
        async with self._repository.store.write() as writer:
            there = await writer.whereabouts(table_id)
            if there is None or there.guild_id != guild_id:
                raise NoSuchTable(say("There’s no table #{n} here.", n=table_id))
            if there.over:
                raise WrongStage(say("The game at table #{n} is over.", n=table_id))
            ended = (
                {"status": Status.FINISHED, "outcome": ended_by(Ending.CLOSED)} if there.begun else {"status": Status.CLOSED}
            )
            await writer.shut(table_id, self._repository.now(), offers=Offers(), **ended)
            await self._repository.enqueue(writer, table_id, JobKind.SET_ASIDE, CLOSED)
        self._repository.on_change(0.0)

    async def release(self, table_id: int) -> str | None:
        """Bring a table back that can be read again. Returns why it cannot, or None if it is back, or was not set aside.

        Nobody loses the time that it was set aside: its turn, or the time until it is closed, begins anew.
        """
        try:
            async with self._repository.store.write() as writer:
                there = await writer.whereabouts(table_id)
                if there is None or there.reason is None:
                    return None
                await writer.take_back(table_id)
                await self._resume(writer, await self._repository.load(writer, table_id))
        except Unsound as error:
            return error.reason
        log.info("table released", table=table_id)
        self._repository.on_change(0.0)
        return None

    async def _resume(self, writer: Writer, snapshot: Snapshot) -> None:
        """Let the time at a table that is back run again, and have it shown."""
        table, now = snapshot.table, self._repository.now()
        if table.status is Status.OPEN:
            await writer.change_table(table.id, deadline=now + OPEN_FOR)
            await self._repository.enqueue(writer, table.id, JobKind.LOBBY)
        elif table.status is Status.PLAYING:
            timing = await turn_columns(writer, table, snapshot.awaited, now)
            await writer.change_table(table.id, turn=table.turn + 1, **timing)
            await self._repository.enqueue(writer, table.id, JobKind.BOARD)

    async def release_all(self) -> dict[int, str]:
        """Bring back all tables that can be read again. Returns why the others cannot, by number."""
        async with self._repository.store.read() as reader:
            aside = await reader.set_aside(over=True)
        reasons = {table_id: await self.release(table_id) for table_id, _ in aside}
        return {table_id: reason for table_id, reason in reasons.items() if reason is not None}

    async def inspect(self) -> None:
        """Bring back what can be read again, and set aside what cannot be read, as far as that shows without playing."""
        await self.release_all()
        if not await self._samples_are_sound():
            last: int | None = 0
            while last is not None:
                last = await self._look_through(last)
        async with self._repository.reading() as reader:
            for job_id in await reader.dead_jobs():
                await self._revive(job_id)
            await reader.jobs()
        if aside := await self.tables():
            log.warning("tables are set aside; `springboard check` says more", count=len(aside), tables=sorted(aside))

    async def _samples_are_sound(self) -> bool:
        """Whether nothing is wrong with one of each kind of tables, and so with none; what is wrong is set aside."""
        async with self._repository.reading() as reader:
            samples = await reader.samples()
            found = [table for some in _batched(samples) for table in await reader.tables(numbers=some)]
            for some in _batched(samples):
                await reader.seats_of(some)
                await reader.departures_of(some)
            readable = await reader.names_are_text() and not reader.unreadable
        rules = [await self._repository.check_rules(table) for table in found]
        return readable and all(rules)

    async def _look_through(self, after: int) -> int | None:
        """Read some tables. Returns the last of them, or None if there are no more."""
        async with self._repository.reading() as reader:
            numbers = await reader.table_ids(live=True, after=after, limit=AT_ONCE)
            found = await reader.tables(numbers=numbers)
            await reader.seats_of([table.id for table in found])
            await reader.departures_of([table.id for table in found])
        for table in found:
            await self._repository.check_rules(table)
        return numbers[-1] if numbers else None

    async def _revive(self, job_id: int) -> None:
        """Have a job that could not be read done after all, if it can be read now."""
        async with self._repository.store.write() as writer:
            if await writer.readable_job(job_id):
                await writer.revive_job(job_id, self._repository.now())
