"""Clock handles deadlines and reminders when they are due."""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.core.clocks.membership import Membership
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.runtime.due_loop import DueLoop
from bot.workers.thinking import thinking

LONGEST_PAUSE: Final = 1.0
"""The longest pause, in seconds, between two tables at which something is due."""


class Clock:
    """Handles what is due, one table after another. After each table, it pauses for as long as the processor was used.

    It also has the keepers of all features handle what is due, and forgets servers that removed the bot long ago. `on_swept`
    shows in Discord what was done.
    """

    def __init__(self, core: Core, on_swept: Callable[[], None]) -> None:
        self._core = core
        self._keepers = (*core.parts.keepers(core), core.service(Membership))
        self._on_swept = on_swept
        self._loop = DueLoop("clock", self._sweep, core.now)
        core.listen(self._loop.wake_by)

    def wake(self) -> None:
        """Check what is due, because something may be due by now, or at another time than before."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Deadlines are in the database, and are checked again at the next start."""
        await self._loop.close()

    async def _sweep(self) -> float | None:
        """Handle everything that is due. Returns when something is due next, in seconds since the epoch, or None."""
        errors: list[Exception] = []
        while await self._batch(errors):
            self._on_swept()
        if errors:
            raise ExceptionGroup("something went wrong at some tables", errors)
        for keeper in self._keepers:
            while await keeper.sweep():
                self._on_swept()
        due = [await self._core.service(Timing).next_due(), *[await keeper.next_due() for keeper in self._keepers]]
        return min((moment for moment in due if moment is not None), default=None)

    async def _batch(self, errors: list[Exception]) -> bool:
        """Handle a batch of tables. Returns whether there were any. Errors at single tables are added to `errors`."""
        try:
            return len(await self._core.service(Timing).sweep(self._pause, thinking)) > 0
        except ExceptionGroup as group:
            errors.extend(group.exceptions)
            return True

    async def _pause(self, seconds: float) -> None:
        """Show in Discord what was done, and leave the processor to other work for as long as it was used."""
        self._on_swept()
        await asyncio.sleep(min(LONGEST_PAUSE, seconds))
