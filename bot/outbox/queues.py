"""Queues: carries out each place's jobs in order, and different places side by side. Long jobs make room for others."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

from bot.core.core import Core
from bot.core.jobs import Outbox, Waiting
from bot.core.table.snapshot import Snapshot
from bot.outbox.attempts import Attempts, Outcome
from bot.runtime.due_loop import AFTER_TROUBLE, FIRST_OUTAGE, DueLoop
from bot.runtime.outage import outages, unreachable
from storage.connections.priority_lock import work_in_background
from storage.schema.jobs import IDLE
from storage.schema.records import Job, JobKind

AT_ONCE: Final = 16
"""How many queues may run at once, apart from those that hang. Discord accepts fifty requests a second from a bot."""

OF_EACH: Final = 8
READ_AT_ONCE: Final = 2 * AT_ONCE * OF_EACH
"""How many jobs are read at a time, with at most OF_EACH from each queue. This fills more queues than can run."""

HANGS: Final = 3.0
"""Seconds after which a queue that is still busy with the same job makes room for another queue."""

log = structlog.get_logger(__name__)


Due = tuple[Job, Snapshot | None]
"""A due job, and its table if that is known."""


class Queues:
    """Runs the outbox queues in the background. When woken, it does all jobs it has found before it reads the outbox again."""

    def __init__(self, core: Core, attempts: Attempts) -> None:
        self._core = core
        self._attempts = attempts
        self._found: dict[str, list[Due]] = {}
        """The jobs found for queues that do not run yet, by place."""
        self._running: dict[str, list[Due]] = {}
        """The jobs of running queues, by place. A queue also does the jobs that are added to its list while it runs."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._leases: dict[str, asyncio.TimerHandle] = {}
        """The timers of the queues that count towards AT_ONCE. When its timer ends, a queue hangs and no longer counts."""
        self._held: dict[str, float] = {}
        """The places that cannot be used for now, with the times at which they can, in seconds since the epoch."""
        self._waiting: set[str] = set()
        """The places whose next job is left to the answer to a click."""
        self._passed_over: set[str] = set()
        """The places where more jobs may be due than were found."""
        self._answered: Counter[tuple[int | None, JobKind | None, str]] = Counter()
        self._behind = False
        self._reading = False
        self._just_done: set[int] = set()
        """The jobs done while the outbox was being read. What was read may still contain them."""
        self._closed = False
        self._loop = DueLoop("outbox", self._start_due, core.now)

    @property
    def busy(self) -> bool:
        """Whether anything is being done now."""
        return self._loop.running or bool(self._running)

    def wake(self) -> None:
        """Read the outbox, because something may be due."""
        self._loop.wake()

    def wake_by(self, moment: float) -> None:
        """Read the outbox at `moment`, in seconds since the epoch, when something is due."""
        self._loop.wake_by(moment)

    @contextmanager
    def answering(self, table_id: int, kind: JobKind | None, key: str = "") -> Iterator[None]:
        """Leave a table's job of this kind (None: no job) and key to the answer to a click while the block runs."""
        answered = (table_id, kind, key)
        self._answered[answered] += 1
        try:
            yield
        finally:
            self._answered[answered] -= 1
            self._answered += Counter()  # drops the entries that are zero
            if self._waiting:
                self._waiting.clear()
                self.wake()

    def is_being_answered(self, job: Job) -> bool:
        """Whether the answer to a click is about to show what a job would show."""
        return self._answered[job.table_id, job.kind, job.key] > 0

    def go_on(self, outcome: Outcome) -> None:
        """Continue after a job's attempt with the jobs that follow from it, and with those that had to wait for it."""
        if (place := outcome.place) is not None:
            if outcome.held_until is not None:
                self._held[place] = outcome.held_until
            for job in outcome.follows:  # at once, unless something else is to be done there first
                if (running := self._running.get(place)) is not None:
                    running.append((job, outcome.snapshot))
                elif place in self._found or place in self._occupied_places():
                    self._passed_over.add(place)
                elif len(self._leases) >= AT_ONCE:
                    self._behind = True
                else:
                    self._start(place, [(job, outcome.snapshot)])
            self._release_passed_over(place)
        if outcome.due is not None:
            self.wake_by(outcome.due)

    async def close(self) -> None:
        """Stop. Jobs in progress are broken off, and stay in the outbox."""
        self._closed = True
        await self._loop.close()
        for task in (tasks := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _start_due(self) -> float | None:
        """Start the queues that have due jobs. Returns when something is due next, in seconds since the epoch."""
        now = self._core.now()
        self._held = {place: until for place, until in self._held.items() if until > now}
        if not self._start_found():
            return None  # woken when there is room again
        self._passed_over = self._occupied_places() - self._leases.keys()
        waiting = await self._read()
        for place, jobs in waiting.jobs.items():
            self._take(place, jobs)
        self._start_found()
        times = [waiting.next_due, *self._held.values()]
        return min((moment for moment in times if moment is not None), default=None)

    async def _read(self) -> Waiting:
        """Read the due jobs in the outbox, except in the places that are passed over."""
        self._reading = True
        self._just_done.clear()
        try:
            return await self._core.service(Outbox).waiting(self._passed_over, each=OF_EACH, limit=READ_AT_ONCE)
        finally:
            self._reading = False

    def _take(self, place: str, jobs: tuple[Job, ...]) -> None:
        """Add a place's due jobs to its queue, except those already in it."""
        due = self._running.get(place) or self._found.get(place, [])
        known = self._just_done.union(job.id for job, _ in due)
        if new := [(job, None) for job in jobs if job.id not in known]:
            due = self._running[place] if place in self._running else self._found.setdefault(place, [])
            due.extend(new)
        if len(jobs) == OF_EACH:
            self._passed_over.add(place)  # there may be more

    def _start_found(self) -> bool:
        """Start the queues of the jobs found, as far as there is room. Returns whether there is room for more."""
        occupied = self._occupied_places()
        for place in list(self._found):
            if len(self._leases) >= AT_ONCE:
                break
            due = self._found.pop(place)
            if place in occupied:
                self._passed_over.add(place)
            else:
                self._start(place, due)
        self._behind = len(self._leases) >= AT_ONCE
        return not self._behind

    def _occupied_places(self) -> set[str]:
        """Return the places where no queue may be started now."""
        return {*self._running, *self._waiting, *self._held, *self._attempts.urgent}

    def _start(self, place: str, due: list[Due]) -> None:
        if not self._closed:
            self._lease(place)
            self._running[place] = due
            task = asyncio.get_running_loop().create_task(self._run(place, due), name=f"springboard-outbox {place}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, place: str, due: list[Due]) -> None:
        """Carry out a place's jobs in order, until no job is left or the place has to wait.

        An idle job waits for an urgent one in the same place. Any job waits if the answer to a click is about to show the same
        thing. After an error that no attempt has handled, the place is held for a while.
        """
        work_in_background()
        try:
            for job, snapshot in due:
                if job.kind in IDLE and place in self._attempts.urgent:
                    self._passed_over.add(place)
                    break
                self._lease(place)
                if self.is_being_answered(job):
                    self._waiting.add(place)
                    break
                self.go_on(await self._attempts.attempt(job, snapshot))
                if self._reading:  # the reading may still find this job
                    self._just_done.add(job.id)
        except Exception as error:
            if (outage := unreachable(error)) is not None:
                outages.note(outage)
            else:
                log.exception("a queue failed", place=place)
            # After an outage the first look at what is due shows whether it is over.
            self._held[place] = self._core.now() + (AFTER_TROUBLE if outage is None else FIRST_OUTAGE)
            self.wake_by(self._held[place])
        finally:
            del self._running[place]
            self._release(place)
            self._release_passed_over(place)

    def _release_passed_over(self, place: str) -> None:
        """Read the outbox again if a place that was passed over is now free."""
        if place in self._passed_over and place not in self._occupied_places():
            self._passed_over.discard(place)
            self.wake()

    def _lease(self, place: str) -> None:
        """Count a queue towards those that may run at once, until it hangs."""
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        self._leases[place] = asyncio.get_running_loop().call_later(HANGS, self._release, place)

    def _release(self, place: str) -> None:
        """No longer count a queue towards those that may run at once."""
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        if self._behind:
            self.wake()
