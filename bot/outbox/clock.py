"""The bot's clock: has deadlines and reminders handled when they are due."""

from collections.abc import Callable

import structlog

from bot.outbox.loop import DueLoop
from bot.sessions import Sessions

log = structlog.get_logger(__name__)


class Clock:
    """Sweeps the tables when something is due at one of them, and forgets servers that the bot was removed from long ago.

    Args:
        sessions: the service, which knows what is due and handles it.
        on_swept: called when something was done, so that it is shown in Discord.
    """

    def __init__(self, sessions: Sessions, on_swept: Callable[[], None]) -> None:
        self._sessions = sessions
        self._on_swept = on_swept
        self._loop = DueLoop("clock", self._sweep, sessions.now)
        sessions.on_change(self.wake)

    def wake(self) -> None:
        """Check what is due: something may have fallen due, or have been moved to another time."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Deadlines are in the database, and are checked again at the next start."""
        await self._loop.close()

    async def _sweep(self) -> float | None:
        try:
            while await self._sessions.timing.sweep():
                self._on_swept()
        except Exception:
            self._on_swept()  # what was done at the other tables still has to be shown
            raise
        for guild_id in await self._sessions.membership.forget_due():
            log.info("forgot a server that the bot was removed from", server=guild_id)
        due = (await self._sessions.timing.next_due(), await self._sessions.membership.next_due())
        return min((moment for moment in due if moment is not None), default=None)
