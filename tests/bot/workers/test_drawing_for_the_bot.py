"""All of the bot's pictures can be drawn in a process: what they are made from can be passed on."""

from collections.abc import AsyncIterator
from typing import NoReturn

import pytest

from bot.features.stats.messages import leaderboard_message
from bot.features.stats.ratings import RankedRating
from bot.i18n.language import language
from bot.workers.drawing import Process, drawing_in
from renderers import RENDERERS
from renderers.renderer import Renderer
from storage.schema.records import Rating
from tests.bot.kit import World, reply
from tests.bot.seated import open_table
from tests.bot.ways import by_way


@pytest.fixture(autouse=True)
async def nothing_is_drawn_here(no_pictures_at_hand: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Pictures are drawn in processes, and could not be drawn in this one."""
    place = Process()
    for game_id in RENDERERS:
        monkeypatch.setitem(RENDERERS, game_id, Renderer(_refused))
    monkeypatch.setattr("renderers.summaries.leaderboard.write", _refused)
    with drawing_in(place):
        yield
    place.close()


def _refused(*_: object, **__: object) -> NoReturn:
    raise AssertionError("drawn in this process")


@pytest.mark.slow
async def test_posters_boards_rules_and_replays(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    assert world.pictures(table.board())
    await table.type(world.ann, await table.random_action(world.ann))
    assert world.pictures(table.board())
    assert world.pictures(await world.ben.slash(world.channel, "rules", game="bouncers"))
    asked = await by_way(world.ben, world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    assert world.picture(await world.cleo.slash(world.channel, "replay", game="1")).frames == 3
    assert world.pictures(await world.cleo.slash(world.channel, "open", game="bunny"))


async def test_leaderboards() -> None:
    rating = Rating(guild_id=1, user_id=1, game="bouncers", name="Ann", mu=25.0, sigma=8.0, played=12, updated_at=0.0)
    standings = (RankedRating(rating, 1, 1),)
    assert (await leaderboard_message("bouncers", standings, "Bounce Club", language("de"))).files()
