"""What Discord allows all processes together: so many requests a second, and so many new sessions."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord
import structlog

from storage.leases import Leases

GLOBAL: Final = 50.0
"""The requests a second that Discord takes from a bot, all of its processes together. Answers to interactions do not count."""

IDENTIFY_EVERY: Final = 6.0
"""Seconds between two new sessions of one bucket: Discord wants five between their arrivals, and connecting takes some time."""

YIELDED: Final = 1.0
"""Seconds by which a session that is not necessary lets others go first."""

KEPT_BACK: Final = 10
"""How many of the sessions that may begin in a day are kept for connections that were really lost."""

ASKED_EVERY: Final = 60.0
"""Seconds after which Discord is asked again how many sessions may begin."""

log = structlog.get_logger(__name__)


class Rate:
    """Lets so many requests through in a second, in the order in which they come.

    Attributes:
        per_second: how many.
    """

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second = per_second
        self._clock = clock
        self._next = clock()

    def share(self, processes: int) -> None:
        """Let through what is this process's share of what Discord allows."""
        self.per_second = GLOBAL / max(1, processes)

    async def take(self) -> None:
        """Wait for one's turn. What was not used within the last second can be used at once."""
        now = self._clock()
        self._next = max(self._next + 1.0 / self.per_second, now - 1.0)
        if self._next > now:
            await asyncio.sleep(self._next - now)


def limit(client: discord.Client, rate: Rate) -> None:
    """Have all requests of a client, but answers to interactions, wait for their turn."""
    request = client.http.request

    async def waited(*values: Any, **named: Any) -> Any:
        await rate.take()
        return await request(*values, **named)

    client.http.request = waited  # type: ignore[method-assign]


class Identifying:
    """Has new sessions with the gateway begin one after the other, in all processes together.

    Args:
        leases: where the processes reserve their turns.
        limits: asks Discord for what it allows: recommended shards, address, and the limits for new sessions.
        sleep: waits.
    """

    def __init__(
        self,
        leases: Leases,
        limits: Callable[[], Awaitable[dict[str, Any]]],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._leases = leases
        self._limits = limits
        self._sleep = sleep
        self._clock = clock
        self._asked: float | None = None
        self._known: dict[str, Any] = {"remaining": 1000, "reset_after": 0, "max_concurrency": 1}

    async def can_spare(self) -> bool:
        """Whether a session may begin that is not necessary."""
        await self._ask()
        return bool(self._known["remaining"] > KEPT_BACK)

    async def turn(self, shard: int, *, necessary: bool = True) -> None:
        """Wait until a shard may begin a session. When the day's sessions are used up, that is when the next ones are due.

        `necessary`: whether the shard has no session as yet; such shards go first.
        """
        await self._ask()
        while self._known["remaining"] <= 0:
            seconds = max(1.0, self._known["reset_after"] / 1000)
            log.error("no more sessions may begin for now; Discord allows so many a day", shard=shard, seconds=round(seconds))
            await self._sleep(min(seconds, ASKED_EVERY))
            await self._ask(now=True)
        bucket = shard % max(1, self._known["max_concurrency"])
        self._known["remaining"] -= 1
        while wait := await self._leases.slot(f"identify {bucket}", IDENTIFY_EVERY):
            await self._sleep(wait if necessary else wait + YIELDED)

    async def _ask(self, *, now: bool = False) -> None:
        if now or self._asked is None or self._clock() - self._asked > ASKED_EVERY:
            self._known = dict(await self._limits())
            self._asked = self._clock()
