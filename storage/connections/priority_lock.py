"""A lock with two priorities. Tasks that people are waiting for go before tasks that nobody is waiting for."""

import asyncio
from collections import deque
from contextvars import ContextVar
from typing import Final

OVERTAKEN_AT_MOST: Final = 8
"""How many foreground tasks in a row may go first while a background task is waiting. Then a background task has its turn."""

_in_background: ContextVar[bool] = ContextVar("in_background", default=False)


def work_in_background() -> None:
    """Make this task, and the tasks it starts from now on, give way to others, because nobody is waiting for them."""
    _in_background.set(True)


def in_background() -> bool:
    """Return whether this task gives way to others. See `work_in_background`."""
    return _in_background.get()


class PriorityLock:
    """A lock that serves the foreground before the background, and the tasks of each in the order in which they came."""

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
        """Wait until the lock is free, and take it."""
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
            else:  # it already had the lock, and hands it on
                self.release()
            raise

    def release(self) -> None:
        """Release the lock or, if another task is waiting, take that task off its queue and hand the lock to it."""
        # Tasks being cancelled are left out: they take themselves off.
        foreground = next((turn for turn in self._foreground if not turn.done()), None)
        background = next((turn for turn in self._background if not turn.done()), None)
        if foreground is not None and (background is None or self._overtaken < OVERTAKEN_AT_MOST):
            self._overtaken = 0 if background is None else self._overtaken + 1
            self._foreground.remove(foreground)
            foreground.set_result(None)
            return
        self._overtaken = 0
        if background is None:
            self._taken = False
        else:
            self._background.remove(background)
            background.set_result(None)
