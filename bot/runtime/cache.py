"""A cache, limited by weight, for values that are expensive to compute. No value is computed twice at the same time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SingleFlight(Generic[Value]):
    """Runs the work for a key only once at a time. Callers that ask for the same key meanwhile share the result."""

    def __init__(self) -> None:
        self._running: dict[Hashable, asyncio.Future[Value]] = {}

    async def run(self, key: Hashable, work: Callable[[], Awaitable[Value]]) -> Value:
        """Return or raise what `work`, or the work running for this key, does. Cancelling a caller does not cancel the work."""
        running = self._running.get(key)
        if running is None:
            running = self._running[key] = asyncio.ensure_future(work())
            running.add_done_callback(partial(self._finish, key))
        return await asyncio.shield(running)

    def _finish(self, key: Hashable, done: asyncio.Future[Value]) -> None:
        del self._running[key]
        if not done.cancelled():
            done.exception()  # retrieved, or asyncio would warn if all callers have been cancelled


class Cache(Generic[Key, Value]):
    """The most recently used values, up to a total weight. Each of them can be computed again at any time.

    A cache belongs to the event loop, and must not be shared with threads.

    Args:
        limit: the most that all values may weigh together.
        weigh: returns a value's weight.
        at_least: how many values stay, whatever they weigh.
        replaces: whether a new value takes the place of the cached value with the same key.
    """

    def __init__(
        self,
        limit: int,
        weigh: Callable[[Value], int],
        *,
        at_least: int = 0,
        replaces: Callable[[Value, Value], bool] = lambda _new, _cached: True,
    ) -> None:
        self._limit, self._weigh, self._at_least, self._replaces = limit, weigh, at_least, replaces
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._loading = SingleFlight[Value | None]()
        self.weight = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """Return the value with this key, or None. The value counts as used now."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def keep(self, key: Key, value: Value) -> None:
        """Cache a value, and drop the least recently used to make room. Without `at_least`, ignore one heavier than `limit`."""
        cached = self._values.get(key)
        if cached is not None and not self._replaces(value, cached):
            return
        weight = self._weigh(value)
        if weight > self._limit and not self._at_least:
            return
        self.drop(key)
        self._values[key] = value
        self.weight += weight
        while self.weight > self._limit and len(self._values) > self._at_least:
            self.drop(next(iter(self._values)))

    def drop(self, key: Key) -> None:
        """Drop the value with this key, if it is cached."""
        value = self._values.pop(key, None)
        if value is not None:
            self.weight -= self._weigh(value)

    def clear(self) -> None:
        """Drop all values."""
        self._values.clear()
        self.weight = 0

    async def load(self, key: Key, compute: Callable[[], Awaitable[Value | None]], lane: Hashable = None) -> Value | None:
        """Return what `compute` returns, and cache it unless it is None. Errors are raised, and not cached.

        Of several simultaneous callers in a lane, the first computes the value and the others get its result. A cached value is
        not used, so call `get` first.
        """

        async def compute_and_keep() -> Value | None:
            value = await compute()
            if value is not None:
                self.keep(key, value)
            return value

        return await self._loading.run((key, lane), compute_and_keep)
