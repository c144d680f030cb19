"""Attempts: carries out single jobs, and decides what comes of those that fail."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
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
from bot.sessions.outbox import Shown
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

LEADING: Final = frozenset({JobKind.LOBBY, JobKind.OPENING, JobKind.INVITATION})
"""The kinds of jobs by which others may fall due."""

log = structlog.get_logger(__name__)


class Attempts:
    """Carries out jobs one by one.

    Args:
        access: the way to Discord and to the service.

    Attributes:
        held: the places where nothing can be done for now, with the times when that is over, in seconds since the epoch.
        on_free: called with a place when nothing is done there any more that somebody may be waiting for.
        on_later: called with the moment, in seconds since the epoch, to which something was put off.
        on_follow: called with a job that follows from one that was done, and its table.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._jobs = JobRunner(access)
        self._outbox = access.sessions.outbox
        self._locks: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()
        self._refreshing: dict[int, asyncio.Timeout] = {}
        self._urgent: Counter[str] = Counter()
        self.held: dict[str, float] = {}
        self.on_free: Callable[[str], None] = _ignore
        self.on_later: Callable[[float], None] = _ignore
        self.on_follow: Callable[[Job, Snapshot], None] = _ignore

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

    async def attempt_all(self, table_id: int, wanted: Callable[[Job], bool]) -> tuple[tuple[Job, ...], Text | None]:
        """Carry out the jobs of a table that are due and `wanted`, as `attempt` does, the most urgent first.

        Returns all others of its jobs as they were found, and the reason if Discord refused something.
        """
        refused: Text | None = None
        async with self.of_table(table_id):
            jobs, snapshot = await self._outbox.at_table(table_id)
            now = self._access.sessions.now()
            due = [job for job in jobs if job.due <= now]
            done = []
            for job in due:
                if job.kind in ON_TABLE and wanted(job):
                    done.append(job)
                    refused = await self._attempt(job, snapshot) or refused
                    snapshot = None  # it is another one now
        for job in due:
            if job.kind not in ON_TABLE and wanted(job):
                done.append(job)
                refused = await self.attempt(job) or refused
        return tuple(job for job in jobs if job not in done), refused

    async def attempt(self, job: Job, snapshot: Snapshot | None = None) -> Text | None:
        """Carry out one job, then delete or postpone it. Returns the reason if Discord refused it.

        If the table is given, it is certain that the job is still to be done, and nothing is asked for.
        """
        if job.kind is JobKind.WATCH:
            async with self.of_table(job.table_id):
                pass  # a board that is being posted: it is what the news leads to
        lock = self.of_table(job.table_id) if job.kind in ON_TABLE else self._lock("job", job.id)
        async with lock:
            return await self._attempt(job, snapshot)

    async def _attempt(self, job: Job, snapshot: Snapshot | None) -> Text | None:
        if job.kind is JobKind.SET_ASIDE and not await self._outbox.waits(job):
            return None
        try:
            if job.kind is not JobKind.SET_ASIDE and snapshot is None:
                snapshot = await self._outbox.table_of(job)
                if snapshot is None:
                    return None  # another attempt was faster while this one waited for the lock
            async with self._time_limit(job):
                shown = await self._show(job, snapshot)
            await self._finish(job, shown, snapshot)
        except NoSuchTable:
            await self._finish(job)
        except GivenUp as given_up:
            await self._finish(job)
            self._access.stir()
            return given_up.text
        except discord.HTTPException as error:
            if refused(error) and (snapshot is not None or job.kind is JobKind.SET_ASIDE):
                return await self._refused(job, snapshot, error)
            await self._failed(job, snapshot, error)
        except (discord.RateLimited, SetAside, *LostConnection) as error:
            await self._failed(job, snapshot, error)
        except Unreachable:
            if snapshot is not None:
                self._access.doubt(job)  # it may have been done, but not noted
            raise
        except Exception as error:
            log.exception("job failed", table=job.table_id, kind=job.kind)
            await self._failed(job, snapshot, error)
        return None

    async def _show(self, job: Job, snapshot: Snapshot | None) -> Shown | None:
        if snapshot is None:
            await self._jobs.announce(job)
            return None
        with self._at_place(place_of(snapshot.table), job):
            return await self._jobs.carry_out(snapshot, job)

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
            if not self._urgent[place]:
                del self._urgent[place]
                self.on_free(place)

    async def _refused(self, job: Job, snapshot: Snapshot | None, error: discord.HTTPException) -> Text | None:
        log.warning("job refused", table=job.table_id, kind=job.kind, code=error.code, error=error.text)
        # What the bot may not do now can still be done, and is still owed, when it has its permissions back.
        owed = job.kind in {JobKind.RETIRE, JobKind.REPLAY} and isinstance(error, discord.Forbidden)
        useless = job.kind in IDLE and not owed
        if error.code == UNKNOWN_CHANNEL or useless or job.tries >= len(REFUSED_RETRY):
            await self._finish(job)
        else:
            await self._postpone(job, REFUSED_RETRY[job.tries])
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
        await self._postpone(job, seconds)

    async def _postpone(self, job: Job, seconds: float) -> None:
        await self._outbox.postpone(job, seconds)
        self.on_later(self._access.sessions.now() + seconds)

    async def _finish(self, job: Job, shown: Shown | None = None, snapshot: Snapshot | None = None) -> None:
        following = await self._outbox.finish(job, shown)
        self._access.settled(job)
        for follower in following:
            if snapshot is not None and follower.due <= self._access.sessions.now():
                self.on_follow(follower, snapshot)
            else:
                self.on_later(follower.due)
        if job.kind in LEADING:
            self._access.stir()


def _ignore(*_: object) -> None:
    """What is called until somebody wants to know."""
