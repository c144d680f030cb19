"""Discord at its worst and people at their strangest: nothing is lost, everybody is answered, and nobody sees what they should
not."""

import asyncio

import pytest

from tests.bot.kit import World
from tests.bot.seated import open_table

# --- what people type -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("B2-B3", "Ann plays b2-b3."),
        ("b2 b3", "Ann plays b2-b3."),
        ("b2|b3", "What do you do?"),
        ("b2 " * 40, "What do you do?"),
    ],
)
async def test_what_was_typed_is_played_once_it_is_known_at_which_table(world: World, typed: str, answer: str) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "bouncers", world.ann, world.cleo)
    asked = await world.ann.slash(world.channel, "move", action=typed)
    assert "Which one do you mean?" in world.text(asked)
    await world.ann.click(asked.response, label="#2 Bouncers: Ann, Cleo")
    assert answer in world.text(asked)


# --- what stays behind ------------------------------------------------------------------------------------------------


async def test_nothing_stays_in_memory_of_a_message_that_was_sent(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = asyncio.all_tasks()
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(panel.response, label="b2")
    await world.ann.click(panel.response, label="Back")
    await world.ben.click(table.board(), label="More")
    await world.cleo.slash(world.channel, "help")
    await table.type(world.ann, ("c2", "c3"))
    assert len(asyncio.all_tasks()) <= len(before)
