"""Logs that the database is unreachable, at most once a minute, however many commands fail."""

import time
from collections.abc import Callable
from typing import Final

import structlog

from storage.schema.errors import LeaseLost, Unreachable

EVERY: Final = 60.0
"""Seconds between two log lines about the same outage."""

log = structlog.get_logger(__name__)


def unreachable(error: BaseException) -> Unreachable | None:
    """Return the error of an unreachable database, which is `error` itself or part of a group of errors, or else None."""
    if isinstance(error, Unreachable):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((found for one in error.exceptions if (found := unreachable(one)) is not None), None)
    return None


class OutageLog:
    """Logs outages. `clock` returns the time in seconds, counted from any starting point."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._since = 0

    def note(self, error: Unreachable) -> None:
        """Note that something has failed because the database is unreachable."""
        if isinstance(error, LeaseLost):
            log.info("not written, since another process has taken over", reason=str(error))
            return
        now = self._clock()
        if self._last is not None and 0 <= now - self._last < EVERY:
            self._since += 1
            return
        log.error("database unreachable", reason=str(error), unreported=self._since)
        self._last, self._since = now, 0


outages: Final = OutageLog()
"""The outage log of this process."""
