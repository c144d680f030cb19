"""Attempts: carries out single outbox jobs according to their kinds, and returns an `Outcome` for each.

A job only says *that* something has to be shown. The table is read when the job is carried out, so several quick changes take
only one message. The jobs that features add are described in `bot.outbox.jobs`.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.core.jobs import Outbox, Shown
from bot.core.places import Places
from bot.core.table.errors import NoSuchTable, Quarantined
from bot.core.table.snapshot import Snapshot
from bot.messages.notices import BUILDERS
from bot.messages.pictures import DRAWN_WITHIN
from bot.outbox.access import Access, GivenUp, Handler, Later, LostConnection
from bot.outbox.boards import Boards
from bot.outbox.direct_messages import send_direct_message, tell_of_doubted_clock
from bot.outbox.jobs import Jobs
from bot.outbox.lobbies import Lobbies
from bot.outbox.notices import send_invitation, send_notice
from bot.outbox.openings import UNPLACED, Openings, lacks_place
from bot.outbox.permissions import NO_PLACE, UNKNOWN_CHANNEL, explain_refusal
from bot.outbox.quarantine import announce_quarantine
from bot.outbox.refusals import is_refusal, may_have_been_done, seconds_until_refused_retry, seconds_until_retry
from bot.outbox.threads import dismiss
from engines.text import Text
from storage.schema.errors import Unreachable
from storage.schema.jobs import IDLE, place_of, shares
from storage.schema.records import Job, JobKind

TIME_LIMIT: Final = 60.0
"""Seconds that an attempt may take, including discord.py's retries and short rate limits."""

IDLE_TIME_LIMIT: Final = 10.0
"""Seconds that an edit may take if nobody waits for it. Discord makes bots wait long for edits of old messages."""

TIME_LIMITS: Final = {
    JobKind.RETIRE: IDLE_TIME_LIMIT,
    **dict.fromkeys((JobKind.REFRESH, JobKind.POST_EDIT), DRAWN_WITHIN + IDLE_TIME_LIMIT),
}
"""The time limits of edits that nobody waits for. They are long enough for words to replace a picture that cannot be drawn."""

ON_TABLE: Final = frozenset({JobKind.BOARD, JobKind.REFRESH, JobKind.LOBBY, JobKind.OPENING})
"""The jobs that change a table's messages, of which each table carries out only one at a time."""

LEADING: Final = frozenset({JobKind.LOBBY, JobKind.OPENING, JobKind.INVITATION})
"""The jobs that may make other jobs due."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempted job.

    Attributes:
        refusal: why Discord refused it, for the person whose click led to it, or None.
        place: where it was carried out, or None.
        snapshot: the table before the attempt, or None if the table was not read.
        follows: the jobs that follow from it in the same place and are already due.
        due: when something becomes due because of it, in seconds since the epoch. 0.0 means perhaps now, and None means never.
        held_until: when the place can be used again, in seconds since the epoch, or None if it can be used now.
    """

    refusal: Text | None = None
    place: str | None = None
    snapshot: Snapshot | None = None
    follows: tuple[Job, ...] = ()
    due: float | None = None
    held_until: float | None = None


