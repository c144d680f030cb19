"""A semaphore whose callers may yield to others."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from heapq import heappop, heappush
from itertools import count
from typing import Final

_ROUNDING: Final = 0.001  # a timer may fire so many seconds before its time


class YieldingSemaphore:
    """A semaphore for `at_once` callers in order of arrival. Those that yield let others go first for `yields_for` seconds.

    They yield to those that wait and, even if there is room, to those that are expected. A single one is not waited for:
    whoever yields often comes along with somebody who is expected.
    """

    def __init__(self, at_once: int, yields_for: float) -> None:
        self._free = at_once
        self._expected = 0
        self._yields_for = yields_for
        self._arrivals = count()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, *, yielding: bool = False) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block."""
        if self._free and not (yielding and self._expected > 1):
            self._free -= 1
        else:
            await self._wait(yielding)
        try:
            yield
        finally:
            self._give_back()

    @contextmanager
    def expecting(self) -> Iterator[None]:
        """Expect somebody who may want a turn while the block runs, and does not yield."""
        self._expected += 1
        try:
            yield
        finally:
            self._expected -= 1
            self._call()

    async def _wait(self, yielding: bool) -> None:
        loop = asyncio.get_running_loop()
        called: asyncio.Future[None] = loop.create_future()
        until = loop.time() + yielding * self._yields_for
        heappush(self._waiting, (until, next(self._arrivals), called))
        timer = loop.call_at(until, self._call) if yielding else None
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._give_back()  # it was called at the moment of its cancellation
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def _give_back(self) -> None:
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Call those whose turn it is, as long as there is room."""
        while self._free and self._waiting:
            until, _, called = self._waiting[0]
            if self._expected > 1 and until > asyncio.get_running_loop().time() + _ROUNDING:
                return  # it yields, as do all that come after it
            heappop(self._waiting)
            if not called.done():
                self._free -= 1
                called.set_result(None)
