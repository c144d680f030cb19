"""A semaphore whose callers may yield to others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class YieldingSemaphore:
    """A semaphore for `at_once` callers in order of arrival. Those that yield let others go first for `yields_for` seconds."""

    def __init__(self, at_once: int, yields_for: float) -> None:
        self._free = at_once
        self._yields_for = yields_for
        self._arrivals = count()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, *, yielding: bool = False) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(yielding)
        try:
            yield
        finally:
            self._call_next()

    async def _wait(self, yielding: bool) -> None:
        loop = asyncio.get_running_loop()
        called: asyncio.Future[None] = loop.create_future()
        heappush(self._waiting, (loop.time() + yielding * self._yields_for, next(self._arrivals), called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._call_next()  # it was called at the moment of its cancellation
            raise

    def _call_next(self) -> None:
        while self._waiting:
            *_, called = heappop(self._waiting)
            if not called.done():
                called.set_result(None)
                return
        self._free += 1
