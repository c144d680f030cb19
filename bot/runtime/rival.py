"""Notes that another process uses the bot's token. Discord tells both processes of every press, and either may answer first.

Both connections stay open, so the gateway gives no sign of this. The first sign is that Discord refuses an answer that was sent
only once, because the interaction has already been acknowledged (40060).
"""

import time
from collections.abc import Callable
from typing import Final

import structlog

from bot.runtime import metrics

HOLDS_FOR: Final = 3600.0
"""Seconds after the last sign until which the other process counts as running."""

COMPLAINT: Final = (
    "Another process uses the bot's token, and has answered a press before this one. Stop it; if you don't know where it "
    "runs, make a new token in the developer portal, under Bot, Reset Token, and give it to this bot alone."
)

log = structlog.get_logger(__name__)


class RivalLog:
    """Keeps the signs, and logs one line for as long as they last. `clock` returns the time in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None

    @property
    def complaint(self) -> str | None:
        """What the operator has to know if another process has used the token in the last hour, or None."""
        return COMPLAINT if self._last is not None and self._clock() - self._last < HOLDS_FOR else None

    def note(self, interaction: int) -> None:
        """Note that another process has answered an interaction."""
        metrics.RIVALS.inc()
        if self.complaint is None:
            log.error("another process uses the token", interaction=interaction, remedy=COMPLAINT)
        self._last = self._clock()


rivals: Final = RivalLog()
"""The signs of another process that this process has seen."""
