"""The limits that Discord sets for all processes together, on requests per second and on new sessions."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord
import structlog

from storage.cluster.leases import Leases

GLOBAL: Final = 50.0
"""The requests per second that Discord accepts from all of a bot's processes together. Answers to interactions do not count."""

AT_ONCE: Final = 0.2
"""The share of a second's requests that may be sent at once. The other requests follow one by one."""

IDENTIFY_EVERY: Final = 6.0
"""Seconds between two new sessions of one bucket. Discord wants five between their arrivals, and connecting takes time, too."""

YIELDED: Final = 1.0
"""Seconds for which a shard that does not strictly need a session lets other shards go first."""

RESERVED: Final = 10
"""How many of a day's sessions are reserved for shards that have really lost their connections."""

ASKED_EVERY: Final = 60.0
"""Seconds after which Discord is asked again how many sessions may begin."""

SCARCE: Final = 100
"""The number of remaining sessions below which Discord is asked more often, since other processes begin sessions, too."""

SCARCE_ASKED_EVERY: Final = 3.0
"""Seconds between these questions while sessions are scarce, which is less than the time from one turn to the next."""

log = structlog.get_logger(__name__)


class Rate:
    """Lets at most `per_second` requests through in a second, in the order in which they ask."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second = per_second
        self._clock = clock
        self._next = clock()

    def share(self, processes: int) -> None:
        """Let through only this process's share of the requests that Discord accepts from all processes."""
        self.per_second = GLOBAL / max(1, processes)

    async def take(self) -> None:
        """Wait until a request may be sent. After an idle spell, several requests may go out at once."""
        now, every = self._clock(), 1.0 / ((1.0 - AT_ONCE) * self.per_second)
        saved = max(0.0, AT_ONCE * self.per_second - 1.0) * every
        self._next = max(self._next + every, now - saved)
        if self._next > now:
            await asyncio.sleep(self._next - now)


def limit(client: discord.Client, rate: Rate) -> None:
    """Make every request of a client, except answers to interactions, wait until it may be sent."""
    request = client.http.request

    async def request_in_turn(*values: Any, **named: Any) -> Any:
        await rate.take()
        return await request(*values, **named)

    client.http.request = request_in_turn  # type: ignore[method-assign]


class Identifying:
    """Lets all processes begin sessions one after another, with turns reserved in `leases`, within Discord's `limits`."""

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
        """Whether enough sessions remain to spend one that is not strictly needed."""
        await self._ask()
        return bool(self._known["remaining"] > RESERVED)

    async def turn(self, shard: int, *, necessary: bool = True) -> None:
        """Wait until a shard may begin a session. If the day's sessions are used up, this lasts until there are new ones.

        `necessary` means that the shard has no session yet. Such shards go first.
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
