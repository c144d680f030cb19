"""The client itself: it keeps nothing of what is done, does nothing twice, and forgets servers that it is put out of."""

import asyncio

from tests.bot.kit import World, reply
from tests.bot.seated import open_table
from tests.bot.service import DAY


async def test_nothing_stays_in_memory_of_a_message_that_was_sent(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = asyncio.all_tasks()
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="b2")
    await world.ann.click(reply(panel), label="Back")
    await world.ben.click(table.board(), label="More")
    await world.cleo.slash(world.channel, "help")
    await table.type(world.ann, ("c2", "c3"))
    assert len(asyncio.all_tasks()) <= len(before)


async def test_a_command_that_is_delivered_twice_is_carried_out_once(world: World) -> None:
    await world.ann.slash(world.channel, "play", game="bouncers")
    await world.repeat_last_interaction()
    assert len(world.messages()) == 1
    listed = await world.ann.slash(world.channel, "games")
    assert "#2" not in world.text(listed)


async def test_a_bot_that_is_put_out_of_a_server_forgets_it_and_does_not_stumble(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.act(world.ann, ("b2", "b3"))
    world.env.backend.remove_guild(world.guild.id)
    await world.settle()
    async with table.sessions._repository.store.read() as reader:
        assert await reader.table(1) is None
        assert await reader.jobs_due(world.now() + 100 * DAY) == ()
    await world.pass_time(2 * DAY)
