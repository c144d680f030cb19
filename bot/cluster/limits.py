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

AT_ONCE: Final = 0.2
"""What part of the requests of a second may be sent at once. The others follow one by one, so that it is never more in all."""

IDENTIFY_EVERY: Final = 6.0
"""Seconds between two new sessions of one bucket: Discord wants five between their arrivals, and connecting takes some time."""

YIELDED: Final = 1.0
"""Seconds by which a session that is not necessary lets others go first."""

KEPT_BACK: Final = 10
"""How many of the sessions that may begin in a day are kept for connections that were really lost."""

ASKED_EVERY: Final = 60.0
"""Seconds after which Discord is asked again how many sessions may begin."""

SCARCE: Final = 100
"""How many sessions may begin at most where each process asks how many there are left, since others begin some, too."""

SCARCE_ASKED_EVERY: Final = 3.0
"""Seconds after which it asks then: less than from one turn to the next."""

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
        """Wait for one's turn. After a pause, some can be used at once: never more than `per_second` within a second."""
        now, every = self._clock(), 1.0 / ((1.0 - AT_ONCE) * self.per_second)
        saved = max(0.0, AT_ONCE * self.per_second - 1.0) * every
        self._next = max(self._next + every, now - saved)
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
        while True:
            await self._ask()
            buckets = max(1, self._known["max_concurrency"])
            if self._known["remaining"] < buckets:  # in each of them, another process may be about to begin one
                seconds = max(1.0, self._known["reset_after"] / 1000)
                log.error("no more sessions may begin for now; Discord allows so many a day", shard=shard, wait=round(seconds))
                await self._sleep(min(seconds, ASKED_EVERY))
                self._asked = None
                continue
            wait = await self._leases.slot(f"identify {shard % buckets}", IDENTIFY_EVERY)
            if not wait:
                break
            await self._sleep(wait if necessary else wait + YIELDED)
        self._known["remaining"] -= 1

    async def _ask(self) -> None:
        every = ASKED_EVERY if self._known["remaining"] > SCARCE else SCARCE_ASKED_EVERY
        if self._asked is None or self._clock() - self._asked > every:
            self._known = dict(await self._limits())
            self._asked = self._clock()
