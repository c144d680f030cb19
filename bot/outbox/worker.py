"""Works the outbox off: carries out what Discord has still to be told, and keeps for later what did not succeed.

What an job does stands in bot/outbox/jobs.py; here is when it is tried, how often, and who hears of it if it is refused.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.i18n.language import Language
from bot.outbox.jobs import JobRunner, LostConnection
from bot.outbox.permissions import THREAD_CLOSED, UNKNOWN_CHANNEL, trouble
from bot.sessions import Sessions
from bot.sessions.errors import NoSuchTable
from engines.text import Text
from storage.records import Job

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 900.0
AFTER_TROUBLE: Final = 30.0
"""Seconds after which the outbox is looked at again if it could not be worked off at all."""
REFUSED_RETRY: Final = (3600.0, 6 * 3600.0, 24 * 3600.0)
"""Seconds after which something that Discord refused is tried again, each time; then it is given up. Long, because whoever
tries again and again is shut out; it comes sooner when somebody changes what the bot may do (`reconsider`)."""

log = structlog.get_logger(__name__)


class OutboxWorker:
    """The one that works the outbox off.

    Args:
        client: the connection to Discord.
        sessions: the service; jobs come from its store.
        server_language: the language of a server's public texts.
    """

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        server_language: Callable[[int], Awaitable[Language]],
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._jobs = JobRunner(client, sessions, server_language)
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def wake(self) -> None:
        """Something may be due: look, unless that is going on already."""
        if self._closed:
            return
        if self._running is not None and not self._running.done():
            self._again = True
            return
        self._running = asyncio.create_task(self._drain(), name="springboard-outbox")

    async def close(self) -> None:
        """Stop. What is not delivered stays in the outbox for the next start."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def deliver(self, table_id: int) -> Text | None:
        """Carry out what is due for one table now. Gives the trouble in words if something could not be shown."""
        refused: Text | None = None
        async with self._sessions.repository.store.read() as reader:
            due = [e for e in await reader.jobs(self._sessions.repository.now()) if e.table_id == table_id]
        for job in due:
            refused = await self._attempt(job) or refused
        self._wake_later()
        return refused

    async def reconsider(self, guild_id: int) -> None:
        """Somebody has changed what the bot may do on a server: try again what was refused there."""
        repository = self._sessions.repository
        async with repository.store.read() as reader:
            refused = [
                e for e in await reader.jobs(repository.now() + REFUSED_RETRY[-1]) if e.tries and e.due > repository.now()
            ]
            tables = [await reader.table(job.table_id) for job in refused]
        again = [e for e, table in zip(refused, tables, strict=True) if table is not None and table.guild_id == guild_id]
        if again:
            async with repository.store.write() as writer:
                for job in again:
                    await writer.enqueue(replace(job, due=repository.now()))
            self.wake()

    async def shown(self, table_id: int, kind: str) -> None:
        """An answer to a click has shown already what an job of this kind was to show: it need not be carried out."""
        repository = self._sessions.repository
        async with self._locks[table_id], repository.store.write() as writer:
            for job in await writer.jobs(repository.now()):
                if job.table_id == table_id and job.kind == kind:
                    await writer.finish_job(job)

    async def _drain(self) -> None:
        try:
            while True:
                self._again = False
                async with self._sessions.repository.store.read() as reader:
                    due = await reader.jobs(self._sessions.repository.now())
                by_table: defaultdict[int, list[Job]] = defaultdict(list)
                for job in due:
                    by_table[job.table_id].append(job)
                await asyncio.gather(*(self._attempt_all(jobs) for jobs in by_table.values()))
                if not due and not self._again:
                    break
            async with self._sessions.repository.store.read() as reader:
                following = await reader.next_job()
        except Exception:
            log.exception("outbox failed")
            following = self._sessions.repository.now() + AFTER_TROUBLE
        self._arm(following)

    async def _attempt_all(self, jobs: list[Job]) -> None:
        for job in jobs:
            await self._attempt(job)

    async def _attempt(self, job: Job) -> Text | None:
        """Carry one job out, and delete it or put it off. Gives the trouble in words if Discord refuses it."""
        repository = self._sessions.repository
        async with self._locks[job.table_id]:
            if not await self._still_there(job):
                return None
            try:
                snapshot = await repository.snapshot(job.table_id)
                await self._jobs.carry_out(snapshot, job)
            except NoSuchTable:
                pass
            except discord.HTTPException as error:
                if not (isinstance(error, discord.Forbidden | discord.NotFound) or error.code == THREAD_CLOSED):
                    await self._put_off(job, error)
                    return None
                log.warning("job refused", table=job.table_id, kind=job.kind, code=error.code, error=error.text)
                if error.code != UNKNOWN_CHANNEL and job.tries < len(REFUSED_RETRY):
                    await self._postpone(job, REFUSED_RETRY[job.tries])
                else:
                    await self._finish(job)
                return trouble(self._client, snapshot, error)
            except LostConnection as error:
                await self._put_off(job, error)
                return None
            except Exception as error:
                log.exception("job failed", table=job.table_id, kind=job.kind)
                await self._put_off(job, error)
                return None
            await self._finish(job)
            return None

    async def _still_there(self, job: Job) -> bool:
        """Whether nobody else has carried the job out while this one waited for the table."""
        async with self._sessions.repository.store.read() as reader:
            return any(e == job for e in await reader.jobs(self._sessions.repository.now()))

    async def _put_off(self, job: Job, error: BaseException) -> None:
        wait = min(LONGEST_RETRY, FIRST_RETRY * 2**job.tries) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
        log.warning("job put off", table=job.table_id, kind=job.kind, seconds=round(wait), error=repr(error))
        await self._postpone(job, wait)

    async def _postpone(self, job: Job, seconds: float) -> None:
        repository = self._sessions.repository
        async with repository.store.write() as writer:
            await writer.postpone(job.id, repository.now() + seconds)

    async def _finish(self, job: Job) -> None:
        async with self._sessions.repository.store.write() as writer:
            await writer.finish_job(job)

    def _arm(self, following: float | None) -> None:
        """Wake up again when the next job is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if following is not None and not self._closed:
            wait = max(0.0, following - self._sessions.repository.now())
            self._timer = asyncio.get_running_loop().call_later(wait, self.wake)

    def _wake_later(self) -> None:
        if self._running is None or self._running.done():
            self.wake()
