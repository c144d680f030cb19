"""Lets the sandbox's computers think in processes, as the bot's do on Discord."""

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import simcord

from bot.workers.thinking import Backend, Processes, thinking_in
from bot.workers.thinking_queue import Priority

_Result = TypeVar("_Result")


class Aside:
    """Passes questions to another backend in such a way that simcord does not wait for the answers.

    Before the next click, simcord waits until the bot comes to rest, but a review takes minutes. So questions count as waits
    for something outside. The processes use this machine's clock, not the sandbox's.
    """

    def __init__(self, env: simcord.Env, backend: Backend) -> None:
        self._env = env
        self._backend = backend
        self._outside = contextvars.copy_context()

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a module's function with values that can be pickled; see `bot.workers.thinking.thinking`."""
        thought = self._backend.think(function, *values, server=server, person=person, priority=priority)
        task = self._outside.copy().run(asyncio.get_running_loop().create_task, thought)
        if priority is Priority.REVIEW:
            found: _Result = await self._env.external_wait(task, reason="a review")
            return found
        return await task


@contextmanager
def thinking_aside(env: simcord.Env) -> Iterator[None]:
    """Let computers think in processes beside this one while the block lasts."""
    with closing(Processes()) as processes, thinking_in(Aside(env, processes)):
        yield
