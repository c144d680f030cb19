"""Whoever left the server is on no list, keeps everything, and reappears when they return."""

import re
from typing import Any

import pytest

from bot.outbox.members import LOOKED_UP_EVERY
from tests.bot.coming_and_going import asked_about, come_back, leave
from tests.bot.features.replays.test_results import finished
from tests.bot.kit import World, reply, selects
from tests.bot.ways import by_way


async def ladder(world: World, who: Any) -> Any:
    return await who.slash(world.channel, "ladder", game="bouncers")


@pytest.mark.slow
async def test_a_leaderboard_names_nobody_who_has_left_and_everybody_who_is_back(world: World) -> None:
    for _ in range(3):
        await finished(world)
    for loser in (world.ben, world.ben, world.ben):
        await finished(world, loser)

    async def shown() -> str:
        return world.picture(await by_way(world.cleo, world.channel, "leaderboard", game="bouncers")).alt

    assert "1. Ann" in await shown()
    leave(world, world.ann)
    await world.pass_time(LOOKED_UP_EVERY)
    asked = asked_about(world)
    text = await shown()
    assert "Ann" not in text
    assert "1. Ben" in text, "the others are counted without them"
    assert asked == [sorted([world.ann.id, world.ben.id])]
    assert "Ann" not in await shown()
    assert len(asked) == 1, "it is looked up once a day"
    come_back(world, world.ann)
    assert "1st of 2" in world.picture(await world.ann.slash(world.channel, "stats")).alt, "whoever presses something is there"
    assert "1. Ann" in await shown()
    assert len(asked) == 1


async def test_on_a_ladder_who_has_left_keeps_a_place_that_nobody_sees(world: World) -> None:
    for one in (world.ann, world.ben, world.cleo):
        await one.click(reply(await ladder(world, one)), label="Join")
    assert re.search(r"1\. Ann.*2\. Ben.*3\. Cleo", world.picture(await ladder(world, world.cleo)).alt, re.DOTALL)
    leave(world, world.ann)
    await world.pass_time(LOOKED_UP_EVERY)
    shown = await ladder(world, world.cleo)
    assert re.search(r"1\. Ben.*2\. Cleo", world.picture(shown).alt, re.DOTALL)
    assert list(selects(shown)[0].options) == ["1. Ben"]
    come_back(world, world.ann)
    assert re.search(r"1\. Ann.*2\. Ben.*3\. Cleo", world.picture(await ladder(world, world.ann)).alt, re.DOTALL)
