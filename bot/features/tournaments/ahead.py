"""Pairing and standings before a transaction: they take long, so a thread computes them while nobody waits for the database."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")


class _Missing(Exception):
    """What a step needs is not there yet."""

    def __init__(self, key: Hashable, compute: Callable[[], Any]) -> None:
        super().__init__(key)
        self.key = key
        self.compute = compute


class Ahead:
    """What was computed ahead for a step, by the function and the values that it was given.

    So a change that is made meanwhile needs no look of its own: other values are not there yet.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def call(self, function: Callable[..., Result], *values: Hashable) -> Result:
        """Return what a pure function returns for these values, if it was computed ahead; else `in_steps` has it computed."""
        key = (function, values)
        if key not in self._known:
            raise _Missing(key, partial(function, *values))
        result: Result = self._known[key]
        return result

    async def find(self, missing: _Missing) -> None:
        """Compute what a step was lacking, in a thread."""
        self._known[missing.key] = await asyncio.to_thread(missing.compute)


async def in_steps(step: Callable[[Ahead], Awaitable[Result]]) -> Result:
    """Take a step, which is rolled back and taken again after each computation that it needs.

    Args:
        step: takes the step in a transaction of its own, and lets all exceptions through it.
    """
    ahead = Ahead()
    while True:
        try:
            return await step(ahead)
        except _Missing as missing:
            lacking = missing
        await ahead.find(lacking)
