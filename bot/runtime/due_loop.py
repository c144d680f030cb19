"""DueLoop does work that is due, and sleeps until something is due again. The outbox and every loop in `bot.loops` use one."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.runtime.backoff import backoff
from bot.runtime.outage import outages, unreachable
from storage.connections.priority_lock import work_in_background

LONGEST_SLEEP: Final = 6 * 3600.0
"""Seconds after which the loop checks again in any case, since the machine may have been suspended."""

AFTER_TROUBLE: Final = 30.0
"""Seconds after which the loop retries when its work has failed."""

FIRST_OUTAGE: Final = 2.0
"""Seconds after which the loop first retries when the database is unreachable. `backoff` raises them up to AFTER_TROUBLE."""

log = structlog.get_logger(__name__)


class DueLoop:
    """Runs `work` when woken and when something is due. `work` does all that is due, and returns the next time, or None."""

    def __init__(self, name: str, work: Callable[[], Awaitable[float | None]], now: Callable[[], float]) -> None:
        self._name = name
        self._work = work
        self._now = now
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._until = math.inf
        self._woken = False
        self._closed = False
        self._outages = 0

    @property
    def running(self) -> bool:
        """Whether the work is being done at this moment."""
        return self._task is not None and not self._task.done()

    def wake(self) -> None:
        """Do the work now. If it is being done already, do it once more afterwards, since it may have checked too early."""
        if self._closed:
            return
        if self.running:
            self._woken = True
            return
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"springboard-{self._name}")

    def wake_by(self, moment: float) -> None:
        """Do the work at `moment`, in seconds since the epoch, unless it is to be done earlier anyway."""
        if self.running:
            self._until = min(self._until, moment)
        elif self._timer is None or moment <= self._now():
            self.wake()
        elif moment < self._until:
            self._sleep(moment)

    async def wait(self) -> None:
        """Wait until the current work ends, whether it succeeds or fails."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def close(self) -> None:
        """Stop for good, cancelling the current work."""
        self._closed = True
        self._disarm()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        work_in_background()
        try:
            self._woken = True
            while self._woken:
                self._woken, self._until = False, math.inf
                due = await self._work()
            until = self._until if due is None else min(self._until, due)
            self._outages = 0
        except Exception as error:
            outage = unreachable(error)
            if outage is None:
                log.exception("a loop failed", loop=self._name)
                until = self._now() + AFTER_TROUBLE
            else:
                outages.note(outage)
                until = self._now() + backoff(self._outages, first=FIRST_OUTAGE, longest=AFTER_TROUBLE)
                self._outages += 1
        self._sleep(until)

    def _sleep(self, until: float) -> None:
        """Sleep until a given time, or until woken, but no longer than LONGEST_SLEEP."""
        self._disarm()
        if not self._closed:
            seconds = min(LONGEST_SLEEP, max(0.0, until - self._now()))
            self._until = self._now() + seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self.wake)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
