"""Queues: carries out the jobs of each place one after the other, and those of different places side by side.

What hangs in one channel delays no other: a queue that has been at the same job for some seconds does not count any more among
those that may run at once.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.outage import outages, unreachable
from bot.outbox.attempts import Attempts
from bot.outbox.loop import AFTER_TROUBLE, DueLoop
from bot.sessions import Sessions, Snapshot, work_in_background
from bot.sessions.outbox import Waiting
from storage.queues import IDLE, place_of
from storage.records import Job

AT_ONCE: Final = 16
"""How many queues may run at once, apart from those that hang: Discord takes fifty requests a second from a bot."""

OF_EACH: Final = 8
AT_A_LOOK: Final = 2 * AT_ONCE * OF_EACH
"""How many jobs are asked for at a time: so many of each queue, and of more queues than can run."""

HANGS: Final = 3.0
"""Seconds after which a queue that is still at the same job makes room for another."""

log = structlog.get_logger(__name__)


Due = tuple[Job, Snapshot | None]
"""A job that is due, and its table if it is known already."""


class Queues:
    """Runs the queues of the outbox in the background.

    The outbox is looked through when it is woken, and what was found is done before it is looked through again.

    Args:
        sessions: the service, which keeps the outbox.
        attempts: carries out single jobs.
        attempt: carries out a job, unless that has to wait; returns whether it was tried.
    """

    def __init__(
        self, sessions: Sessions, attempts: Attempts, attempt: Callable[[Job, Snapshot | None], Awaitable[bool]]
    ) -> None:
        self._sessions = sessions
        self._attempts = attempts
        self._attempt = attempt
        self._found: dict[str, list[Due]] = {}
        self._running: dict[str, list[Due]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._leases: dict[str, asyncio.TimerHandle] = {}
        self._waiting: set[str] = set()
        self._passed_over: set[str] = set()
        self._behind = False
        self._looking = False
        self._just_done: set[int] = set()
        """The jobs that were done while the outbox was looked through: what is found may still tell of them."""
        self._closed = False
        self._loop = DueLoop("outbox", self._start_due, sessions.now)
        attempts.on_free, attempts.on_later, attempts.on_follow = self._freed, self.wake_by, self._follow

    @property
    def busy(self) -> bool:
        """Whether anything is being done at this moment."""
        return self._loop.running or bool(self._running)

    def wake(self) -> None:
        """Look through the outbox: something may be due."""
        self._loop.wake()

    def wake_by(self, moment: float) -> None:
        """Look through the outbox at a moment, in seconds since the epoch, when something is due."""
        self._loop.wake_by(moment)

    def resume(self) -> None:
        """Go on with the queues that had to wait because of a job that `attempt` did not try."""
        if self._waiting:
            self._waiting.clear()
            self.wake()

    async def close(self) -> None:
        """Stop. What is being done is broken off."""
        self._closed = True
        await self._loop.close()
        for task in (tasks := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _start_due(self) -> float | None:
        """Start the queues in which something is due. Returns when something is due next, in seconds since the epoch."""
        now, held = self._sessions.now(), self._attempts.held
        for place in [place for place, until in held.items() if until <= now]:
            del held[place]
        if not self._start_found():
            return None  # woken when there is room again
        self._passed_over = self._occupied() - self._leases.keys()
        waiting = await self._look()
        for place, jobs in waiting.jobs.items():
            self._take(place, jobs)
        self._start_found()
        times = [waiting.next_due, *held.values()]
        return min((moment for moment in times if moment is not None), default=None)

    async def _look(self) -> Waiting:
        """What waits in the outbox, where nothing is passed over."""
        self._looking = True
        self._just_done.clear()
        try:
            return await self._sessions.outbox.waiting(self._passed_over, each=OF_EACH, limit=AT_A_LOOK)
        finally:
            self._looking = False

    def _take(self, place: str, jobs: tuple[Job, ...]) -> None:
        """Remember what is due in a place; if its queue is running, have it go on with what it does not know yet."""
        due = self._running.get(place) or self._found.get(place, [])
        known = self._just_done.union(job.id for job, _ in due)
        if new := [(job, None) for job in jobs if job.id not in known]:
            due = self._running[place] if place in self._running else self._found.setdefault(place, [])
            due.extend(new)
        if len(jobs) == OF_EACH:
            self._passed_over.add(place)  # there may be more

    def _start_found(self) -> bool:
        """Start the queues of what was found, as far as there is room. Returns whether there is room for more."""
        occupied = self._occupied()
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

    def _occupied(self) -> set[str]:
        return {*self._running, *self._waiting, *self._attempts.held, *self._attempts.posting()}

    def _start(self, place: str, due: list[Due]) -> None:
        if not self._closed:
            self._lease(place)
            self._running[place] = due
            task = asyncio.get_running_loop().create_task(self._run(place, due), name=f"springboard-outbox {place}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _follow(self, job: Job, snapshot: Snapshot) -> None:
        """Do what follows from something that was shown in the same place, if nothing else is to be done there."""
        place = place_of(snapshot.table)
        if (running := self._running.get(place)) is not None:
            running.append((job, snapshot))
        elif place in self._found or place in self._occupied():
            self._passed_over.add(place)
        elif len(self._leases) >= AT_ONCE:
            self._behind = True
        else:
            self._start(place, [(job, snapshot)])

    async def _run(self, place: str, due: list[Due]) -> None:
        work_in_background()
        try:
            await self._empty(place, due)
        except Exception as error:
            if (outage := unreachable(error)) is not None:
                outages.note(outage)
            else:
                log.exception("a queue failed", place=place)
            self._attempts.held[place] = self._sessions.now() + AFTER_TROUBLE
            self.wake_by(self._attempts.held[place])
        finally:
            del self._running[place]
            self._release(place)
            self._freed(place)

    async def _empty(self, place: str, due: list[Due]) -> None:
        """Carry out what is due in a queue, the most urgent first; what nobody waits for only if nothing else is done there."""
        for job, snapshot in due:
            if job.kind in IDLE and place in self._attempts.posting():
                self._passed_over.add(place)
                return
            self._lease(place)
            if not await self._attempt(job, snapshot):
                self._waiting.add(place)
                return
            if self._looking:
                self._just_done.add(job.id)

    def _freed(self, place: str) -> None:
        """Look through the outbox if something may be due in a place that was left out while something was done there."""
        if place in self._passed_over and place not in self._occupied():
            self._passed_over.discard(place)
            self.wake()

    def _lease(self, place: str) -> None:
        """Count a queue among those that may run at once, from now on until it hangs."""
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        self._leases[place] = asyncio.get_running_loop().call_later(HANGS, self._release, place)

    def _release(self, place: str) -> None:
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        if self._behind:
            self.wake()
