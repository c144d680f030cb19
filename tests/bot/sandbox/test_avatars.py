"""Avatars in the sandbox: the bot's own, and people's initials."""

import io

import aiohttp
import pytest
from PIL import Image

from bot.sandbox import open_sandbox
from bot.sandbox.world import PEOPLE
from renderers import profile
from tests.bot.sandbox.test_emojis import pixels
from tests.bot.sandbox.windows import Site


@pytest.mark.slow
async def test_the_bot_and_the_people_have_their_avatars() -> None:
    async with open_sandbox(0) as address, aiohttp.ClientSession() as session:
        site = Site(address, session)
        ann = await site.open("Ann", "games")
        await ann.act("send_message", content="Hello!")
        ben = await site.open("Ben", "games")
        await ben.look()
        authors = {message["author"]["name"]: message["author"] for message in ben.shown["messages"].values()}
        assert set(authors) == {"Springboard", "Ann"}
        for name, drawn in (("Springboard", profile.avatar()), ("Ann", profile.initial("Ann"))):
            assert authors[name]["avatar_available"]
            headers = {"X-Simcord-Capability": f"{ben.who}.{ben.where}", "X-Simcord-Context": ben.context}
            async with session.get(f"{address}api/assets/{authors[name]['avatar']}", headers=headers) as answer:
                assert (answer.status, pixels(await answer.read())) == (200, pixels(drawn))


@pytest.mark.parametrize("called", [called for _, called in PEOPLE])
def test_an_initial_is_written_in_the_middle_of_its_circle(called: str) -> None:
    image = Image.open(io.BytesIO(profile.initial(called))).convert("L")
    side = profile.INITIAL_SIDE
    assert image.size == (side, side)
    ground = image.crop((0, 0, 1, 1)).tobytes()[0]
    box = image.point([255 if abs(value - ground) > 60 else 0 for value in range(256)]).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert abs((left + right) / 2 - side / 2) < 3
    assert side / 5 < top < bottom < side * 4 / 5
