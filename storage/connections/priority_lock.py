"""A lock with two priorities: the tasks that people wait for come before those that nobody waits for."""

import asyncio
from collections import deque
from contextvars import ContextVar
from typing import Final

OVERTAKEN_AT_MOST: Final = 8
"""How often tasks in the background are overtaken in a row, before one of them gets the lock although others wait."""

_in_background: ContextVar[bool] = ContextVar("in_background", default=False)


def work_in_background() -> None:
    """Have this task, and those that it starts from now on, let others go first, because nobody waits for them."""
    _in_background.set(True)


def in_background() -> bool:
    """Return whether this task lets others go first, see `work_in_background`."""
    return _in_background.get()


class PriorityLock:
    """A lock that is fair within the foreground and within the background: the first to come is the first to get it."""

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
            else:  # it was this one's turn already, and is now that of the next
                self.release()
            raise

    def release(self) -> None:
        """Release the lock, or hand it to the next task, and take that off its queue."""
        # Tasks that are cancelled at this moment are left out: they take themselves off.
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
