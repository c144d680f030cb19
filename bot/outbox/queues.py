"""Queues: carries out the jobs of each place in order, and places side by side; long jobs leave room for others."""

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
"""How many queues may run at once, apart from those that hang: Discord takes fifty requests a second from a bot."""

OF_EACH: Final = 8
READ_AT_ONCE: Final = 2 * AT_ONCE * OF_EACH
"""How many jobs are read at a time: at most OF_EACH of a queue, from more queues than can run."""

HANGS: Final = 3.0
"""Seconds after which a queue still busy with the same job makes room for another."""

log = structlog.get_logger(__name__)


Due = tuple[Job, Snapshot | None]
"""A due job, and its table if known."""


class Queues:
    """Runs the outbox queues in the background, and does all jobs found before it reads the outbox again when woken."""

    def __init__(self, core: Core, attempts: Attempts) -> None:
        self._core = core
        self._attempts = attempts
        self._found: dict[str, list[Due]] = {}
        """The jobs found, by place, of queues that do not run yet."""
        self._running: dict[str, list[Due]] = {}
        """The jobs of running queues, which go on with what is added to their lists."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._leases: dict[str, asyncio.TimerHandle] = {}
        """The queues that count among those that may run at once, each with the timer by which it hangs."""
        self._held: dict[str, float] = {}
        """The places that cannot be used for now, and when they can, in seconds since the epoch."""
        self._waiting: set[str] = set()
        """The places whose next job is left to the answer to a click."""
        self._passed_over: set[str] = set()
        """The places where more jobs may be due than were found."""
        self._answered: Counter[tuple[int | None, JobKind | None, str]] = Counter()
        self._behind = False
        self._reading = False
        self._just_done: set[int] = set()
        """The jobs done while the outbox was read, which may still contain them."""
        self._closed = False
        self._loop = DueLoop("outbox", self._start_due, core.now)

    @property
    def busy(self) -> bool:
        """Whether anything is being done now."""
        return self._loop.running or bool(self._running)

    def wake(self) -> None:
        """Read the outbox: something may be due."""
        self._loop.wake()

    def wake_by(self, moment: float) -> None:
        """Read the outbox at a moment, in seconds since the epoch, when something is due."""
        self._loop.wake_by(moment)

    @contextmanager
    def answering(self, table_id: int, kind: JobKind | None, key: str = "") -> Iterator[None]:
        """In the block, leave a table's job of this kind (None: of none) and key to the answer to a click."""
        answered = (table_id, kind, key)
        self._answered[answered] += 1
        try:
            yield
        finally:
            self._answered[answered] -= 1
            self._answered += Counter()  # leaves out what has come to zero
            if self._waiting:
                self._waiting.clear()
                self.wake()

    def is_being_answered(self, job: Job) -> bool:
        """Whether the answer to a click is about to show what a job would."""
        return self._answered[job.table_id, job.kind, job.key] > 0

    def go_on(self, outcome: Outcome) -> None:
        """Go on after a job's attempt: with jobs that follow from it, and those that had to wait for it."""
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
        """Start the queues in which something is due. Returns when something is due next, in seconds since the epoch."""
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
        """Read what is due in the outbox, except in the places that are passed over."""
        self._reading = True
        self._just_done.clear()
        try:
            return await self._core.service(Outbox).waiting(self._passed_over, each=OF_EACH, limit=READ_AT_ONCE)
        finally:
            self._reading = False

    def _take(self, place: str, jobs: tuple[Job, ...]) -> None:
        """Add a place's due jobs to its queue, except those that it already has."""
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
        """The places where no queue may be started now."""
        return {*self._running, *self._waiting, *self._held, *self._attempts.urgent}

    def _start(self, place: str, due: list[Due]) -> None:
        if not self._closed:
            self._lease(place)
            self._running[place] = due
            task = asyncio.get_running_loop().create_task(self._run(place, due), name=f"springboard-outbox {place}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, place: str, due: list[Due]) -> None:
        """Carry out a place's jobs in order, until none is left or the place has to wait.

        An idle job waits for an urgent one in the same place, and any job for the answer to a click that will show the same.
        After an error that no attempt has handled, the place is held for a while.
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
                if self._reading:  # which may still find this job
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
        """Count a queue among those that may run at once, until it hangs."""
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        self._leases[place] = asyncio.get_running_loop().call_later(HANGS, self._release, place)

    def _release(self, place: str) -> None:
        """Count a queue no longer among those that may run at once."""
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        if self._behind:
            self.wake()
