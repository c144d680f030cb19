"""A planned reply is planned by clicks, played once, and shown once, whatever happens to a call."""

import asyncio

import pytest

from loopback.faults import Fault, Route
from tests.loopback.natures import Nature
from tests.loopback.world import LoopbackWorld
from tests.marks import quick_first

PASSING = (Fault.SHORT_LIMIT, Fault.ERROR, Fault.UNAVAILABLE, Fault.SILENCE, Fault.RESET_BEFORE, Fault.RESET_AFTER)
HOURS = 3 * 3600.0


async def planned(world: LoopbackWorld) -> None:
    """Ann opened a game against Ben, moved, and planned her reply to one of his moves."""
    people, ann = world.people, world.ann
    opened = await people.slash(ann, world.channel, "open", game="bouncers", opponent=world.ben, clock="none")
    assert opened.original is not None
    await people.click(world.ben, opened.original, "sb|accept")
    await asyncio.sleep(60)
    moved = await people.slash(ann, world.channel, "move", action="b2 b3")
    panel = moved.original
    assert panel is not None
    for last in ("plan", "b7", "b6", "plan-stop", "c2", "c3", "plan-so", "plan-keep"):
        found = [one for one in panel.custom_ids if one.split("|")[1] == last or one.endswith(f" {last}")]
        await people.click(ann, panel, found[0])
    assert "Saved: if Ben plays “b7 → b6”, you play “c2 → c3”." in panel.text
    await asyncio.sleep(60)


@pytest.mark.parametrize("fault", quick_first(2, [None, *reversed(PASSING)]))
@pytest.mark.parametrize("route", [Route.REPLY, Route.SEND])
async def test_a_planned_reply_is_played_and_shown_once(world: LoopbackWorld, route: Route, fault: Fault | None) -> None:
    await planned(world)
    if fault is not None:
        world.goes_wrong(route, fault, 1)
    answered = await world.people.slash(world.ben, world.channel, "move", action="b7 b6")
    await asyncio.sleep(HOURS)
    history = (await world.client.core.snapshot(1)).playing
    assert [logged.notation for logged in history.log] == ["b2-b3", "b7-b6", "c2-c3"]
    boards = world.people.everywhere(Nature.BOARD, 1)
    assert [one.pinged for one in boards] == [{world.ann.id}, {world.ben.id}, set()]
    for words in ("**Ben** bounces b7 → b6.", "**Ann** bounces c2 → c3.", f"<@{world.ben.id}>, which piece bounces?"):
        assert words in boards[-1].text
    if fault is None:
        assert "Ann had planned that reply. It’s your turn again." in answered.text
    assert sum("c2 → c3" in one.text for one in boards) == 1


async def test_what_is_planned_tells_nobody_anything(world: LoopbackWorld) -> None:
    await planned(world)
    public = [(one.id, len(one.history)) for one in world.people.seen(world.channel) if not one.private]
    panel = (await world.people.by_way(world.ann, world.channel, "plan")).original
    assert panel is not None
    await world.people.click(world.ann, panel, "sb|plan-clear")
    await world.people.click(world.ann, panel, next(one for one in panel.custom_ids if one.endswith(" sure")))
    await asyncio.sleep(HOURS)
    assert [(one.id, len(one.history)) for one in world.people.seen(world.channel) if not one.private] == public
    assert not any("c2" in str(line) for line in world.logs)
    await world.people.slash(world.ben, world.channel, "move", action="b7 b6")
    assert (await world.client.core.snapshot(1)).playing.to_act == (0,)
