"""The service's side of the outbox: what is still to be done in Discord, and which messages show a table already."""

from typing import Any

from bot.sessions.errors import NoSuchTable
from bot.sessions.repository import Repository
from engines.text import say
from storage.records import Job, JobKind


class Outbox:
    """The jobs that are still to be carried out. A job is usually enqueued in the transaction of the change it shows."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def due(self, table_id: int | None = None) -> tuple[Job, ...]:
        """The jobs that are due now, oldest first and at most a hundred: those of one table, or of all tables."""
        async with self._repository.reading() as reader:
            return await reader.jobs_due(self._repository.now(), table_id=table_id)

    async def next_due(self) -> float | None:
        """When the next job is due, in seconds since the epoch; None if there is none."""
        async with self._repository.store.read() as reader:
            return await reader.next_job()

    async def waits(self, job: Job) -> bool:
        """Whether a job is still to be done, unchanged since it was read."""
        async with self._repository.store.read() as reader:
            return await reader.job(job.id) == job

    async def enqueue(self, table_id: int, kind: JobKind) -> None:
        """Add a job that does not come with a change to the table."""
        async with self._repository.store.write() as writer:
            await self._repository.enqueue(writer, table_id, kind)

    async def finish(self, job: Job) -> None:
        """Delete a job that is done, unless a newer one has taken its place."""
        async with self._repository.store.write() as writer:
            await writer.finish_job(job)

    async def finish_kind(self, table_id: int, kind: JobKind) -> None:
        """Delete the due jobs of one kind at a table, because what they are to show has been shown in another way."""
        async with self._repository.store.write() as writer:
            await writer.finish_jobs(table_id, kind, self._repository.now())

    async def postpone(self, job: Job, seconds: float) -> None:
        """Retry a job after so many seconds, unless a newer one has taken its place."""
        async with self._repository.store.write() as writer:
            await writer.postpone(job.id, self._repository.now() + seconds)

    async def retry(self, guild_id: int) -> bool:
        """Make the failed jobs of a server due now. Returns whether there were any."""
        async with self._repository.store.write() as writer:
            return await writer.retry_jobs(guild_id, self._repository.now()) > 0

    async def note(self, table_id: int, **columns: Any) -> None:
        """Record which messages show a table, and what they show, in fields of `storage.records.Table`.

        Raises NoSuchTable if the table was deleted in the meantime, because the bot was removed from its server.
        """
        async with self._repository.store.write() as writer:
            if await writer.table(table_id) is None:
                raise NoSuchTable(say("There is no table #{n} here.", n=table_id))
            await writer.change_table(table_id, **columns)
