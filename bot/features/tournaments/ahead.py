"""Computes pairings and standings before a transaction, because they are slow and must not keep the database waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")


class _Missing(Exception):
    """Raised when a step needs a result that has not been computed yet."""

    def __init__(self, key: Hashable, compute: Callable[[], Any]) -> None:
        super().__init__(key)
        self.key = key
        self.compute = compute


class Ahead:
    """The results computed ahead for a step, by function and arguments. A call with other arguments has no result yet."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def call(self, function: Callable[..., Result], *values: Hashable) -> Result:
        """Return a pure function's result if it was computed ahead. Otherwise have `in_steps` compute it."""
        key = (function, values)
        if key not in self._known:
            raise _Missing(key, partial(function, *values))
        result: Result = self._known[key]
        return result

    async def find(self, missing: _Missing) -> None:
        """Compute in a thread what a step was missing."""
        self._known[missing.key] = await asyncio.to_thread(missing.compute)


async def in_steps(step: Callable[[Ahead], Awaitable[Result]]) -> Result:
    """Take a step in its own transaction. For each computation that it needs, the transaction is rolled back and repeated."""
    ahead = Ahead()
    while True:
        try:
            return await step(ahead)
        except _Missing as missing:
            lacking = missing
        await ahead.find(lacking)
