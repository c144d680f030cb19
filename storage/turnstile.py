"""Turnstile: lets one in at a time, those whom somebody waits for before those whom nobody waits for."""

import asyncio
from collections import deque
from contextvars import ContextVar
from typing import Final

OVERTAKEN_AT_MOST: Final = 8
"""How often those in the background are overtaken in a row, before one of them is let in although others wait."""

_in_background: ContextVar[bool] = ContextVar("in_background", default=False)


def work_in_background() -> None:
    """Have this task, and those that it starts from now on, let others go first, because nobody waits for what it does."""
    _in_background.set(True)


def in_background() -> bool:
    """Whether this task has others go first, see `work_in_background`."""
    return _in_background.get()


class Turnstile:
    """A lock that is fair: within the foreground and within the background, those who came first are let in first."""

    def __init__(self) -> None:
        self._taken = False
        self._foreground: deque[asyncio.Future[None]] = deque()
        self._background: deque[asyncio.Future[None]] = deque()
        self._overtaken = 0

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *_: object) -> None:
        self.release()

    async def acquire(self) -> None:
        """Wait until it is free, and take it."""
        if not self._taken:
            self._taken = True
            return
        queue = self._background if in_background() else self._foreground
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                queue.remove(turn)
            else:  # it was this one's turn already, and is now that of the next
                self.release()
            raise

    def release(self) -> None:
        """Let the next one in."""
        turn = self._next()
        if turn is None:
            self._taken = False
        else:
            turn.set_result(None)

    def _next(self) -> asyncio.Future[None] | None:
        """Whose turn it is. Those who have given up in this very moment are left out: they take themselves off the queue."""
        foreground = next((turn for turn in self._foreground if not turn.done()), None)
        background = next((turn for turn in self._background if not turn.done()), None)
        if foreground is not None and (background is None or self._overtaken < OVERTAKEN_AT_MOST):
            self._overtaken = 0 if background is None else self._overtaken + 1
            self._foreground.remove(foreground)
            return foreground
        self._overtaken = 0
        if background is not None:
            self._background.remove(background)
        return background
