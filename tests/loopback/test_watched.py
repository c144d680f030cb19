"""What a monitor sees, within thirty seconds and in words, when Discord, the clock or a row goes wrong."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping

import aiohttp
import pytest

from bot.core.clocks.heartbeats import Heartbeats
from bot.monitoring.endpoints import serve_site
from bot.monitoring.monitor import Monitor
from bot.runtime.metrics import REGISTRY
from loopback.faults import Fault, Route
from tests.bot.damage import damage_beside
from tests.loopback.world import LoopbackWorld

SEEN_WITHIN = 30
WELL = (200, "The bot is ready.\n")
HOUR = 3600.0


class Site:
    """The monitors' endpoints at a port."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    async def ready(self) -> tuple[int, str]:
        async with self._session.get("/health/ready") as answer:
            return answer.status, await answer.text()

    async def value(self, sample: str) -> float:
        async with self._session.get("/metrics") as answer:
            lines = (await answer.text()).splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == sample), 0.0)

    async def within(self, seconds: int, wanted: tuple[int, str] | Mapping[str, Callable[[float], bool]]) -> None:
        """Look every second, at most so often, until readiness or some samples are as wanted."""
        for _ in range(seconds):
            if isinstance(wanted, tuple):
                seen = await self.ready() == wanted
            else:
                seen = all([true(await self.value(sample)) for sample, true in wanted.items()])
            if seen:
                return
            await asyncio.sleep(1)
        raise AssertionError(f"not seen within {seconds} seconds: {await self.ready()}")


@contextlib.asynccontextmanager
async def watched(world: LoopbackWorld) -> AsyncIterator[Site]:
    monitor = Monitor(world.client.core.store, world.now)
    monitor.watch(lambda: (world.client,))
    looking = asyncio.create_task(monitor.run())
    async with (
        serve_site(("127.0.0.1", 0), monitor.health) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        try:
            yield Site(session)
        finally:
            looking.cancel()


async def opened(world: LoopbackWorld) -> None:
    found = await world.people.slash(world.ann, world.channel, "open", game="bouncers", opponent=world.ben)
    assert found.original is not None
    await world.people.click(world.ben, found.original, "sb|accept")
    await asyncio.sleep(60)


async def test_the_gateway_is_gone(world: LoopbackWorld) -> None:
    async with watched(world) as site:
        assert await site.ready() == WELL
        world.loopback.gateway.refusing = True
        await world.loopback.gateway.drop(forget=True)
        await site.within(SEEN_WITHIN, (503, "gateway: There is no connection to Discord.\n"))
        world.loopback.gateway.refusing = False
        await site.within(1800, WELL)  # discord.py tries again more and more seldom


async def test_discord_refuses_request_after_request_for_their_number(world: LoopbackWorld) -> None:
    route = 'route="/channels/{id}/messages"'
    limited = f'springboard_discord_rate_limited_total{{{route},scope="unknown"}}'
    requests = f'springboard_discord_requests_total{{method="POST",{route},status="429"}}'
    await opened(world)
    async with watched(world) as site:
        before = await site.value(limited), await site.value(requests)
        world.goes_wrong(Route.SEND, Fault.SHORT_LIMIT, 4)
        await world.people.slash(world.ann, world.channel, "move", action="b2 b3")
        await site.within(SEEN_WITHIN, {limited: lambda n: n == before[0] + 4, requests: lambda n: n == before[1] + 4})
        assert (await site.ready())[0] == 200, "it passes by itself"


@pytest.mark.slow
async def test_discord_does_not_answer_at_all(world: LoopbackWorld) -> None:
    lost = 'springboard_discord_requests_total{method="POST",route="/channels/{id}/messages",status="lost"}'
    await opened(world)
    async with watched(world) as site:
        before = await site.value(lost)
        rule = world.goes_wrong(Route.SEND, Fault.RESET_BEFORE)
        await world.people.slash(world.ann, world.channel, "move", action="b2 b3")
        await site.within(SEEN_WITHIN, {lost: lambda n: n > before, "springboard_outbox_put_off_jobs": lambda n: n > 0})
        world.loopback.rules.remove(rule)
        await site.within(int(HOUR), {"springboard_outbox_jobs": lambda n: n == 0})
        assert await site.value("springboard_outbox_put_off_jobs") == 0


async def test_the_clock_jumps(world: LoopbackWorld) -> None:
    right, stopped = world.loopback.discord.now, "springboard_time_outs_stopped"
    async with watched(world) as site:
        await asyncio.sleep(10)
        assert await site.value(stopped) == 0
        world.loopback.discord.now = lambda: right() + HOUR
        await site.within(SEEN_WITHIN, {stopped: lambda n: n == 1})  # long before the next heartbeat writes it down
        await world.client.heartbeat.connected()
        await asyncio.sleep(10)
        assert await site.value(stopped) == 1
        assert await world.client.core.service(Heartbeats).resume()
        await asyncio.sleep(10)
        assert await site.value(stopped) == 0


async def test_a_row_is_damaged(world: LoopbackWorld) -> None:
    quarantined = 'springboard_tables{status="set_aside"}'
    await opened(world)
    async with watched(world) as site:
        await asyncio.sleep(10)
        assert (await site.value(quarantined), await site.value('springboard_tables{status="playing"}')) == (0, 1)
        await damage_beside(world.database, "UPDATE tables SET variant = 'huge' WHERE id = 1")
        await world.people.slash(world.ann, world.channel, "board", game="1")
        await site.within(SEEN_WITHIN, {quarantined: lambda n: n == 1})
        assert await site.value('springboard_tables{status="playing"}') == 0


async def test_what_is_played_is_counted(world: LoopbackWorld) -> None:
    played = 'springboard_actions_total{by="person",game="bouncers"}'
    answered = 'springboard_answer_seconds_count{kind="command"}'
    await opened(world)
    async with watched(world) as site:
        before = await site.value(played), await site.value(answered)
        await world.people.slash(world.ann, world.channel, "move", action="b2 b3")
        assert (await site.value(played), await site.value(answered)) == (before[0] + 1, before[1] + 1)
        assert REGISTRY.get_sample_value("springboard_database_seconds_count", {"kind": "write"})
