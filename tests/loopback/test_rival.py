"""Two bots with one token: Discord tells both of every press, and the later answerer warns its operator."""

import asyncio

import pytest

from bot.monitoring.monitor import Monitor
from bot.runtime import rival
from bot.runtime.rival import COMPLAINT, HOLDS_FOR, RivalLog
from loopback.faults import Fault, Route
from tests.loopback.world import LoopbackWorld

SIGN = "another process uses the token"


@pytest.fixture
def signs(monkeypatch: pytest.MonkeyPatch) -> RivalLog:
    fresh = RivalLog()
    for module in ("bot.interactions.reply", "bot.monitoring.monitor"):
        monkeypatch.setattr(f"{module}.rivals", fresh)
    return fresh


def told(world: LoopbackWorld) -> list[str]:
    return [one["event"] for one in world.errors()]


@pytest.mark.usefixtures("signs")
async def test_two_bots_with_one_token_are_an_error_once_and_a_complaint(world: LoopbackWorld) -> None:
    assert "token" not in await Monitor(world.client.core.store, world.now).health.reasons()
    await world.start_rival()
    opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers")
    await asyncio.sleep(60)
    assert opened.calls == [(Route.REPLY, 200), (Route.REPLY, 400)], "neither fills in the answer of the other"
    assert told(world) == [SIGN]
    for _ in range(5):
        await world.people.slash(world.ben, world.channel, "games")
    await asyncio.sleep(60)
    assert told(world) == [SIGN], "once, however many presses there are"
    assert (await Monitor(world.client.core.store, world.now).health.reasons())["token"] == COMPLAINT


async def test_an_answer_that_was_repeated_is_no_sign_of_another_bot(signs: RivalLog, world: LoopbackWorld) -> None:
    """It arrived although the connection broke, and the second one is refused with the same code."""
    world.goes_wrong(Route.REPLY, Fault.RESET_AFTER, times=1)
    opened = await world.people.slash(world.ann, world.channel, "open", game="bouncers")
    await world.people.until(lambda: (Route.REPLY, 400) in opened.calls, 60)
    assert (Route.REPLY, 400) in opened.calls
    assert told(world) == []
    assert signs.complaint is None


def test_the_complaint_ends_an_hour_after_the_last_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    at = 0.0
    logged: list[str] = []
    monkeypatch.setattr(rival.log, "error", lambda event, **_: logged.append(event))
    signs = RivalLog(lambda: at)
    for moment in (0.0, HOLDS_FOR - 1, 2 * HOLDS_FOR - 3):
        at = moment
        signs.note(1)
        assert signs.complaint == COMPLAINT
    assert logged == [SIGN]
    at += HOLDS_FOR
    assert signs.complaint is None
    signs.note(2)
    assert logged == [SIGN, SIGN], "it has come back"
