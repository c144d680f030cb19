"""The test kit waits for threads, lets time stand still, and misses no error of the bot."""

import asyncio
import sqlite3
import time
from pathlib import Path

import discord
import pytest
import structlog

from loopback.limits import ANSWERS
from tests.bot.kit import World, button, buttons, reply, select, texts
from tests.bot.toy import Toy, breaches, run_do


async def test_a_command_is_over_when_its_threads_are(toy_world: World[Toy]) -> None:
    world = toy_world
    answer = await world.ann.slash(world.channel, "count")
    assert (texts(answer), world.picture(answer).image.size) == (["Clicked 1 times"], (10, 10))
    assert (world.picture(answer).alt, select(answer).options) == ("1 clicks", {"One": "1"})
    assert world.watch.count(*ANSWERS) == 2
    with sqlite3.connect(world.folder / "toy.sqlite3") as base:
        assert base.execute("SELECT COUNT(*) FROM clicks").fetchone() == (1,)


async def test_a_button_works_after_a_restart(toy_world: World[Toy]) -> None:
    world = toy_world
    await world.ann.slash(world.channel, "count")
    before = world.client
    await world.restart()
    assert world.client is not before
    assert button(world.last(), "More").custom_id == "more:1"
    await world.ben.click(world.last(), label="More")
    assert texts(world.last()) == ["Clicked 2 times"]


async def test_clicks_at_once_are_both_on_their_way_before_either_is_answered(toy_world: World[Toy]) -> None:
    world = toy_world
    board = reply(await world.ann.slash(world.channel, "count"))
    calls = len(world.watch.calls)
    async with world.at_once():
        await world.ann.click(board, label="More")
        await world.ben.click(board, label="More")
        assert len(world.watch.calls) == calls
    # Which of the two is posted first is up to the threads.
    assert sorted(texts(message)[0] for message in world.messages()) == [f"Clicked {n} times" for n in (1, 2, 3)]


async def test_a_repeated_interaction_reaches_the_bot_again(toy_world: World[Toy]) -> None:
    world = toy_world
    await world.ann.slash(world.channel, "count")
    await world.repeat_last_interaction()
    (error,) = world.env.errors
    assert isinstance(getattr(error, "original", error), discord.HTTPException)
    assert len(world.messages()) == 1


async def test_a_loop_runs_at_its_hours_when_time_passes(toy_world: World[Toy]) -> None:
    world = toy_world
    begun = world.now()
    client = world.client
    await world.pass_time(7 * 3600)
    assert [round(moment - begun) for moment in client.rounds] == [3600 * n for n in range(8)]


async def test_timers_run_when_time_passes_and_not_before(toy_world: World[Toy]) -> None:
    world = toy_world
    fired: list[float] = []

    async def start(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        begun = world.now()
        asyncio.get_running_loop().call_later(0.01, lambda: fired.append(world.now() - begun))
        await asyncio.sleep(30)
        fired.append(world.now() - begun)

    assert await breaches(world, start) == ""
    await asyncio.to_thread(time.sleep, 0.05)
    await world.settle()
    assert fired == []
    await world.pass_time(60)
    assert fired == [pytest.approx(0.01), pytest.approx(30)]


async def test_a_missing_button_is_told_with_those_that_are_there(toy_world: World[Toy]) -> None:
    answer = await toy_world.ann.slash(toy_world.channel, "count")
    assert [one.label for one in buttons(answer)] == ["More"]
    with pytest.raises(AssertionError, match="'More'"):
        button(answer, "Less")


async def test_an_error_that_nobody_looked_at_fails_the_test(tmp_path: Path) -> None:
    async def stumble(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Here.")
        raise ArithmeticError

    with pytest.raises(ExceptionGroup, match="bot raised 1 error"):
        await run_do(tmp_path, stumble)


async def test_an_error_in_the_log_fails_the_test_even_if_people_got_a_kind_answer(tmp_path: Path) -> None:
    async def stumble(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Something went wrong.")
        try:
            raise ArithmeticError("seven")
        except ArithmeticError:
            structlog.get_logger().exception("unexpected error")

    with pytest.raises(AssertionError, match="ArithmeticError: seven"):
        await run_do(tmp_path, stumble)
