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
from bot.sessions import Sessions
from storage.queues import IDLE
from storage.records import Job

AT_ONCE: Final = 16
"""How many queues may run at once, apart from those that hang: Discord takes fifty requests a second from a bot."""

HANGS: Final = 3.0
"""Seconds after which a queue that is still at the same job makes room for another."""

log = structlog.get_logger(__name__)


class Queues:
    """Runs the queues of the outbox in the background.

    Args:
        sessions: the service, which keeps the outbox.
        attempts: carries out single jobs.
        attempt: carries out a job, unless that has to wait; returns whether it was tried.
    """

    def __init__(self, sessions: Sessions, attempts: Attempts, attempt: Callable[[Job], Awaitable[bool]]) -> None:
        self._sessions = sessions
        self._attempts = attempts
        self._attempt = attempt
        self._running: dict[str, asyncio.Task[None]] = {}
        self._leases: dict[str, asyncio.TimerHandle] = {}
        self._waiting: set[str] = set()
        self._closed = False
        self._loop = DueLoop("outbox", self._start_due, sessions.now)

    @property
    def busy(self) -> bool:
        """Whether anything is being done at this moment."""
        return self._loop.running or bool(self._running)

    def wake(self) -> None:
        """Check the outbox: something may be due."""
        self._loop.wake()

    def resume(self) -> None:
        """Go on with the queues that had to wait because of a job that `attempt` did not try."""
        if self._waiting:
            self._waiting.clear()
            self.wake()

    async def close(self) -> None:
        """Stop. What is being done is broken off."""
        self._closed = True
        await self._loop.close()
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _start_due(self) -> float | None:
        """Start the queues in which something is due. Returns when something is due next, in seconds since the epoch."""
        now, held = self._sessions.now(), self._attempts.held
        for place in [place for place, until in held.items() if until <= now]:
            del held[place]
        while (free := AT_ONCE - len(self._leases)) > 0:
            due = await self._sessions.outbox.queues(self._occupied(), free)
            if not due:
                times = [await self._sessions.outbox.next_due(self._occupied()), *held.values()]
                return min((moment for moment in times if moment is not None), default=None)
            for place in due:
                self._start(place)
        return None  # woken when there is room again

    def _occupied(self) -> set[str]:
        return {*self._running, *self._waiting, *self._attempts.held, *self._attempts.posting()}

    def _start(self, place: str) -> None:
        if not self._closed and place not in self._running:
            self._lease(place)
            self._running[place] = asyncio.get_running_loop().create_task(self._run(place), name=f"springboard-outbox {place}")

    async def _run(self, place: str) -> None:
        try:
            await self._empty(place)
        except Exception as error:
            if (outage := unreachable(error)) is not None:
                outages.note(outage)
            else:
                log.exception("a queue failed", place=place)
            self._hold(place, AFTER_TROUBLE)
        finally:
            del self._running[place]
            self._release(place)

    async def _empty(self, place: str) -> None:
        """Carry out what is due in a queue, the most urgent first; what nobody waits for only if nothing else is done there."""
        while (job := await self._sessions.outbox.first(place)) is not None:
            if job.kind in IDLE and place in self._attempts.posting():
                return
            self._lease(place)
            if not await self._attempt(job):
                self._waiting.add(place)
                return

    def _hold(self, place: str, seconds: float) -> None:
        self._attempts.held[place] = self._sessions.now() + seconds

    def _lease(self, place: str) -> None:
        """Count a queue among those that may run at once, from now on until it hangs."""
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        self._leases[place] = asyncio.get_running_loop().call_later(HANGS, self._release, place)

    def _release(self, place: str) -> None:
        if (lease := self._leases.pop(place, None)) is not None:
            lease.cancel()
        self.wake()
