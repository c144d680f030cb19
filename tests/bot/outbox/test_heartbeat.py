"""The heartbeat in Discord: what people see of an outage, and what the operator learns of a clock that jumps."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.core.clocks.heartbeats import EVERY, Heartbeats
from bot.core.clocks.timing import WAITS
from bot.loops.heartbeat import uptime
from tests.bot.kit import World, a_world
from tests.bot.seated import open_table, pings, seeded
from tests.bot.service import DAY, HOUR


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """The bot with heartbeats as in production."""
    async with a_world(tmp_path, seeded(1, beat_every=EVERY)) as made:
        yield made


async def asleep(world: World, seconds: float) -> None:
    """The bot is down for a while."""
    await world.settle()
    with world.env._bot_scope():
        await world.client.close()
    world.env._move_clock(world.env._virtual_time + seconds)
    await world.restart()


@pytest.mark.slow
async def test_time_that_the_bot_was_down_is_given_back_and_mentioned_once(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="1h", strict=True)
    before = (await table.snapshot()).table.deadline
    assert before is not None
    await asleep(world, 26 * HOUR)
    assert "I was away for a while: you get 26 h back." in world.text(table.board())
    assert f"<t:{int(before + 26 * HOUR)}:R>" in world.text(table.board())
    assert pings(world) == [world.ann.id], "an edit pings nobody"
    assert len(world.messages()) == 2
    assert "#1 got that time back" in world.text(await world.cleo.slash(world.channel, "games"))
    await world.pass_time(31 * 60)
    assert f"Your time’s up <t:{int(before + 26 * HOUR)}:R>" in world.text(world.last())
    await table.type(world.ann, ("b2", "b3"))
    assert "I was away" not in world.text(table.board())
    await world.pass_time(HOUR + 1 + WAITS)
    assert "Ben ran out of time." in world.text(table.board())


@pytest.mark.slow
async def test_while_discord_is_away_nobody_runs_out_of_time(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="1h", strict=True)
    await world.pass_time(50 * 60)
    with world.env._bot_scope():
        await world.client.on_disconnect()
    await world.pass_time(3 * HOUR)
    assert not await table.over()
    with world.env._bot_scope():
        await world.client.on_resumed()
    await world.settle()
    await world.pass_time(9 * 60)
    assert not await table.over()
    await world.pass_time(2 * 60 + WAITS)
    assert "Ann ran out of time." in world.text(world.last())


@pytest.mark.slow
async def test_a_clock_that_jumps_ends_no_game_and_calls_the_operator(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="1h", strict=True)
    world.expected_errors.add("time-outs are stopped")
    core = table.core
    table.core.service(Heartbeats)._owner_id = world.cleo.id  # the bot that simcord makes owns itself
    right = core._clock
    core._clock = lambda: right() + 365 * DAY
    await world.pass_time(2 * HOUR)
    assert not await table.over()
    (said,) = (one for one in world.logs if one["event"] == "time-outs are stopped")
    assert "jumped forward by 365 d" in said["reason"]
    assert "springboard resume-clocks" in said["advice"]
    (told,) = world.direct_messages(world.cleo)
    assert "the clock of the machine I run on may be wrong." in told
    await table.type(world.ann, ("b2", "b3"))
    assert (await table.snapshot()).table.version == 1
    await world.pass_time(2 * HOUR)
    assert not await table.over()


@pytest.mark.parametrize(
    ("system", "running", "asleep"),
    [("Linux", "CLOCK_MONOTONIC", "CLOCK_BOOTTIME"), ("macOS", "CLOCK_UPTIME_RAW", "CLOCK_MONOTONIC")],
)
def test_the_uptime_goes_on_during_suspension(monkeypatch: pytest.MonkeyPatch, system: str, running: str, asleep: str) -> None:
    shown = {running: 100.0, asleep: 100.0}
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "CLOCK_UPTIME_RAW"):
        monkeypatch.delattr(time, name, raising=False)
    for name in shown:
        monkeypatch.setattr(time, name, name, raising=False)
    monkeypatch.setattr(time, "clock_gettime", shown.__getitem__)
    monkeypatch.setattr(time, "monotonic", lambda: shown[running])
    before = uptime()
    shown[running] += 5.0
    shown[asleep] += 5.0 + 8 * HOUR
    assert uptime() - before == 5.0 + 8 * HOUR, system
