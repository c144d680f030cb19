"""The sandbox's computers think in parallel: a long search keeps nobody waiting."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiohttp
import pytest

from bot.sandbox import open_sandbox, thinking
from bot.workers.thinking_queue import Priority
from tests.bot.sandbox.windows import Site, until

pytestmark = pytest.mark.slow


class Thinker:
    """Works on reviews until it is released."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()

    async def think(self, function: Callable[..., Any], *values: Any, server: int, person: int, priority: Priority) -> Any:
        if priority is Priority.REVIEW:
            await self.may_go_on.wait()
        return await asyncio.to_thread(function, *values)

    def close(self) -> None:
        self.may_go_on.set()


@pytest.fixture
async def thinker(monkeypatch: pytest.MonkeyPatch) -> Thinker:
    made = Thinker()
    monkeypatch.setattr(thinking, "Processes", lambda: made)
    return made


@pytest.fixture
async def site(thinker: Thinker) -> AsyncIterator[Site]:
    async with open_sandbox(0) as address, aiohttp.ClientSession() as session:
        yield Site(address, session)


async def test_while_a_game_is_looked_through_the_others_play_and_the_clock_goes_on(site: Site, thinker: Thinker) -> None:
    ann, ben = await site.open("Ann", "games"), await site.open("Ben", "games")
    await ann.command("play", game="bouncers", opponent=ben.who)
    await (await ben.look()).click("Accept")
    await (await ann.look()).command("move", action="b2 b3")
    await (await ben.look()).command("board")
    await (await ben.look()).click("Resign")
    await (await ben.look()).click("Resign")

    await (await ann.look()).click("Review")
    await until(ann, "I’m going through the game: 0 of")
    before = (await site.state())["now"]
    await (await ben.look()).command("play", game="bouncers", opponent=ann.who)
    await site.ask("POST", "/sandbox/skip", json={"seconds": 600})
    async with asyncio.timeout(60):
        while (await site.state())["now"] < before + 600:
            await asyncio.sleep(0.1)
    await (await ann.look()).click("Accept")
    await until(ann, "going through the game: 0 of")

    thinker.may_go_on.set()
    await until(ann, "accuracy")
