"""The threads of aiosqlite, and when they have done what they were asked for."""

import asyncio
import contextlib
import queue
from collections.abc import Callable, Iterator
from typing import Any, Final
from unittest import mock

import aiosqlite.core

TURNS: Final = 20
"""How often everything that can run does, before nothing more is expected of it."""


@contextlib.contextmanager
def told_of_work(begins: Callable[["asyncio.Future[Any]"], None]) -> Iterator[None]:
    """In this block `begins` is told of each thing that a thread of aiosqlite is asked for: by the future of its result."""

    class Told(queue.SimpleQueue[Any]):
        """The queue to a thread of aiosqlite: each item is a future and what is to be done for it."""

        def put_nowait(self, item: Any) -> None:
            if item[0] is not None:
                begins(item[0])
            super().put_nowait(item)

    with mock.patch.object(aiosqlite.core, "SimpleQueue", Told):
        yield


class Work:
    """What threads are doing for an event loop."""

    def __init__(self) -> None:
        self._count = 0
        self._over = asyncio.Event()

    def begins(self, future: "asyncio.Future[Any]") -> None:
        """A thread is at work until this future is done."""
        self._count += 1
        future.add_done_callback(self._ends)

    def _ends(self, _: object) -> None:
        self._count -= 1
        if not self._count:
            self._over.set()

    async def over(self) -> None:
        """Wait until nothing is being done, and what was done has led to nothing more."""
        quiet = 0
        while quiet < TURNS:
            if self._count:
                quiet = 0
                self._over.clear()
                await self._over.wait()
            quiet += 1
            await asyncio.sleep(0)
