"""What a process learns from the loopback about the bot's application."""

import asyncio
from collections.abc import Iterator
from unittest import mock

import pytest

from bot import emojis
from bot.cluster.learning import Learning
from bot.cluster.running import scouted
from bot.known_commands import LONGEST_RETRY, RETRY, until_registering
from bot.messages.builder import mentions
from bot.messages.players import CIRCLES, MARKS
from loopback.faults import Fault, Route
from tests.bot.command_line import TOKEN
from tests.loopback.world import LoopbackWorld


@pytest.fixture(autouse=True)
def nothing_is_known() -> Iterator[None]:
    yield
    mentions.learn(())
    MARKS.show_as(())


async def test_a_process_learns_the_commands_and_emojis_and_tries_until_it_has_them(world: LoopbackWorld) -> None:
    discord = world.loopback.discord
    mentions.learn(())
    async with scouted(TOKEN) as scout:
        world.goes_wrong(Route.OTHER, Fault.FORBIDDEN)
        learning = Learning(scout)
        working = asyncio.create_task(learning.run())
        await asyncio.sleep(5)
        assert (mentions("`/games`"), tuple(MARKS)) == ("`/games`", CIRCLES)
        world.all_well()
        await asyncio.sleep(RETRY)
        assert mentions("`/games`") == f"</games:{discord.commands['games']['id']}>"
        assert len(discord.emojis.all) == len(MARKS) + 1
        assert tuple(MARKS) != CIRCLES
        discord.commands["games"]["id"] = "1234567890"
        await asyncio.sleep(2 * RETRY)
        assert "1234567890" not in mentions("`/games`"), "nobody has said that they are registered anew"
        learning.wake()
        await asyncio.sleep(5)
        assert mentions("`/games`") == "</games:1234567890>"
        working.cancel()
    assert world.errors() == []


@pytest.mark.parametrize("fault", [Fault.BAD_REQUEST, Fault.FORBIDDEN, Fault.ERROR])
async def test_a_bot_that_cannot_register_its_commands_mentions_existing_ones(world: LoopbackWorld, fault: Fault) -> None:
    await world.stop()
    mentions.learn(())
    world.goes_wrong(Route.REGISTER, fault)
    world.goes_wrong(Route.OTHER, Fault.FORBIDDEN, 1, where=lambda call: call.path.endswith("/commands"))
    await world.start()
    await world.people.until(lambda: False, 10)
    assert mentions("`/games`") == "`/games`", "Discord did not tell"
    await world.people.until(lambda: False, 2 * RETRY)
    assert mentions("`/games`") == f"</games:{world.loopback.discord.commands['games']['id']}>"
    assert [one["event"] for one in world.errors()] == ["commands not registered"]


async def test_a_bot_registers_its_commands_as_soon_as_discord_accepts_them(world: LoopbackWorld) -> None:
    await world.stop()
    discord = world.loopback.discord
    discord.commands.clear()
    world.goes_wrong(Route.REGISTER, Fault.FORBIDDEN)
    await world.start()
    await world.people.until(lambda: False, 2 * RETRY)
    assert not discord.commands
    world.all_well()
    await world.people.until(lambda: False, 4 * RETRY)
    assert mentions("`/games`") == f"</games:{discord.commands['games']['id']}>"
    assert [one["event"] for one in world.errors()] == ["commands not registered"], "told once"


def test_registering_is_tried_ever_more_rarely_and_never_given_up() -> None:
    assert [until_registering(failures) for failures in (0, 1, 2, 100)] == [RETRY, 2 * RETRY, 4 * RETRY, LONGEST_RETRY]


async def test_what_nobody_expected_ends_nothing_and_is_tried_again(world: LoopbackWorld) -> None:
    mentions.learn(())
    async with scouted(TOKEN) as scout:
        learning = Learning(scout)
        with mock.patch.object(learning._tree, "fetch_commands", side_effect=KeyError("name")):
            working = asyncio.create_task(learning.run())
            await asyncio.sleep(5)
        assert [one["event"] for one in world.errors()] == ["not learned what texts mention"]
        await asyncio.sleep(RETRY)
        assert mentions("`/games`") != "`/games`"
        assert tuple(MARKS) != CIRCLES
        assert not working.done()
        working.cancel()


async def test_processes_that_upload_emojis_at_the_same_time_all_have_them(world: LoopbackWorld) -> None:
    async with scouted(TOKEN) as one, scouted(TOKEN) as another:
        assert all(await asyncio.gather(emojis.settle(one), emojis.settle(another)))
    assert len(world.loopback.discord.emojis.all) == len(MARKS) + 1
