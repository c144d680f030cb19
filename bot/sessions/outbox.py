"""The outbox as the service sees it: what Discord has still to be told, and what it shows already."""

from typing import Any

from bot.sessions.errors import NoSuchTable
from bot.sessions.repository import Repository
from engines.text import say
from storage.records import Job, JobKind


class Outbox:
    """Jobs that wait to be carried out. Each was enqueued in the transaction of the change that it tells of."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def due(self, table_id: int | None = None) -> tuple[Job, ...]:
        """What is due now, the oldest first and only the first hundred: at one table, or at all of them."""
        async with self._repository.store.read() as reader:
            return await reader.jobs_due(self._repository.now(), table_id=table_id)

    async def next_due(self) -> float | None:
        """When the next job is due, in seconds since 1970; None if there is none."""
        async with self._repository.store.read() as reader:
            return await reader.next_job()

    async def waits(self, job: Job) -> bool:
        """Whether a job is still to be done, exactly as it was read."""
        async with self._repository.store.read() as reader:
            return await reader.job(job.id) == job

    async def enqueue(self, table_id: int, kind: JobKind) -> None:
        """Have Discord told something beside what follows from the changes themselves."""
        async with self._repository.store.write() as writer:
            await self._repository.enqueue(writer, table_id, kind)

    async def finish(self, job: Job) -> None:
        """Strike a job off, unless a newer one has taken its place."""
        async with self._repository.store.write() as writer:
            await writer.finish_job(job)

    async def finish_kind(self, table_id: int, kind: JobKind) -> None:
        """Strike off what is due of one kind at a table: it has been shown in some other way."""
        async with self._repository.store.write() as writer:
            await writer.finish_jobs(table_id, kind, self._repository.now())

    async def postpone(self, job: Job, seconds: float) -> None:
        """Try a job again after so many seconds, unless a newer one has taken its place."""
        async with self._repository.store.write() as writer:
            await writer.postpone(job.id, self._repository.now() + seconds)

    async def retry(self, guild_id: int) -> bool:
        """Make due what failed on a server and waits for another try. Gives whether there was anything."""
        async with self._repository.store.write() as writer:
            return await writer.retry_jobs(guild_id, self._repository.now()) > 0

    async def note(self, table_id: int, **columns: Any) -> None:
        """Note which messages show a table, and what they show: fields of `storage.records.Table`.

        Raises NoSuchTable if the table was removed in the meantime, with everything of its server.
        """
        async with self._repository.store.write() as writer:
            if await writer.table(table_id) is None:
                raise NoSuchTable(say("There is no table #{n} here.", n=table_id))
            await writer.change_table(table_id, **columns)
