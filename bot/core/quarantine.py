"""Quarantine sets apart the tables that cannot be read, until they can be, so that they disturb nothing else.

Nobody can act at such a table, no list shows it, and its time stands still. Its players are told once, and a server manager may
close it. Once it is repaired, it returns at the next start, or with `springboard release`.
"""

from collections.abc import Iterator, Sequence

import structlog

from bot.core.change import Change
from bot.core.core import CorruptTable
from bot.core.parts import Service
from bot.core.table.deadlines import OPEN_FOR
from bot.core.table.errors import NoSuchTable, WrongStage
from bot.core.turns import ended_by, turn_columns
from engines.text import say
from storage import queries
from storage.queries.quarantine import Whereabouts
from storage.schema.records import Ending, JobKind, Offers, Status

AT_ONCE = 500
"""How many tables are read at a time when all are checked."""

CLOSED = "closed"
"""The key of the job that tells players that a quarantined table was closed."""

log = structlog.get_logger(__name__)


def _batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    return (numbers[n : n + AT_ONCE] for n in range(0, len(numbers), AT_ONCE))


class Quarantine(Service):
    """The tables in quarantine."""

    async def tables(self, guild_id: int | None = None) -> dict[int, str]:
        """Return why tables are in quarantine, by number, on one server or on all. Finished games are left out."""
        async with self._core.store.read() as reader:
            return dict(await queries.quarantine.find(reader, guild_id))

    async def whereabouts(self, table_id: int) -> Whereabouts | None:
        """Return what can be told about a table, however corrupt it is, or None if the table does not exist."""
        async with self._core.store.read() as reader:
            return await queries.quarantine.whereabouts(reader, table_id)

    async def close(self, table_id: int, guild_id: int) -> None:
        """Close a server's table without reading it, so that its game ends without a result. Raises NoSuchTable, WrongStage."""
        async with self._core.store.write() as writer:
            there = await queries.quarantine.whereabouts(writer, table_id)
            if there is None or there.guild_id != guild_id:
                raise NoSuchTable(table_id)
            if there.over:
                raise WrongStage(say("The game at table #{n} is over.", n=table_id))
            ended = (
                {"status": Status.FINISHED, "outcome": ended_by(Ending.CLOSED)} if there.begun else {"status": Status.CLOSED}
            )
            await queries.quarantine.close(writer, table_id, self._core.now(), offers=Offers(), **ended)
            await self._core.enqueue(writer, table_id, JobKind.SET_ASIDE, CLOSED)
            for finished in () if there.begun else await queries.tables.end_rematch(writer, table_id):
                await self._core.enqueue(writer, finished, JobKind.REFRESH)
        self._core.on_change(0.0)

    async def release(self, table_id: int) -> str | None:
        """Release a table if it can be read again, or return why not. Its turn, or its time as an open table, begins anew."""
        try:
            async with self._core.store.write() as writer:
                there = await queries.quarantine.whereabouts(writer, table_id)
                if there is None or there.reason is None:
                    return None
                await queries.quarantine.release(writer, table_id)
                snapshot = await self._core.load(writer, table_id)
                change = Change(self._core, writer, snapshot)
                await _begin_anew(change)
                await change.retire_questions()
        except CorruptTable as error:  # the transaction is rolled back, so the table stays in quarantine
            return error.reason
        log.info("table released", table=table_id)
        self._core.on_change(0.0)
        return None

    async def release_all(self) -> dict[int, str]:
        """Release all tables that can be read again. Returns why the others cannot be, by table number."""
        async with self._core.store.read() as reader:
            aside = await queries.quarantine.find(reader, finished=True)
        reasons = {table_id: await self.release(table_id) for table_id, _ in aside}
        return {table_id: reason for table_id, reason in reasons.items() if reason is not None}

    async def inspect(self) -> None:
        """Release tables that can be read again, and quarantine those whose corruption shows without replaying a game."""
        await self.release_all()
        if not await self._samples_are_sound():
            last: int | None = 0
            while last is not None:
                last = await self._look_through(last)
        async with self._core.reading() as reader:
            for job_id in await queries.quarantine.dead_jobs(reader):
                async with self._core.store.write() as writer:
                    if await queries.jobs.is_readable(writer, job_id):
                        await queries.quarantine.revive_job(writer, job_id, self._core.now())
            await queries.jobs.unfinished(reader)
        if aside := await self.tables():
            log.warning("tables are set aside; `springboard check` says more", count=len(aside), tables=sorted(aside))

    async def _samples_are_sound(self) -> bool:
        """Whether a sample of each kind of table can be read. If so, all tables can be. Corrupt samples go into quarantine."""
        async with self._core.reading() as reader:
            samples = await queries.quarantine.samples(reader)
            found = [table for some in _batches(samples) for table in await queries.tables.find(reader, numbers=some)]
            for some in _batches(samples):
                await queries.seats.of_tables(reader, some)
                await queries.seats.departures_of_tables(reader, some)
            readable = await queries.quarantine.names_are_text(reader) and not reader.unreadable
        rules = [await self._core.check_rules(table) for table in found]
        return readable and all(rules)

    async def _look_through(self, after: int) -> int | None:
        """Check some of the tables after the number `after`. Returns the last number, or None if there are no more tables."""
        async with self._core.reading() as reader:
            numbers = await queries.tables.ids(reader, live=True, after=after, limit=AT_ONCE)
            found = await queries.tables.find(reader, numbers=numbers)
            await queries.seats.of_tables(reader, [table.id for table in found])
            await queries.seats.departures_of_tables(reader, [table.id for table in found])
        for table in found:
            await self._core.check_rules(table)
        return numbers[-1] if numbers else None


async def _begin_anew(change: Change) -> None:
    """Restart the time of a released table, and have the table shown."""
    table = change.table
    if table.status is Status.OPEN:
        await change.amend(deadline=change.now + OPEN_FOR)
        await change.enqueue(JobKind.LOBBY)
    elif table.status is Status.PLAYING:
        await change.amend(turn=table.turn + 1, **await turn_columns(change, table.clock))
        await change.enqueue(JobKind.BOARD)