class Attempts:
    """Carries out jobs. `without_table` has the handlers of jobs about no table. `urgent` counts jobs in progress by place."""

    def __init__(self, access: Access, jobs: Sequence[Jobs]) -> None:
        self._access = access
        self._jobs = jobs
        lobbies = Lobbies(access)
        self._openings = Openings(access, lobbies)
        notices = {**BUILDERS, **{kind: build for each in jobs for kind, build in each.notices.items()}}
        self._handlers: Final[Mapping[JobKind, Handler]] = {
            **Boards(access, {kind: said for each in jobs for kind, said in each.settled.items()}).handlers(),
            **lobbies.handlers(),
            **self._openings.handlers(),
            **{kind: partial(send_notice, access, build) for kind, build in notices.items()},
            JobKind.INVITATION: partial(send_invitation, access),
            JobKind.LETTER: partial(send_direct_message, access),
            JobKind.DISMISSAL: partial(dismiss, access),
            **{kind: partial(carry_out, access) for each in jobs for kind, carry_out in each.about_tables.items()},
        }
        self._shared: Final[Mapping[JobKind, Handler]] = {
            kind: partial(carry_out, access) for each in jobs for kind, carry_out in each.shared.items()
        }
        self.without_table: dict[JobKind, Callable[[Job], Awaitable[None]]] = {
            **{kind: partial(carry_out, access) for each in jobs for kind, carry_out in each.about_none.items()},
            JobKind.CLOCK_DOUBTED: partial(tell_of_doubted_clock, access),
        }
        self._outbox = access.core.service(Outbox)
        self._locks: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()
        self._refreshing: dict[int, asyncio.Timeout] = {}
        self.urgent: Counter[str] = Counter()

    def make_way(self, table_id: int) -> None:
        """Break off an edit of the table's board that nobody waits for. The edit is made later."""
        if (scope := self._refreshing.get(table_id)) is not None:
            scope.reschedule(asyncio.get_running_loop().time())

    def lock_of_table(self, table_id: int) -> asyncio.Lock:
        """Return the lock for changing a table's messages. It exists as long as something refers to it."""
        return self._locks.setdefault(("table", table_id), asyncio.Lock())

    async def attempt(self, job: Job, snapshot: Snapshot | None = None) -> Outcome:
        """Carry out one job, then delete or postpone it. If a snapshot is given, the job is known to be still waiting."""
        if job.kind is JobKind.WATCH and job.table_id is not None:
            async with self.lock_of_table(job.table_id):
                pass  # wait for a board that is being posted, since the news leads to it
        on_table = job.kind in ON_TABLE and job.table_id is not None
        key = ("table", job.table_number) if on_table else ("job", job.id)
        async with self._locks.setdefault(key, asyncio.Lock()):
            return await self.attempt_locked(job, snapshot)

    async def attempt_locked(self, job: Job, snapshot: Snapshot | None) -> Outcome:
        """Carry out one job as `attempt` does, while the caller holds the lock: for jobs `ON_TABLE`, the table's lock."""
        # Whether no table is read, because the job is about none, or says that its table cannot be read.
        alone = job.table_id is None or job.kind is JobKind.SET_ASIDE
        if alone and not await self._outbox.waits(job):
            return Outcome()
        in_doubt = self._access.in_doubt(job)
        try:
            if not alone and snapshot is None:
                snapshot = await self._outbox.table_of(job)
                if snapshot is None:
                    return Outcome()  # another attempt was faster while this one waited for the lock
            shown = await self._show(job, snapshot)
            outcome = await self._finish(job, shown, snapshot)
        except NoSuchTable:
            outcome = await self._finish(job)
        except GivenUp as given_up:
            outcome = replace(await self._finish(job), refusal=given_up.text, due=0.0)
        except discord.HTTPException as error:
            if is_refusal(error) and (snapshot is not None or alone):
                outcome = await self._put_off_refused(job, snapshot, error)
            else:
                outcome = await self._put_off(job, snapshot, error)
        except (discord.RateLimited, Later, Quarantined, *LostConnection) as error:
            outcome = await self._put_off(job, snapshot, error)
        except Unreachable:
            if snapshot is not None or alone:
                self._access.doubt(job)  # it may have been done without being recorded
            raise
        except Exception as error:
            log.exception("job failed", **_log_fields(job))
            outcome = await self._put_off(job, snapshot, error)
        # A table that has its place now, and a board that was found, may have led to other jobs, however the attempt has ended.
        led = snapshot is not None and (lacks_place(snapshot, job) or (in_doubt and job.kind is JobKind.BOARD))
        place = job.place if snapshot is None else place_of(snapshot.table)
        return replace(outcome, place=place, snapshot=snapshot, due=0.0 if led else outcome.due)

    async def _show(self, job: Job, snapshot: Snapshot | None) -> Shown | None:
        """Carry out a job, and return what to record. Raises GivenUp, Discord's refusal, or LookupError without a handler."""
        async with self._limits(job, job.place if snapshot is None else place_of(snapshot.table)):
            if job.table_id is None:
                await self.without_table[job.kind](job)
                return None
            if snapshot is None:
                await announce_quarantine(self._access, job)
                return None
            try:
                return await self._show_table(snapshot, job)
            except discord.NotFound as error:
                if error.code != UNKNOWN_CHANNEL or snapshot.table.thread_id is None or job.kind in UNPLACED or shares(job):
                    raise
                return await self._show_table(await self._access.core.service(Places).record_lost_thread(job.table_id), job)

    async def _show_table(self, snapshot: Snapshot, job: Job) -> Shown | None:
        """Carry out a job about a table once the table has its place. Of a solo game, only what its player shares is posted."""
        handlers = self._shared if shares(job) else self._handlers
        if snapshot.table.solo:
            return await handlers[job.kind](snapshot, job) if job.kind is JobKind.LETTER or shares(job) else None
        placed = await self._openings.give_place(snapshot, job)
        if job.kind is JobKind.INVITATION and not await self._outbox.waits(job):
            return None
        return await handlers[job.kind](placed, job)

    @asynccontextmanager
    async def _limits(self, job: Job, place: str | None) -> AsyncIterator[None]:
        """Raise TimeoutError if the block takes too long or must make way. If the job is not idle, count it as `urgent`."""
        urgent = None if job.kind in IDLE else place
        async with asyncio.timeout(TIME_LIMITS.get(job.kind, TIME_LIMIT)) as scope:
            if job.kind is JobKind.REFRESH:
                self._refreshing[job.table_number] = scope
            if urgent is not None:
                self.urgent[urgent] += 1
            try:
                yield
            finally:
                if job.kind is JobKind.REFRESH and self._refreshing.get(job.table_number) is scope:
                    del self._refreshing[job.table_number]
                if urgent is not None:
                    self.urgent[urgent] -= 1
                    if not self.urgent[urgent]:
                        del self.urgent[urgent]

    async def _put_off_refused(self, job: Job, snapshot: Snapshot | None, error: discord.HTTPException) -> Outcome:
        """Put off a job that Discord has refused, or drop it if another attempt is no use."""
        log.warning("job refused", **_log_fields(job), code=error.code, error=error.text)
        # What the bot may not do now is still owed, and can still be done once it has its permissions back.
        owed = job.kind in {JobKind.RETIRE, JobKind.REPLAY, JobKind.POST_EDIT} and isinstance(error, discord.Forbidden)
        useless = job.kind in IDLE and not owed
        seconds = seconds_until_refused_retry(job)
        if error.code in NO_PLACE or useless or seconds is None:
            outcome = await self._finish(job)
            for refused in (each.refused[job.kind] for each in self._jobs if job.kind in each.refused):
                await refused(self._access, job, snapshot, error.code)
        else:
            await self._outbox.postpone_refused(job, seconds, error.code, snapshot)
            # People are told directly that a board was refused, perhaps at once.
            outcome = Outcome(due=0.0 if job.kind is JobKind.BOARD else self._access.core.now() + seconds)
        if job.kind in IDLE or snapshot is None:
            return outcome
        return replace(outcome, refusal=explain_refusal(self._access.client, snapshot, error))

    async def _put_off(self, job: Job, snapshot: Snapshot | None, error: Exception) -> Outcome:
        """Put off a job that has failed, or drop it if nothing depends on it."""
        if may_have_been_done(error):
            self._access.doubt(job)
        seconds = seconds_until_retry(job, error)
        if seconds is None:
            log.info("an old message stays as it is", **_log_fields(job), error=repr(error))
            return await self._finish(job)
        limited = isinstance(error, discord.RateLimited) and job.kind not in IDLE
        held_until = self._access.core.now() + seconds if limited else None
        log.warning("job put off", **_log_fields(job), seconds=round(seconds), error=repr(error))
        await self._outbox.postpone(job, seconds)
        return Outcome(due=self._access.core.now() + seconds, held_until=held_until)

    async def _finish(self, job: Job, shown: Shown | None = None, snapshot: Snapshot | None = None) -> Outcome:
        """Delete a job that is done or dropped, and record what it has shown."""
        following = await self._outbox.finish(job, shown)
        self._access.forget_doubt(job)
        now = self._access.core.now()
        at_once = () if snapshot is None else tuple(follower for follower in following if follower.due <= now)
        due = [follower.due for follower in following if follower not in at_once]
        if job.kind in LEADING or (shown is not None and shown.questions):
            due.append(0.0)
        return Outcome(follows=at_once, due=min(due, default=None))


def _log_fields(job: Job) -> dict[str, object]:
    subject = {"subject": job.subject} if job.table_id is None else {"table": job.table_id}
    return {**subject, "kind": job.kind}
