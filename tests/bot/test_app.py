"""The client keeps no state, does nothing twice, and forgets servers that remove it."""

import asyncio

import pytest

from bot.core.clocks.membership import Membership
from storage import queries
from storage.schema.records import Status
from tests.bot.kit import World, reply
from tests.bot.removal import put_out
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
    await world.ann.slash(world.channel, "open", game="bouncers")
    await world.repeat_last_interaction()
    assert len(world.messages()) == 1
    listed = await world.ann.slash(world.channel, "games")
    assert "#2" not in world.text(listed)


@pytest.mark.slow
async def test_a_bot_that_is_put_out_of_a_server_and_let_in_again_goes_on_as_before(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="1d")
    with world.env._bot_scope():
        await table.act(world.ann, ("b2", "b3"))
    deadline = (await table.snapshot()).table.deadline
    let_in_again = put_out(world)
    await world.settle()
    since = world.watch.count()
    await world.pass_time(20 * DAY)
    assert world.watch.count() == since, "nothing is sent to a server without the bot"
    assert (await table.snapshot()).table.status is Status.PLAYING
    let_in_again()
    await world.settle()
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(table.board())
    moved = (await table.snapshot()).table.deadline
    assert deadline is not None
    assert moved is not None
    assert moved - deadline == pytest.approx(20 * DAY, abs=60)
    await table.type(world.ben, ("b7", "b6"))
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(table.board())


@pytest.mark.slow
async def test_a_bot_that_is_put_out_for_thirty_days_forgets_the_server_by_itself(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    put_out(world)
    await world.settle()
    await world.pass_time(29 * DAY)
    assert (await table.snapshot()).table.status is Status.PLAYING
    await world.pass_time(2 * DAY)
    async with table.core.store.read() as reader:
        assert await queries.tables.get(reader, 1) is None
        assert await queries.servers.known(reader) == ()
        assert await queries.jobs.due(reader, world.now() + 100 * DAY) == ()


@pytest.mark.slow
async def test_what_a_bot_misses_while_it_is_not_running_is_noticed_at_its_next_start(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.settle()
    let_in_again = put_out(world, running=False)
    await world.restart()
    assert await table.core.service(Membership).away() == (world.guild.id,)
    await world.pass_time(DAY)
    let_in_again()
    await world.restart()
    assert await table.core.service(Membership).away() == ()
    await table.type(world.ann, ("b2", "b3"))
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(table.board())


async def test_an_outage_of_a_server_is_no_removal(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
    await world.settle()
    assert await table.core.service(Membership).away() == ()
