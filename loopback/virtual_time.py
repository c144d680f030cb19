"""An event loop whose clock skips the time in which nothing happens.

The clock stands still, for however long it takes, while any task can run, any socket of this process can be read, or any thread
is busy. Then it jumps to the next timer. So retries after seconds or hours take no time and come in order, and no retry comes
too early because the machine is busy.

Connections must be Unix sockets with both ends in this process, so that whatever is written can be read at once. Threads must
come from aiosqlite or from `run_in_executor`, which `asyncio.to_thread` uses too.
"""

import asyncio
import contextlib
import queue
import selectors
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final, TypeVar, TypeVarTuple
from unittest import mock

import aiohttp
import aiosqlite.core

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

LOOK_FOR: Final = 0.05
"""Seconds between two checks of whether threads are still busy."""
TURNS: Final = 20
"""After this many turns of the event loop without work in threads, no more work is expected to follow."""


@contextlib.contextmanager
def told_of_work(begins: Callable[["asyncio.Future[Any]"], None]) -> Iterator[None]:
    """Within this block, `begins` is called with the future of each job that an aiosqlite thread is given."""

    class Told(queue.SimpleQueue[Any]):
        """The queue of an aiosqlite thread, which holds futures and functions."""

        def put_nowait(self, item: Any) -> None:
            if item[0] is not None:
                begins(item[0])
            super().put_nowait(item)

    with mock.patch.object(aiosqlite.core, "SimpleQueue", Told):
        yield


class Work:
    """The work that threads are doing for an event loop."""

    def __init__(self) -> None:
        self._count = 0
        self._over = asyncio.Event()

    def begins(self, future: "asyncio.Future[Any]") -> None:
        """Count a thread as busy until this future is done."""

        def ends(_: object) -> None:
            self._count -= 1
            if not self._count:
                self._over.set()

        self._count += 1
        future.add_done_callback(ends)

    async def over(self) -> None:
        """Wait until no thread is busy, and no more work is expected to follow."""
        quiet = 0
        while quiet < TURNS:
            if self._count:
                quiet = 0
                self._over.clear()
                await self._over.wait()
            quiet += 1
            await asyncio.sleep(0)


class _Selector(selectors.DefaultSelector):
    """A selector that waits for sockets as usual, but moves the clock instead of waiting for a timer."""

    loop: "VirtualTimeLoop"

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready. Instead of waiting until `timeout` has passed, move the clock."""
        events = super().select(0)
        while not events and (timeout is None or timeout > 0):
            if not self.loop.at_work and timeout is not None:
                self.loop.skip(timeout)
                return []
            events = super().select(LOOK_FOR)
        return events


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop with a virtual clock. `at_work` is the number of busy threads."""

    def __init__(self) -> None:
        selector = _Selector()
        selector.loop = self
        self._at = time.monotonic()
        self.at_work = 0
        super().__init__(selector)

    def time(self) -> float:
        """Return the loop's own time, in seconds."""
        return self._at

    def skip(self, seconds: float) -> None:
        """Let time pass at once, without waiting."""
        self._at += seconds

    def run_in_executor(self, executor: Any, func: Callable[[*Ts], T], *args: *Ts) -> "asyncio.Future[T]":
        """Run `func` in a thread. The clock stands still until it is done."""
        future = super().run_in_executor(executor, func, *args)
        self.occupied_until(future)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109 as of any loop
        """Wait for threads without a time limit. Python 3.12's limit of five minutes would pass at once on this clock."""
        await super().shutdown_default_executor()

    def occupied_until(self, future: "asyncio.Future[Any]") -> None:
        """Count a thread as busy until this future is done. If it is cancelled, the thread no longer counts."""
        self.at_work += 1
        future.add_done_callback(self._free)

    def _free(self, _: object) -> None:
        self.at_work -= 1


@contextlib.contextmanager
def threads_known() -> Iterator[None]:
    """Within this block, virtual loops notice the work of aiosqlite's threads, and `time.monotonic` follows their clock."""
    real = time.monotonic

    def begins(future: "asyncio.Future[Any]") -> None:
        if isinstance(loop := future.get_loop(), VirtualTimeLoop):
            loop.occupied_until(future)

    def monotonic() -> float:
        loop = asyncio._get_running_loop()  # noqa: SLF001 there may be none, and this is asked often
        return loop.time() if isinstance(loop, VirtualTimeLoop) else real()

    with (
        told_of_work(begins),
        mock.patch.object(time, "monotonic", monotonic),
        mock.patch.object(aiohttp.connector, "monotonic", monotonic),  # otherwise unused connections would never grow old
    ):
        yield


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop with a virtual clock."""
    with threads_known(), asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)
