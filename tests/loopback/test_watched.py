"""What a monitor sees when Discord, the clock or a row goes wrong: within thirty seconds, and in words."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp

from bot.metrics import REGISTRY
from bot.monitoring.monitor import Monitor
from bot.monitoring.site import served
from tests.bot.damage import damage_beside
from tests.loopback.faults import Fault, Route
from tests.loopback.stage import Stage

OnStage = Callable[[Callable[[Stage], Awaitable[None]]], None]

SEEN_WITHIN = 30
HOUR = 3600.0


class Site:
    """The site for monitors, asked by its port."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    async def ready(self) -> tuple[int, str]:
        """What `/health/ready` says."""
        async with self._session.get("/health/ready") as answer:
            return answer.status, await answer.text()

    async def value(self, sample: str) -> float:
        """The value that `/metrics` has of something, labels included; 0.0 if it has none."""
        async with self._session.get("/metrics") as answer:
            lines = (await answer.text()).splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == sample), 0.0)

    async def within(self, seconds: int, true: Callable[[], Awaitable[bool]]) -> None:
        """Look every second whether something is to be seen, for so many seconds at most."""
        for _ in range(seconds):
            if await true():
                return
            await asyncio.sleep(1)
        raise AssertionError(f"not seen within {seconds} seconds: {await self.ready()}")


@contextlib.asynccontextmanager
async def watched(stage: Stage) -> AsyncIterator[Site]:
    """The bot on the stage is watched in the block."""
    monitor = Monitor(stage.client.sessions._repository.store, stage.now)
    monitor.watch(lambda: (stage.client,))
    looking = asyncio.create_task(monitor.run())
    async with served(("127.0.0.1", 0), monitor.health) as port, aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        try:
            yield Site(session)
        finally:
            looking.cancel()


async def opened(stage: Stage) -> None:
    """Ann plays against Ben."""
    found = await stage.people.slash(stage.ann, stage.channel, "play", game="bouncers", opponent=stage.ben)
    assert found.original is not None
    await stage.people.click(stage.ben, found.original, "sb|accept")
    await asyncio.sleep(60)


def test_the_gateway_is_gone(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        async with watched(stage) as site:
            assert await site.ready() == (200, "The bot is ready.\n")
            stage.loopback.gateway.refusing = True
            await stage.loopback.gateway.drop(forget=True)

            async def told() -> bool:
                return await site.ready() == (503, "gateway: There is no connection to Discord.\n")

            await site.within(SEEN_WITHIN, told)
            stage.loopback.gateway.refusing = False

            async def well() -> bool:
                return (await site.ready())[0] == 200

            await site.within(1800, well)  # discord.py tries again more and more seldom

    on_stage(play)


def test_discord_refuses_request_after_request_for_their_number(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        route = 'route="/channels/{id}/messages"'
        limited = f'springboard_discord_rate_limited_total{{{route},scope="unknown"}}'
        requests = f'springboard_discord_requests_total{{method="POST",{route},status="429"}}'
        await opened(stage)
        async with watched(stage) as site:
            before = await site.value(limited), await site.value(requests)
            stage.goes_wrong(Route.SEND, Fault.SHORT_LIMIT, 4)
            await stage.people.slash(stage.ann, stage.channel, "move", action="b2 b3")

            async def counted() -> bool:
                return (await site.value(limited), await site.value(requests)) == (before[0] + 4, before[1] + 4)

            await site.within(SEEN_WITHIN, counted)
            assert (await site.ready())[0] == 200, "it passes by itself"

    on_stage(play)


def test_discord_does_not_answer_at_all(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        lost = 'springboard_discord_requests_total{method="POST",route="/channels/{id}/messages",status="lost"}'
        await opened(stage)
        async with watched(stage) as site:
            before = await site.value(lost)
            rule = stage.goes_wrong(Route.SEND, Fault.RESET_BEFORE)
            await stage.people.slash(stage.ann, stage.channel, "move", action="b2 b3")

            async def counted() -> bool:
                return await site.value(lost) > before and await site.value("springboard_outbox_put_off_jobs") > 0

            await site.within(SEEN_WITHIN, counted)
            stage.loopback.rules.remove(rule)

            async def done() -> bool:
                return await site.value("springboard_outbox_jobs") == 0

            await site.within(int(HOUR), done)
            assert await site.value("springboard_outbox_put_off_jobs") == 0

    on_stage(play)


def test_the_clock_jumps(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        right = stage.loopback.discord.now

        async def stopped() -> bool:
            return await site.value("springboard_time_outs_stopped") == 1

        async with watched(stage) as site:
            await asyncio.sleep(10)
            assert not await stopped()
            stage.loopback.discord.now = lambda: right() + HOUR
            await site.within(SEEN_WITHIN, stopped)  # long before the next heartbeat, which writes it down
            await stage.client.heartbeat.connected()
            await asyncio.sleep(10)
            assert await stopped()
            assert await stage.client.sessions.heartbeats.resume()
            await asyncio.sleep(10)
            assert not await stopped()

    on_stage(play)


def test_a_row_is_damaged(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        aside = 'springboard_tables{status="set_aside"}'
        await opened(stage)
        async with watched(stage) as site:
            await asyncio.sleep(10)
            assert (await site.value(aside), await site.value('springboard_tables{status="playing"}')) == (0, 1)
            await damage_beside(stage.database, "UPDATE tables SET variant = 'huge' WHERE id = 1")
            await stage.people.slash(stage.ann, stage.channel, "board", game="1")

            async def seen() -> bool:
                return await site.value(aside) == 1

            await site.within(SEEN_WITHIN, seen)
            assert await site.value('springboard_tables{status="playing"}') == 0

    on_stage(play)


def test_what_is_played_is_counted(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        played = 'springboard_actions_total{by="person",game="bouncers"}'
        answered = 'springboard_answer_seconds_count{kind="command"}'
        await opened(stage)
        async with watched(stage) as site:
            before = await site.value(played), await site.value(answered)
            await stage.people.slash(stage.ann, stage.channel, "move", action="b2 b3")
            assert await site.value(played) == before[0] + 1
            assert await site.value(answered) == before[1] + 1
            assert REGISTRY.get_sample_value("springboard_database_seconds_count", {"kind": "write"})

    on_stage(play)
