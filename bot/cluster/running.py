"""Cluster: runs the shards of one process until it is asked to stop."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot import profile
from bot.cluster.client import ShardClient
from bot.cluster.holding import Holding, Session
from bot.cluster.keeper import LEASE_SECONDS, Keeper, shard_count
from bot.cluster.learning import Learning
from bot.cluster.limits import GLOBAL, Identifying, Rate, limit
from bot.cluster.shard import Shard
from bot.config import CannotRun, Settings
from bot.core.table.history import history_cache
from bot.proxies import way_out
from bot.runtime import metrics
from storage.cluster.leases import Leases
from storage.store import Store
from storage.transactions import ShardFilter

CHECK_EVERY: Final = 10.0
"""Seconds after which each shard checks what is due, since the NOTIFY of another process's change can be lost."""

Make = Callable[..., discord.Client]

log = structlog.get_logger(__name__)


@dataclass
class Cluster:
    """The shards of this process.

    Args:
        store: the database.
        leases: the leases, which say which process runs which shard.
        settings: this process's settings.
        of: the number of all shards.
        make: makes a client; see `bot.app.make_client`.
        scout: a client, logged in but not connected, for requests that belong to no shard.
        seconds: how long a lease lasts.
    """

    store: Store
    leases: Leases
    settings: Settings
    of: int
    make: Make
    scout: discord.Client
    seconds: float = LEASE_SECONDS
    _fatal: "asyncio.Future[None]" = field(init=False)

    def __post_init__(self) -> None:
        assert self.settings.token is not None
        ids = self.settings.shard_ids
        self._token = self.settings.token.get_secret_value()
        self._fatal = asyncio.get_running_loop().create_future()
        self._histories = history_cache()
        self._rate = Rate(GLOBAL)
        self._identifying = Identifying(self.leases, self._limits)
        self._learning = Learning(self.scout)
        self.keeper = Keeper(
            self.leases, self.of, self._take, rate=self._rate, may_run=ids.covers if ids is not None else None,
            seconds=self.seconds,
        )  # fmt: skip

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards that this process runs."""
        return tuple(shard for _, shard in self.keeper.held.values() if isinstance(shard, Shard))

    def clients(self) -> tuple[ShardClient, ...]:
        """Return the connections to Discord, one for each shard."""
        return tuple(shard.client for shard in self.shards)

    def idle(self) -> str | None:
        """Return why it is a fault that this process runs no shard, or None if it stands by while others run all shards."""
        if self.keeper.askew is not None:
            return f"The clock of this machine differs from that of the database by {abs(self.keeper.askew):.0f} seconds."
        if self.keeper.away:
            return "Discord is out of reach from here. The shards are left to other processes."
        return None if self.keeper.stands_by else "This process has no shard yet."

    def note(self) -> None:
        """Set the metrics that describe the shards."""
        metrics.SHARDS.labels("total").set(self.of)
        metrics.SHARDS.labels("held").set(len(self.shards))
        metrics.SHARDS.labels("connected").set(sum(shard.connected for shard in self.shards))
        metrics.LEASE_REMAINING.set(self.keeper.remaining)

    async def run(self) -> None:
        """Run shards until cancelled. Raises the error by which Discord refuses the bot as a whole."""
        keeping = asyncio.create_task(self.keeper.run(), name="springboard-leases")
        looking = asyncio.create_task(self._wake_regularly(), name="springboard-cluster")
        learning = asyncio.create_task(self._learning.run(), name="springboard-learning")
        completing = asyncio.create_task(profile.settle(self.scout), name="springboard-profile")
        endless = (keeping, looking, learning, self._fatal)
        try:
            async with self.leases.listen(self._hear):
                await asyncio.wait(endless, return_when=asyncio.FIRST_COMPLETED)
            for done in endless:
                if done.done():
                    done.result()
        finally:
            tasks = (keeping, looking, learning, completing)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def close(self) -> None:
        """Hand all shards over, renewing their leases until they are handed over."""
        await self.keeper.close()

    async def _take(self, holding: Holding, inherited: Session | None) -> Shard:
        part = self.store.part(ShardFilter(holding.shard, self.of), holding.name, holding.fence)

        def make(session: Session | None) -> ShardClient:
            client = self.make(
                part, now=time.time, kind=ShardClient, service={"histories": self._histories, "name": holding.name},
                holding=holding, identifying=self._identifying, others=self, inherited=session, registers=holding.shard == 0,
                own_look=False, connector=way_out(self.settings),
            )  # fmt: skip
            assert isinstance(client, ShardClient)
            if self.settings.discord_api is None:
                limit(client, self._rate)
            return client

        return Shard(holding, make, self._token, inherited, self._fail)

    async def _limits(self) -> dict[str, Any]:
        """Ask Discord how many sessions may begin."""
        return dict((await self.scout.http.get_bot_gateway())[2])

    def _fail(self, error: BaseException) -> None:
        if not self._fatal.done():
            self._fatal.set_exception(error)

    def _hear(self, word: str) -> None:
        """Act on what a process has announced: free leases, registered commands, or work that may be due."""
        match word:
            case "leases":
                self.keeper.wake()
            case "commands":
                self._learning.wake()
            case _:
                self._wake()

    async def announce_commands(self) -> None:
        """Notify all processes that the commands were registered again."""
        await self.leases.notify("commands")

    async def announce_work(self) -> None:
        """Make all shards of all processes look for due work."""
        self._wake()
        await self.leases.notify("work")

    def _wake(self) -> None:
        for shard in self.shards:
            shard.wake()

    async def _wake_regularly(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY)
            self._wake()


@asynccontextmanager
async def scouted(token: str, connector: aiohttp.BaseConnector | None = None) -> AsyncIterator[discord.Client]:
    """Open a client, logged in but not connected, for requests about the bot. `bot.proxies` says what `connector` is."""
    async with discord.Client(intents=discord.Intents(guilds=True), connector=connector) as client:
        await client.login(token)
        yield client


async def shards_in_all(settings: Settings, leases: Leases, recommended: int) -> int:
    """Return how many shards there are: as many as other processes have, as the settings say, or as Discord recommends.

    Raises CannotRun if other processes have another number of shards than the settings say.
    """
    others = {shard_count(lease) for lease in await leases.all() if lease.remaining > 0} - {None}
    running = others.pop() if others else None
    if running is not None and settings.shards not in {None, running}:
        raise CannotRun(
            f"Other processes run this bot with {running} shards, and this one is to run it with {settings.shards}. "
            "Stop them first: all have to agree (SPRINGBOARD_SHARDS)."
        )
    of = running or settings.shards or recommended
    if settings.shard_ids is not None and settings.shard_ids.named and min(settings.shard_ids.named) >= of:
        raise CannotRun(f"SPRINGBOARD_SHARD_IDS names none of the {of} shards, which are counted from 0.")
    return of
