"""The sandbox's clock."""

import asyncio
from typing import Any

import pytest

from tests.bot.sandbox.browser import WAIT_LIMIT
from tests.bot.sandbox.windows import Site

pytestmark = pytest.mark.slow


async def until_after(site: Site, moment: float) -> None:
    """Wait until the sandbox's clock is past a moment."""
    async with asyncio.timeout(WAIT_LIMIT):
        while (await site.state())["now"] <= moment:
            await asyncio.sleep(0.05)


async def test_time_goes_on_by_itself_and_jumps_when_told(site: Site) -> None:
    ann = await site.open("Ann", "games")
    begun = (await site.state())["now"]
    await until_after(site, begun)
    assert (await site.ask("POST", "/sandbox/skip", json={"seconds": 3 * 3600}))[0] == 200
    await until_after(site, begun + 3 * 3600)
    await ann.act("send_message", content="Later.")
    *_, message = (await ann.look()).shown["messages"].values()
    assert message["timestamp"] > ann.shown["publication"]["publishedAt"][:13]


@pytest.mark.parametrize("body", [{}, {"seconds": -1}, {"seconds": 1e9}, {"seconds": "soon"}, []])
async def test_time_does_not_jump_backwards_or_out_of_sight(site: Site, body: Any) -> None:
    assert (await site.ask("POST", "/sandbox/skip", json=body))[0] == 400
