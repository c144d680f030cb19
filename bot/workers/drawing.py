"""The two lanes in which pictures are drawn, one picture at a time in each.

The fast lane draws what people wait for, and answers to clicks before posted boards. The slow lane draws what may take long or
what nobody waits for. By default, the lanes are threads. The running bot uses processes (`Processes`), since threads share the
interpreter with the event loop and keep it from answering.
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
from bot.workers.resting import sparingly, tidy
from bot.workers.semaphore import YieldingSemaphore
from bot.workers.worker import STANDSTILL, TIMEOUT, Worker, WorkFailed

_Result = TypeVar("_Result")

YIELDING: Final = 5
"""The niceness of the slow lane's process."""


AT_HAND: Final = 2
"""How many pictures a lane has in hand: the one being drawn, and the next. Pictures after that can still be overtaken."""

YIELDS_FOR: Final = 2.0
"""Seconds for which a posted board lets the answers to clicks go first."""

TIDIED_AFTER: Final = (5.0, 0.5)
"""Seconds after which the idle processes of the fast and the slow lane pack what they have drawn. Then the bot's own process
gives back memory, too.
"""

RESTS_AFTER: Final = (1800.0, 15.0)
"""Seconds after which they end. To start again takes a third of a second."""

IDLE_AFTER: Final = 300.0
"""Seconds without a picture that anybody waits for after which `when_idle` is called."""


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


class _Lane:
    """A process, and the callers that wait for it. When idle, it is tidied, and ends after `rests_after` seconds.

    `further` is what else is done after some seconds.
    """

    def __init__(
        self, worker: Worker, tidied_after: float, rests_after: float, *further: tuple[float, Callable[[], None]]
    ) -> None:
        self._worker = worker
        self._turns = YieldingSemaphore(AT_HAND, YIELDS_FOR)
        self._quiet = Quiet((tidied_after, self._tidy), (rests_after, self._rest_if_idle), *further)
        self._tidying: asyncio.Task[None] | None = None

    async def draw(self, function: Callable[..., _Result], *values: Any, yielding: bool) -> _Result:
        self._quiet.stop()
        try:
            async with self._turns.turn(yielding=yielding):
                return await self._worker.call(function, *values)
        finally:
            if not self._worker.is_closed:
                self._quiet.stir()

    def expecting(self) -> AbstractContextManager[None]:
        return self._turns.expecting()

    @property
    def pid(self) -> int | None:
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
        self._quiet.stop()
        self._worker.close()


class Processes:
    """Draws in two processes, started when needed, which rest if idle.

    Args:
        rests_after: the seconds after which an idle process ends: the fast lane's and the slow lane's.
        timeout, standstill: the limits of a `Worker`.
        when_idle: is called once nobody has waited for a picture for a while.
    """

    def __init__(
        self,
        *,
        rests_after: tuple[float, float] = RESTS_AFTER,
        timeout: float = TIMEOUT,
        standstill: float = STANDSTILL,
        when_idle: Callable[[], None] = lambda: None,
    ) -> None:
        fast, slow = rests_after
        self._fast = _Lane(
            Worker("drawing", timeout=timeout, standstill=standstill), TIDIED_AFTER[0], fast, (IDLE_AFTER, when_idle)
        )
        spare = Worker("drawing", timeout=timeout, standstill=standstill, nice=YIELDING, prepare=sparingly)
        self._slow = _Lane(spare, TIDIED_AFTER[1], slow)

    async def draw(self, function: Callable[..., _Result], *values: Any, slow: bool = False, yielding: bool = False) -> _Result:
        """Call a function in a process. Raises WorkFailed if the process dies at every attempt."""
        return await (self._slow if slow else self._fast).draw(function, *values, yielding=yielding)

    def expecting(self) -> AbstractContextManager[None]:
        """Let yielding pictures wait while the block runs; see `answer_under_way`."""
        return self._fast.expecting()

    @property
    def pids(self) -> tuple[int | None, int | None]:
        """The process ids of the fast lane and the slow lane. The id of a process that is not running is None."""
        return self._fast.pid, self._slow.pid

    def close(self) -> None:
        """End the processes. Drawings in progress fail."""
        self._fast.close()
        self._slow.close()


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
        slow: whether it may take long, or nobody waits for it. No other picture has to wait for it.
        yielding: whether answers to clicks are drawn before it. Their readers see nothing until then.
    """
    named = function.func if isinstance(function, partial) else function
    with measure_time(PICTURE, picture=named.__name__):
        return await _backends[-1].draw(function, *values, slow=slow, yielding=yielding)
