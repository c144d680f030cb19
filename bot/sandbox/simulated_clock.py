"""The sandbox's clock, which follows the real clock and can be put forward."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Final

import structlog

from bot.sandbox.simulated_discord import SimulatedDiscord

log = structlog.get_logger(__name__)

BEAT: Final = 0.25
"""Seconds between two moves of the clock. After each move, people see what the bot has done by itself."""
STEP: Final = 3600.0
"""The most seconds in one move of the clock, so that clicks can come between moves."""
SKIP: Final = 10.0
"""While a skip has more seconds than this to go, the clock waits for the bot, which may have much to do in each step."""


class SimulatedClock:
    """Moves simcord's time, which stands still by itself. The world's lock `gate` is held while `moved` is called."""

    def __init__(self, env: SimulatedDiscord, gate: asyncio.Lock, moved: Callable[[], Awaitable[None]]) -> None:
        self._env = env
        self._gate = gate
        self._moved = moved
        self._ahead = env.now().timestamp() - time.time()

    def now(self) -> float:
        """Return the sandbox's time, in seconds since the epoch."""
        return self._env.now().timestamp()

    def skip(self, seconds: float) -> None:
        """Put the clock forward, which takes a few beats."""
        self._ahead += seconds

    @property
    def behind(self) -> float:
        """The seconds of a skip still to come."""
        return max(0.0, time.time() + self._ahead - self.now())

    @asynccontextmanager
    async def passing(self) -> AsyncIterator[None]:
        """Let time pass while the block lasts."""
        task = asyncio.create_task(self._run(), name="sandbox-clock")
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        while True:
            try:
                await self.beat()
            except TimeoutError as error:
                log.warning("the bot was too slow for the clock", error=str(error).splitlines()[0])
            except Exception:
                log.exception(
                    "the clock stumbled"
                )  # and continue: without the clock, nothing in the sandbox would ever fall due
            if self.behind <= STEP:
                await asyncio.sleep(BEAT)

    async def beat(self) -> None:
        """Move the clock one step closer to where it should be."""
        async with self._gate:
            if self.behind > 0:
                with self._env.waiting() if self.behind > SKIP else nullcontext():
                    await self._env.advance_time(min(self.behind, STEP))
            await self._moved()
