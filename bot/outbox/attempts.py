"""Attempts: carries out single jobs, and decides what comes of those that fail."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.outbox.access import Access, LostConnection
from bot.outbox.errors import GivenUp
from bot.outbox.jobs import JobRunner
from bot.outbox.permissions import UNKNOWN_CHANNEL, explain_refusal
from bot.outbox.refusals import REFUSED_RETRY, may_have_been_done, refused, seconds_until_retry
from bot.sessions import Snapshot
from bot.sessions.errors import NoSuchTable, SetAside
from engines.text import Text
from storage.errors import Unreachable
from storage.queues import IDLE, place_of
from storage.records import Job, JobKind

TIME_LIMIT: Final = 60.0
"""Seconds that an attempt may take, the retries of discord.py and short rate limits included."""

IDLE_TIME_LIMIT: Final = 10.0
"""Seconds that an edit may take for which nobody waits: Discord makes bots wait long for edits of old messages."""

ON_TABLE: Final = frozenset({JobKind.BOARD, JobKind.REFRESH, JobKind.LOBBY, JobKind.OPENING})
"""The kinds of jobs of which a table has one carried out at a time, since they share its messages."""

log = structlog.get_logger(__name__)


class Attempts:
    """Carries out jobs one by one.

    Args:
        access: the way to Discord and to the service.

    Attributes:
        held: the places where nothing can be done for now, with the times when that is over, in seconds since the epoch.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._jobs = JobRunner(access)
        self._outbox = access.sessions.outbox
        self._locks: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()
        self._refreshing: dict[int, asyncio.Timeout] = {}
        self._urgent: Counter[str] = Counter()
        self.held: dict[str, float] = {}

    def posting(self) -> Collection[str]:
        """The places where something is being done that somebody may be waiting for."""
        return self._urgent.keys()

    def make_way(self, table_id: int) -> None:
        """Break off an edit of the table's board that nobody waits for. It is done later."""
        if (scope := self._refreshing.get(table_id)) is not None:
            scope.reschedule(asyncio.get_running_loop().time())

    def of_table(self, table_id: int) -> asyncio.Lock:
        """The lock under which the messages of a table are changed. It exists as long as somebody holds on to it."""
        return self._lock("table", table_id)

    def _lock(self, kind: str, number: int) -> asyncio.Lock:
        return self._locks.setdefault((kind, number), asyncio.Lock())

    async def attempt(self, job: Job) -> Text | None:
        """Carry out one job, then delete or postpone it. Returns the reason if Discord refused it."""
        lock = self.of_table(job.table_id) if job.kind in ON_TABLE else self._lock("job", job.id)
        async with lock:
            if not await self._outbox.waits(job):
                return None  # another attempt was faster while this one waited for the lock
            snapshot: Snapshot | None = None
            try:
                async with self._time_limit(job):
                    if job.kind is JobKind.SET_ASIDE:
                        await self._jobs.announce(job)
                    else:
                        snapshot = await self._access.sessions.snapshot(job.table_id)
                        with self._at_place(place_of(snapshot.table), job):
                            await self._jobs.carry_out(snapshot, job)
            except NoSuchTable:
                await self._finish(job)
            except GivenUp as given_up:
                await self._finish(job)
                return given_up.text
            except discord.HTTPException as error:
                if refused(error) and (snapshot is not None or job.kind is JobKind.SET_ASIDE):
                    return await self._refused(job, snapshot, error)
                await self._failed(job, snapshot, error)
            except (discord.RateLimited, SetAside, *LostConnection) as error:
                await self._failed(job, snapshot, error)
            except Unreachable:
                self._access.doubt(job)  # it may have been done, but not noted
                raise
            except Exception as error:
                log.exception("job failed", table=job.table_id, kind=job.kind)
                await self._failed(job, snapshot, error)
            else:
                await self._finish(job)
            return None

    @asynccontextmanager
    async def _time_limit(self, job: Job) -> AsyncIterator[None]:
        """Raise TimeoutError if the block takes too long, or has to make way."""
        edits = job.kind in {JobKind.REFRESH, JobKind.RETIRE}
        async with asyncio.timeout(IDLE_TIME_LIMIT if edits else TIME_LIMIT) as scope:
            if job.kind is JobKind.REFRESH:
                self._refreshing[job.table_id] = scope
            try:
                yield
            finally:
                if self._refreshing.get(job.table_id) is scope:
                    del self._refreshing[job.table_id]

    @contextmanager
    def _at_place(self, place: str, job: Job) -> Iterator[None]:
        """Mark a place as one where something is being done, unless nobody waits for it."""
        if job.kind in IDLE:
            yield
            return
        self._urgent[place] += 1
        try:
            yield
        finally:
            self._urgent[place] -= 1
            self._urgent += Counter()  # leaves out what has come to zero

    async def _refused(self, job: Job, snapshot: Snapshot | None, error: discord.HTTPException) -> Text | None:
        log.warning("job refused", table=job.table_id, kind=job.kind, code=error.code, error=error.text)
        # What the bot may not do now can still be done, and is still owed, when it has its permissions back.
        owed = job.kind in {JobKind.RETIRE, JobKind.REPLAY} and isinstance(error, discord.Forbidden)
        useless = job.kind in IDLE and not owed
        if error.code == UNKNOWN_CHANNEL or useless or job.tries >= len(REFUSED_RETRY):
            await self._finish(job)
        else:
            await self._outbox.postpone(job, REFUSED_RETRY[job.tries])
        return None if job.kind in IDLE or snapshot is None else explain_refusal(self._access.client, snapshot, error)

    async def _failed(self, job: Job, snapshot: Snapshot | None, error: Exception) -> None:
        """Put a job off that has failed, or drop it if nothing depends on it."""
        if may_have_been_done(error):
            self._access.doubt(job)
        seconds = seconds_until_retry(job, error)
        if seconds is None:
            log.info("an old board stays as it is", table=job.table_id, kind=job.kind, error=repr(error))
            await self._finish(job)
            return
        if isinstance(error, discord.RateLimited) and snapshot is not None and job.kind not in IDLE:
            self.held[place_of(snapshot.table)] = self._access.sessions.now() + seconds
        log.warning("job put off", table=job.table_id, kind=job.kind, seconds=round(seconds), error=repr(error))
        await self._outbox.postpone(job, seconds)

    async def _finish(self, job: Job) -> None:
        await self._outbox.finish(job)
        self._access.settled(job)
