"""What a process learns of the bot's application from the loopback Discord."""

import asyncio
from collections.abc import Iterator
from unittest import mock

import pytest

from bot import emojis
from bot.cluster.learning import RETRY, Learning
from bot.cluster.running import scouted
from bot.messages.marks import MARKS, TEXT_MARKS
from bot.messages.mentions import mentions
from tests.bot.command_line import TOKEN
from tests.loopback.faults import Fault, Route
from tests.loopback.stage import Stage
from tests.loopback.test_shard_client import OnStage


@pytest.fixture(autouse=True)
def nothing_is_known() -> Iterator[None]:
    yield
    mentions.learn(())
    MARKS.show_as(())


def test_a_process_learns_the_commands_and_emojis_and_tries_until_it_has_them(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        discord = stage.loopback.discord
        mentions.learn(())
        async with scouted(TOKEN) as scout:
            stage.goes_wrong(Route.OTHER, Fault.FORBIDDEN)
            learning = Learning(scout)
            working = asyncio.create_task(learning.run())
            await asyncio.sleep(5)
            assert mentions("`/games`") == "`/games`"
            assert tuple(MARKS) == TEXT_MARKS
            stage.all_well()
            await asyncio.sleep(RETRY)
            assert mentions("`/games`") == f"</games:{discord.commands['games']['id']}>"
            assert len(discord.emojis.all) == len(MARKS) + 1
            assert tuple(MARKS) != TEXT_MARKS
            discord.commands["games"]["id"] = "1234567890"
            await asyncio.sleep(2 * RETRY)
            assert "1234567890" not in mentions("`/games`"), "nobody has said that they are registered anew"
            learning.again()
            await asyncio.sleep(5)
            assert mentions("`/games`") == "</games:1234567890>"
            working.cancel()
        assert stage.errors() == []

    on_stage(play)


def test_what_nobody_expected_ends_nothing_and_is_tried_again(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        mentions.learn(())
        async with scouted(TOKEN) as scout:
            learning = Learning(scout)
            with mock.patch.object(learning._tree, "fetch_commands", side_effect=KeyError("name")):
                working = asyncio.create_task(learning.run())
                await asyncio.sleep(5)
            assert [one["event"] for one in stage.errors()] == ["not learned what texts mention"]
            await asyncio.sleep(RETRY)
            assert mentions("`/games`") != "`/games`"
            assert tuple(MARKS) != TEXT_MARKS
            assert not working.done()
            working.cancel()

    on_stage(play)


def test_processes_that_upload_emojis_at_the_same_time_all_have_them(on_stage: OnStage) -> None:
    async def play(stage: Stage) -> None:
        async with scouted(TOKEN) as one, scouted(TOKEN) as another:
            assert all(await asyncio.gather(emojis.settle(one), emojis.settle(another)))
        assert len(stage.loopback.discord.emojis.all) == len(MARKS) + 1

    on_stage(play)
