"""The bot's own emojis in the sandbox."""

import io
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest
from PIL import Image

from bot import emojis
from bot.messages.players import CIRCLES, MARKS
from bot.sandbox import open_sandbox
from tests.bot.sandbox.windows import Site


def emojis_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("type") == "emoji":
            yield value["emoji"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from emojis_in(item)


def pixels(file: bytes) -> bytes:
    """A picture's pixels. Preview compresses them anew."""
    return Image.open(io.BytesIO(file)).convert("RGBA").tobytes()


@pytest.mark.slow
async def test_the_page_shows_the_marks_of_the_players_as_they_are_drawn() -> None:
    drawn = emojis.pictures()
    async with open_sandbox(0) as address, aiohttp.ClientSession() as session:
        ann = await Site(address, session).open("Ann", "games")
        await ann.command("open", game="bouncers")
        await ann.look()
        shown = {emoji["name"]: emoji for emoji in emojis_in(ann.shown["messages"])}
        assert [name[:-9] for name in shown] == ["sb_red"]
        for name, emoji in shown.items():
            assert emoji["available"]
            headers = {"X-Simcord-Capability": f"{ann.who}.{ann.where}", "X-Simcord-Context": ann.context}
            async with session.get(f"{address}api/assets/{emoji['asset_id']}", headers=headers) as answer:
                assert (answer.status, pixels(await answer.read())) == (200, pixels(drawn[name]))
        assert not set(MARKS) & set(CIRCLES)
    assert tuple(MARKS) == CIRCLES, "the emojis end with their application"


@pytest.fixture(autouse=True)
def marks_of_before() -> Iterator[None]:
    yield
    MARKS.show_as(())
