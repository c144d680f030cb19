"""An event loop in virtual time that waits for its threads, so that everything happens in the same order in every run."""

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar, TypeVarTuple
from unittest import mock

import aiosqlite.core

from loopback.virtual_time import VirtualTimeLoop, threads_known

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _AwaitedQueue(queue.SimpleQueue[Any]):
    """The queue of an aiosqlite thread. Whoever puts something in waits until the thread asks for more."""

    def __init__(self) -> None:
        self._began = False
        self._asked = threading.Semaphore(0)

    def put_nowait(self, item: Any) -> None:
        """Put a call in, and wait until it is done, except in the thread itself, which ends itself this way."""
        future, function = item
        super().put_nowait((future, partial(self._called, function)))
        if asyncio._get_running_loop() is not None:  # noqa: SLF001 - the thread has none
            self._asked.acquire()

    def _called(self, function: Callable[[], T]) -> T:
        result = function()
        if result is aiosqlite.core._STOP_RUNNING_SENTINEL:  # noqa: SLF001 - the thread ends, and asks for no more
            self._asked.release()
        return result

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        """Return the next item. Everything before it is done."""
        if self._began:
            self._asked.release()
        self._began = True
        return super().get(block, timeout)


class _InTurn(VirtualTimeLoop):
    """An event loop that stands still while one of its threads is busy."""

    def __init__(self) -> None:
        super().__init__()
        self._at = 0.0
        self._thread = ThreadPoolExecutor(max_workers=1)

    def run_in_executor(self, executor: Any, func: Callable[[*Ts], T], *args: *Ts) -> "asyncio.Future[T]":
        """Run `func` in the one thread that there is, and wait for it."""
        answer: asyncio.Future[T] = self.create_future()
        done = self._thread.submit(func, *args)
        if (error := done.exception()) is not None:
            answer.set_exception(error)
        else:
            answer.set_result(done.result())
        return answer

    def close(self) -> None:
        """Close the loop, and end its thread."""
        self._thread.shutdown()
        super().close()


def result_of(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop that waits for its threads, and return its result."""
    with (
        threads_known(),
        mock.patch.object(aiosqlite.core, "SimpleQueue", _AwaitedQueue),
        asyncio.Runner(loop_factory=_InTurn) as runner,
    ):
        return runner.run(work)
