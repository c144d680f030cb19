"""OutboxWorker: has the jobs carried out that show changes in Discord, at once after a click and otherwise in the background.

What each kind of job does is in modules of their own, which `jobs` lists; when it is tried again, in `refusals`; which jobs run
side by side, in `queues`.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import structlog

from bot.i18n.language import ServerLanguage
from bot.outage import outages, unreachable
from bot.outbox.access import Access
from bot.outbox.attempts import Attempts
from bot.outbox.queues import Queues
from bot.sessions import Sessions, Snapshot
from engines.text import Text
from storage.queues import IDLE
from storage.records import Job, JobKind

log = structlog.get_logger(__name__)


class OutboxWorker:
    """Empties the outbox.

    Args:
        client: the connection to Discord.
        sessions: the service, which keeps the outbox.
        server_language: returns the language of a server's public texts.
    """

    def __init__(self, client: discord.Client, sessions: Sessions, server_language: ServerLanguage) -> None:
        self._sessions = sessions
        self._access = Access(client, sessions, server_language)
        self._attempts = Attempts(self._access)
        self._queues = Queues(sessions, self._attempts, self._attempt)
        self._access.stir = self._queues.wake
        self._answered: Counter[tuple[int, JobKind | None]] = Counter()
        self._deliveries: set[asyncio.Task[Text | None]] = set()

    @property
    def busy(self) -> bool:
        """Whether anything is being done at this moment."""
        return self._queues.busy or bool(self._deliveries)

    def wake(self) -> None:
        """Check the outbox: something may be due."""
        self._access.begin()
        self._queues.wake()

    async def close(self) -> None:
        """Stop. Jobs that have not been done stay in the outbox for the next start."""
        await self._queues.close()
        for task in (deliveries := list(self._deliveries)):
            task.cancel()
        await asyncio.gather(*deliveries, return_exceptions=True)

    async def deliver(self, table_id: int) -> Text | None:
        """Carry out the jobs of one table that are due now and that somebody may wait for, without waiting for other tables.

        Returns why something could not be shown, or None.
        """
        self._access.begin()
        self._attempts.make_way(table_id)
        left, refused = await self._attempts.attempt_all(table_id, self._is_waited_for)
        if left:
            self._queues.wake_by(min(job.due for job in left))
        return refused

    def _is_waited_for(self, job: Job) -> bool:
        """Whether somebody who has clicked may wait for a job, and the answer to the click does not show the same."""
        return job.kind not in IDLE and not self._answered[job.table_id, job.kind]

    def deliver_soon(self, table_id: int) -> asyncio.Task[Text | None]:
        """Carry out the jobs of one table, as `deliver` does, without anybody having to wait for it."""
        task = asyncio.get_running_loop().create_task(self.deliver(table_id), name=f"springboard-deliver {table_id}")
        self._deliveries.add(task)
        task.add_done_callback(self._delivered)
        return task

    def _delivered(self, task: asyncio.Task[Text | None]) -> None:
        self._deliveries.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if (outage := unreachable(error)) is not None:
                outages.note(outage)
            else:
                log.error("delivery failed", error=repr(error), exc_info=error)
            self.wake()

    async def reconsider(self, guild_id: int) -> None:
        """Retry the refused jobs of a server, because the bot's permissions there have changed."""
        if await self._sessions.outbox.retry(guild_id):
            self.wake()

    @asynccontextmanager
    async def answering(self, table_id: int, kind: JobKind | None) -> AsyncIterator[None]:
        """Leave the jobs of a kind (None: of no kind) alone in the block, because the answer to a click shows the same.

        See `shown`.
        """
        key = (table_id, kind)
        self._answered[key] += 1
        try:
            yield
        finally:
            self._answered[key] -= 1
            self._answered += Counter()  # leaves out what has come to zero
            self._queues.resume()

    async def shown(self, table_id: int, kind: JobKind) -> None:
        """Drop the due jobs of a kind, because the answer to a click has already shown what they were to show."""
        await self._sessions.outbox.finish_kind(table_id, kind)

    async def _attempt(self, job: Job, snapshot: Snapshot | None) -> bool:
        """Carry out a job, unless the answer to a click is about to show the same. Returns whether it was tried."""
        if self._answered[job.table_id, job.kind]:
            return False
        await self._attempts.attempt(job, snapshot)
        return True
