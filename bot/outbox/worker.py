"""OutboxWorker: carries out the jobs that show changes in Discord, and retries those that failed.

What each kind of job does is in `bot.outbox.jobs`. This module decides when a job is tried, how often, and who is told if
Discord refuses it.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import discord
import structlog

from bot.i18n.language import ServerLanguage
from bot.outbox.access import SERVER_ERROR, Access, LostConnection
from bot.outbox.jobs import JobRunner
from bot.outbox.loop import DueLoop
from bot.outbox.permissions import THREAD_CLOSED, UNKNOWN_CHANNEL, explain_refusal
from bot.sessions import Sessions
from bot.sessions.errors import NoSuchTable
from engines.text import Text
from storage.records import Job, JobKind

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 900.0
"""Seconds before a failed job is retried: FIRST_RETRY, then twice as long each time, up to LONGEST_RETRY."""

REFUSED_RETRY: Final = (3600.0, 6 * 3600.0, 24 * 3600.0)
"""Seconds before a job that Discord refused is retried for the first time, the second time, and so on. Then it is dropped.

They are long because Discord bans bots that repeat refused requests. `OutboxWorker.reconsider` retries sooner, once somebody
has changed the bot's permissions.
"""

log = structlog.get_logger(__name__)


class OutboxWorker:
    """Empties the outbox.

    Args:
        client: the connection to Discord.
        sessions: the service, which keeps the outbox.
        server_language: returns the language of a server's public texts.
    """

    def __init__(self, client: discord.Client, sessions: Sessions, server_language: ServerLanguage) -> None:
        self._client = client
        self._sessions = sessions
        self._access = Access(client, sessions, server_language)
        self._jobs = JobRunner(self._access)
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._loop = DueLoop("outbox", self._drain, sessions.now)

    def wake(self) -> None:
        """Check the outbox: something may be due."""
        self._access.begin()
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Jobs that have not been done stay in the outbox for the next start."""
        await self._loop.close()

    async def deliver(self, table_id: int) -> Text | None:
        """Carry out the jobs of one table that are due now. Returns why something could not be shown, or None."""
        self._access.begin()
        refused: Text | None = None
        for job in await self._sessions.outbox.due(table_id):
            refused = await self._attempt(job) or refused
        if not self._loop.running:
            self.wake()
        return refused

    async def reconsider(self, guild_id: int) -> None:
        """Retry the refused jobs of a server, because the bot's permissions there have changed."""
        if await self._sessions.outbox.retry(guild_id):
            self.wake()

    async def shown(self, table_id: int, kind: JobKind) -> None:
        """Drop the due jobs of a kind, because the answer to a click has already shown what they were to show."""
        async with self._locks[table_id]:
            await self._sessions.outbox.finish_kind(table_id, kind)

    async def _drain(self) -> float | None:
        while due := await self._sessions.outbox.due():
            by_table: defaultdict[int, list[Job]] = defaultdict(list)
            for job in due:
                by_table[job.table_id].append(job)
            await asyncio.gather(*(self._attempt_all(jobs) for jobs in by_table.values()))
        return await self._sessions.outbox.next_due()

    async def _attempt_all(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            await self._attempt(job)

    async def _attempt(self, job: Job) -> Text | None:
        """Carry out one job, then delete or postpone it. Returns the reason if Discord refused it."""
        async with self._locks[job.table_id]:
            if not await self._sessions.outbox.waits(job):
                return None  # another attempt was faster while this one waited for the lock
            try:
                snapshot = await self._sessions.snapshot(job.table_id)
                await self._jobs.carry_out(snapshot, job)
            except NoSuchTable:
                pass
            except discord.HTTPException as error:
                if not (isinstance(error, discord.Forbidden | discord.NotFound) or error.code == THREAD_CLOSED):
                    if error.status >= SERVER_ERROR:
                        self._access.doubt(job)
                    await self._postpone(job, error)
                    return None
                log.warning("job refused", table=job.table_id, kind=job.kind, code=error.code, error=error.text)
                if error.code != UNKNOWN_CHANNEL and job.tries < len(REFUSED_RETRY):
                    await self._sessions.outbox.postpone(job, REFUSED_RETRY[job.tries])
                else:
                    await self._finish(job)
                return explain_refusal(self._client, snapshot, error)
            except LostConnection as error:
                self._access.doubt(job)
                await self._postpone(job, error)
                return None
            except Exception as error:
                log.exception("job failed", table=job.table_id, kind=job.kind)
                await self._postpone(job, error)
                return None
            await self._finish(job)
            return None

    async def _finish(self, job: Job) -> None:
        await self._sessions.outbox.finish(job)
        self._access.settled(job)

    async def _postpone(self, job: Job, error: BaseException) -> None:
        doubled = FIRST_RETRY * 2 ** min(job.tries, 16)  # more would be past the longest, and some day past what a float holds
        seconds = min(LONGEST_RETRY, doubled) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
        log.warning("job put off", table=job.table_id, kind=job.kind, seconds=round(seconds), error=repr(error))
        await self._sessions.outbox.postpone(job, seconds)
