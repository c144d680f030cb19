"""The one clock of the bot: rings when a deadline or a reminder is due, and is set anew whenever a table changes."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from bot.sessions import Sessions

LONGEST_WAIT: Final = 6 * 3600.0
"""Seconds after which the clock looks again in any case: the computer may have slept."""
AFTER_TROUBLE: Final = 30.0

log = structlog.get_logger(__name__)


class Clock:
    """Rings when something is due.

    Args:
        sessions: the service; what is due is asked of it, and done by it.
        rung: called when something was done, so that Discord is told.
    """

    def __init__(self, sessions: Sessions, rung: Callable[[], None]) -> None:
        self._sessions = sessions
        self._rung = rung
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        self._again = False
        self._closed = False
        sessions.repository.on_change = self.set

    def set(self) -> None:
        """Look what is due, and set the timer for what is due next."""
        if self._closed:
            return
        if self._looking is not None and not self._looking.done():
            self._again = True
            return
        self._looking = asyncio.get_running_loop().create_task(self._look(), name="springboard-clock")

    async def close(self) -> None:
        """Stop. Deadlines are kept in the database, and are looked at again at the next start."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _look(self) -> None:
        wait = LONGEST_WAIT
        try:
            while True:
                self._again = False
                if await self._sessions.timing.sweep():
                    self._rung()
                    continue
                due = await self._sessions.timing.next_due()
                if not self._again:
                    break
            if due is not None:
                wait = min(wait, max(0.0, due - self._sessions.repository.now()))
        except Exception:
            log.exception("the clock failed")
            wait = AFTER_TROUBLE
            self._rung()
        if not self._closed:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(wait, self.set)
