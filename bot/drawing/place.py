"""The place where pictures are drawn.

It has two lanes, each of which draws one picture at a time: one for what somebody waits for, and one for what may take long or
what nobody waits for, so that neither a long animation nor many of the latter keep a player from a board. In the former lane,
what answers a click goes before what is posted.

By default the lanes are threads of this process. The bot has processes instead (`Processes`), since threads share the
interpreter: while pictures are drawn in some of them, the event loop answers nobody.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from bot.drawing.turns import Turns
from bot.metrics import PICTURE, timed
from bot.workers.worker import PATIENCE, Worker

_Result = TypeVar("_Result")

YIELDING: Final = 5
"""By how much the process of the slow lane yields to others."""


AT_HAND: Final = 2
"""How many pictures a lane has: the one that is being drawn, and the next one. Those after it can still be overtaken."""

YIELDS_FOR: Final = 0.7
"""Seconds for which a board that is posted lets answers to clicks go first."""

RESTS_AFTER: Final = 15.0
"""Seconds after which that process ends, if it has nothing to do."""


class Place(Protocol):
    """Where pictures are drawn."""

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a function of a module with values that can be pickled. See `drawing` for `slow` and `yielding`."""
        ...


class Threads:
    """Draws in threads of this process: what is not slow in those of the event loop, the rest one by one in one of its own."""

    def __init__(self) -> None:
        self._slow = ThreadPoolExecutor(max_workers=1, thread_name_prefix="springboard-picture")

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a function in a thread. None yields: there are several."""
        return await asyncio.get_running_loop().run_in_executor(self._slow if slow else None, function, *values)


class _Lane:
    """A process, and the thread that talks to it.

    Args:
        worker: the process.
        rests_after: seconds without work after which the process is ended, so that it takes no memory; None: it never is.
    """

    def __init__(self, worker: Worker, rests_after: float | None = None) -> None:
        self._worker = worker
        self._rests_after = rests_after
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="springboard-drawing")
        self._turns = Turns(AT_HAND, YIELDS_FOR)
        self._rest: asyncio.TimerHandle | None = None

    async def draw(self, function: Callable[..., _Result], *values: Any, yielding: bool) -> _Result:
        loop = asyncio.get_running_loop()
        self._stay()
        try:
            async with self._turns.turn(yielding=yielding):
                return await loop.run_in_executor(self._thread, self._worker.call, function, *values)
        finally:
            self._stay()
            if self._rests_after is not None and not self._worker.closed:
                self._rest = loop.call_later(self._rests_after, self._thread.submit, self._worker.rest)

    @property
    def pid(self) -> int | None:
        return self._worker.pid

    def _stay(self) -> None:
        if self._rest is not None:
            self._rest.cancel()

    def close(self) -> None:
        self._stay()
        self._worker.close()
        self._thread.shutdown(cancel_futures=True)
        self._worker.rest()


class Processes:
    """Draws in two processes beside this one, which are started when they are needed.

    Args:
        rests_after: seconds after which the process of the slow lane ends if it has nothing to do.
        patience: seconds after which a process that has not drawn a picture is killed.
    """

    def __init__(self, *, rests_after: float = RESTS_AFTER, patience: float = PATIENCE) -> None:
        self._fast = _Lane(Worker("drawing", patience=patience))
        self._slow = _Lane(Worker("drawing", patience=patience, nice=YIELDING), rests_after)

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a function in a process. Raises WorkFailed if that is the end of the process each time it is tried."""
        return await (self._slow if slow else self._fast).draw(function, *values, yielding=yielding)

    @property
    def pids(self) -> tuple[int | None, int | None]:
        """The numbers of the processes, the slow lane's second; None for one that is not there."""
        return self._fast.pid, self._slow.pid

    def close(self) -> None:
        """End the processes. What is being drawn fails."""
        self._fast.close()
        self._slow.close()


_places: Final[list[Place]] = [Threads()]


@contextmanager
def drawing_in(place: Place) -> Iterator[None]:
    """Draw the pictures of this process in another place."""
    _places.append(place)
    try:
        yield
    finally:
        _places.remove(place)


async def drawing(function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
    """What a function of the renderers draws from values that can be pickled, off the event loop.

    Args:
        function: a function of a module, which must import neither discord.py nor the database.
        values: its arguments.
        slow: whether it may take long, or nobody waits for it. What is not slow is not kept waiting by what is.
        yielding: whether what does not yield goes before it, because somebody has clicked and sees nothing until then.
    """
    with timed(PICTURE, picture=_name(function)):
        return await _places[-1].draw(function, *values, slow=slow, yielding=yielding)


def _name(function: Callable[..., Any]) -> str:
    """The name of a function, also of one whose first arguments are fixed."""
    return _name(function.func) if isinstance(function, partial) else function.__name__
