"""OutboxWorker: carries out the jobs that show changes in Discord, at once after a click, and otherwise in the background.

Other modules and the features define the jobs. `refusals` decides when a job is tried again, and `queues` decides which jobs
run side by side.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager

import discord
import structlog

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.i18n.language import ServerLanguage
from bot.outbox.access import Access
from bot.outbox.attempts import ON_TABLE, Attempts
from bot.outbox.jobs import Jobs
from bot.outbox.queues import Queues
from bot.runtime.outage import outages, unreachable
from engines.text import Text
from storage.schema.errors import Unreachable
from storage.schema.jobs import IDLE
from storage.schema.records import Job, JobKind

log = structlog.get_logger(__name__)


class OutboxWorker:
    """Empties the outbox. `server_language` returns the language of a server's public texts."""

    def __init__(self, client: discord.Client, core: Core, server_language: ServerLanguage, jobs: Sequence[Jobs]) -> None:
        self._core = core
        self._access = Access(client, core, server_language)
        self._attempts = Attempts(self._access, jobs)
        self._queues = Queues(core, self._attempts)
        self._deliveries: set[asyncio.Task[Text | None]] = set()

    @property
    def busy(self) -> bool:
        """Whether anything is being done now."""
        return self._queues.busy or bool(self._deliveries)

    def wake(self) -> None:
        """Read the outbox, because something may be due."""
        self._access.begin()
        self._queues.wake()

    def wake_by(self, moment: float) -> None:
        """Read the outbox at `moment`, in seconds since the epoch, when something may be due. 0.0 means now."""
        self._access.begin()
        self._queues.wake_by(moment)

    async def close(self) -> None:
        """Stop. Jobs that were not done stay in the outbox for the next start."""
        await self._queues.close()
        for task in (deliveries := list(self._deliveries)):
            task.cancel()
        await asyncio.gather(*deliveries, return_exceptions=True)

    async def deliver(self, table_id: int) -> Text | None:
        """Carry out a table's due jobs, except idle ones, ahead of other tables. Returns why a job was not shown, or None."""
        self._access.begin()
        self._attempts.make_way(table_id)
        refusal: Text | None = None
        done: list[Job] = []
        try:
            async with self._attempts.lock_of_table(table_id):
                jobs, snapshot = await self._core.service(Outbox).at_table(table_id)
                due = [job for job in jobs if job.due <= self._core.now() and job.kind not in IDLE]
                for job in due:
                    if job.kind in ON_TABLE and not self._queues.is_being_answered(job):
                        done.append(job)
                        outcome = await self._attempts.attempt_locked(job, snapshot)
                        self._queues.go_on(outcome)
                        refusal = outcome.refusal or refusal
                        snapshot = None  # the table has changed
            for job in due:
                if job.kind not in ON_TABLE and not self._queues.is_being_answered(job):
                    done.append(job)
                    outcome = await self._attempts.attempt(job)
                    self._queues.go_on(outcome)
                    refusal = outcome.refusal or refusal
        except Unreachable:
            self._queues.wake()  # others may have had to wait for this table
            raise
        if left := [job.due for job in jobs if job not in done]:
            self._queues.wake_by(min(left))
        return refusal

    def deliver_soon(self, table_id: int) -> asyncio.Task[Text | None]:
        """Carry out a table's jobs as `deliver` does, in a task of their own."""
        task = asyncio.get_running_loop().create_task(self.deliver(table_id), name=f"springboard-deliver {table_id}")
        self._deliveries.add(task)
        task.add_done_callback(self._end_delivery)
        return task

    def _end_delivery(self, task: asyncio.Task[Text | None]) -> None:
        self._deliveries.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if (outage := unreachable(error)) is not None:
                outages.note(outage)
            else:
                log.error("delivery failed", error=repr(error), exc_info=error)
            self.wake()

    async def reconsider(self, guild_id: int) -> None:
        """Retry a server's failed jobs, because the bot's permissions there have changed."""
        if await self._core.service(Outbox).retry(guild_id):
            self.wake()

    def answering(self, table_id: int, kind: JobKind | None, key: str = "") -> AbstractContextManager[None]:
        """In this block, leave the job of this kind (None: no job) and key to the answer to a click. See `drop_answered`."""
        return self._queues.answering(table_id, kind, key)

    async def drop_answered(self, table_id: int, kind: JobKind, key: str = "") -> None:
        """Drop a due job, because the answer to a click has shown what the job would show."""
        await self._core.service(Outbox).finish_kind(table_id, kind, key)
