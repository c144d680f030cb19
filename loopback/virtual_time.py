"""An event loop with virtual time: its clock skips the time in which nothing happens.

Its time stands still while anything can be done, however long that takes on this machine, and moves on to the next timer
when nothing can: no task can run, no socket of this process has anything to read, and no thread is at work. So three seconds, a
rate limit of ninety and a retry after six hours all take no time, come in their right order, and never come too early because
the machine is busy.

Both ends of every connection have to be in this process, and Unix sockets: what is written to one can be read at the other end
at once, however busy the machine is. Threads are known of if they come from `run_in_executor` (and so from
`asyncio.to_thread`) or from the thread of a database.
"""

import asyncio
import contextlib
import selectors
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, TypeVar, TypeVarTuple
from unittest import mock

import aiohttp

from loopback.threads import told_of_work

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

LOOK_FOR: Final = 0.05
"""Seconds until it is looked again whether the threads are still at work."""


class _Selector(selectors.DefaultSelector):
    """Waits for sockets as any selector, but for timers only by moving the clock."""

    loop: "VirtualTimeLoop"

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready. In the place of waiting for `timeout`, the clock moves on by it."""
        events = super().select(0)
        while not events and (timeout is None or timeout > 0):
            if not self.loop.at_work and timeout is not None:
                self.loop.skip(timeout)
                return []
            events = super().select(LOOK_FOR)
        return events


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """The loop. `at_work`: how many threads are at work for it."""

    def __init__(self) -> None:
        selector = _Selector()
        selector.loop = self
        self._at = time.monotonic()
        self.at_work = 0
        super().__init__(selector)

    def time(self) -> float:
        """Its own time, in seconds."""
        return self._at

    def skip(self, seconds: float) -> None:
        """Let time pass at once."""
        self._at += seconds

    def run_in_executor(self, executor: Any, func: Callable[[*Ts], T], *args: *Ts) -> "asyncio.Future[T]":
        """As of any loop; time stands still until it is done."""
        future = super().run_in_executor(executor, func, *args)
        self.occupied_until(future)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 as of any loop
        """Wait for its threads, however long they take: five minutes, the most from Python 3.12 on, pass at once here."""
        await super().shutdown_default_executor()

    def occupied_until(self, future: "asyncio.Future[Any]") -> None:
        """A thread is at work until this future is done. If it is cancelled nobody waits for the thread any more."""
        self.at_work += 1
        future.add_done_callback(self._free)

    def _free(self, _: object) -> None:
        self.at_work -= 1


def _occupied(future: "asyncio.Future[Any]") -> None:
    """The thread of a database is at work until this future is done."""
    if isinstance(loop := future.get_loop(), VirtualTimeLoop):
        loop.occupied_until(future)


@contextlib.contextmanager
def threads_known() -> Iterator[None]:
    """In this block, the threads of databases are known to the loops above, and `time.monotonic` follows their clocks."""
    real = time.monotonic

    def monotonic() -> float:
        loop = asyncio._get_running_loop()  # noqa: SLF001 there may be none, and this is asked often
        return loop.time() if isinstance(loop, VirtualTimeLoop) else real()

    with (
        told_of_work(_occupied),
        mock.patch.object(time, "monotonic", monotonic),
        mock.patch.object(aiohttp.connector, "monotonic", monotonic),  # or connections that nobody uses never grow old
    ):
        yield


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run something in a loop of this kind."""
    with threads_known(), asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)
