"""Where pictures are drawn, one at a time, with answers to clicks before posted boards.

What may take long, such as a replay, is drawn between the other pictures. By default, pictures are drawn in threads. The
running bot uses a process (`Process`), since threads share the interpreter with the event loop and keep it from answering.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from bot.runtime.memory import give_back
from bot.runtime.metrics import PICTURE, measure_time
from bot.runtime.quiet import Quiet
from bot.workers.resting import tidy
from bot.workers.semaphore import YieldingSemaphore
from bot.workers.worker import STANDSTILL, TIMEOUT, Worker, WorkFailed

_Result = TypeVar("_Result")

AT_HAND: Final = 2
"""How many pictures the process has in hand: the one being drawn, and the next. Those after that can still be overtaken."""

YIELDS_FOR: Final = 2.0
"""Seconds for which a posted board lets the answers to clicks go first."""

TIDIED_AFTER: Final = 5.0
"""Seconds after which the idle process packs what it has drawn. Then the bot's own process gives back memory, too."""

RESTS_AFTER: Final = 1800.0
"""Seconds after which it ends. To start again takes a third of a second."""

IDLE_AFTER: Final = 300.0
"""Seconds without a picture after which `when_idle` is called."""


class Backend(Protocol):
    """A backend that draws pictures."""

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a module's function with values that can be pickled; see `drawing`."""
        ...

    def expecting(self) -> AbstractContextManager[None]:
        """Let yielding pictures wait while the block runs; see `answer_under_way`."""
        ...


class Threads:
    """Draws in threads of this process. Slow pictures have a thread of their own; others use the event loop's threads."""

    def __init__(self) -> None:
        self._slow = ThreadPoolExecutor(max_workers=1, thread_name_prefix="springboard-picture")

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a function in a thread. Pictures do not yield, since there are several threads."""
        return await asyncio.get_running_loop().run_in_executor(self._slow if slow else None, function, *values)

    def expecting(self) -> AbstractContextManager[None]:
        """Do nothing."""
        return nullcontext()


class Process:
    """Draws in a process, which is started when needed. When idle, it is tidied, and ends at last.

    Args:
        rests_after: the seconds after which the idle process ends.
        timeout, standstill: the limits of a `Worker`.
        when_idle: is called once nothing has been drawn for a while.
    """

    def __init__(
        self,
        *,
        rests_after: float = RESTS_AFTER,
        timeout: float = TIMEOUT,
        standstill: float = STANDSTILL,
        when_idle: Callable[[], None] = lambda: None,
    ) -> None:
        self._worker = Worker("drawing", timeout=timeout, standstill=standstill)
        self._turns = YieldingSemaphore(AT_HAND, YIELDS_FOR)
        self._quiet = Quiet((TIDIED_AFTER, self._tidy), (rests_after, self._rest_if_idle), (IDLE_AFTER, when_idle))
        self._tidying: asyncio.Task[None] | None = None

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a function in the process. Raises WorkFailed if the process dies at every attempt."""
        self._quiet.stop()
        try:
            if slow:
                return await self._worker.call(function, *values, is_long=True)
            async with self._turns.turn(yielding=yielding):
                return await self._worker.call(function, *values)
        finally:
            if not self._worker.is_closed:
                self._quiet.stir()

    def expecting(self) -> AbstractContextManager[None]:
        """Let yielding pictures wait while the block runs; see `answer_under_way`."""
        return self._turns.expecting()

    @property
    def pid(self) -> int | None:
        """The process id, or None if the process is not running."""
        return self._worker.pid

    def _tidy(self) -> None:
        if self._worker.is_idle and self._worker.pid is not None:
            self._tidying = asyncio.get_running_loop().create_task(self._have_tidied(), name="springboard-tidy")

    async def _have_tidied(self) -> None:
        with suppress(WorkFailed):
            await self._worker.call(tidy)
        await asyncio.to_thread(give_back)

    def _rest_if_idle(self) -> None:
        if self._worker.is_idle:
            self._worker.rest()

    def close(self) -> None:
        """End the process. Drawings in progress fail."""
        self._quiet.stop()
        self._worker.close()


_backends: Final[list[Backend]] = [Threads()]


@contextmanager
def drawing_in(backend: Backend) -> Iterator[None]:
    """Draw the pictures of this process with another backend."""
    _backends.append(backend)
    try:
        yield
    finally:
        _backends.remove(backend)


def answer_under_way() -> AbstractContextManager[None]:
    """Let yielding pictures wait for a moment while several clicks are being answered, each of them in such a block.

    What follows from a posted picture takes the event loop's time, which the answers would have to share.
    """
    return _backends[-1].expecting()


async def drawing(function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
    """Call a renderers' function, with values that can be pickled, off the event loop.

    Args:
        function: a module's function. The module imports neither discord.py nor the database.
        values: its arguments.
        slow: whether it takes so long that no other picture may wait for it. Others are drawn whenever it gives way (`give_way`
            of `bot.workers.child`).
        yielding: whether answers to clicks are drawn before it. Their readers see nothing until then.
    """
    named = function.func if isinstance(function, partial) else function
    with measure_time(PICTURE, picture=named.__name__):
        return await _backends[-1].draw(function, *values, slow=slow, yielding=yielding)
