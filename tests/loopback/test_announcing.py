"""Messages that ping: created plainly, and made layouts by a second call, which may fail, be late, or never come."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from loopback.faults import Fault, Route
from loopback.model import Message
from tests.loopback.natures import Nature, lays_out
from tests.loopback.owed import pinged_twice, unmet
from tests.loopback.scenes import move, running, showing
from tests.loopback.settings import choose
from tests.loopback.torment import torment
from tests.loopback.world import LoopbackWorld

TWENTY_MINUTES = 1200.0
HOUR = 3600.0
DAY = 24 * HOUR
SOON = 5.0
KILLS = 6
MAKES_A_BOARD = showing(Nature.BOARD, live=True)
REFUSALS = (
    Fault.FORBIDDEN, Fault.NOT_FOUND, Fault.BAD_REQUEST, Fault.LONG_LIMIT, Fault.ERROR, Fault.SILENCE, Fault.RESET_AFTER,
)  # fmt: skip


def boards(world: LoopbackWorld) -> list[Message]:
    return world.people.everywhere(Nature.BOARD, 1)


async def in_order(world: LoopbackWorld) -> None:
    """When all is well again, everything is there exactly once."""
    world.all_well()
    discord = world.loopback.discord
    discord.deny(world.channel, discord.bot, "add_reactions")  # somebody changes the permissions
    await asyncio.sleep(8 * HOUR)
    assert (list(unmet(world.people, world.database)), list(pinged_twice(world.people))) == ([], [])
    assert world.errors() == []


async def test_a_turn_is_announced_and_its_message_becomes_the_board(world: LoopbackWorld) -> None:
    await running(world)
    before = len(world.loopback.calls)
    await move(world)
    await asyncio.sleep(SOON)
    board = boards(world)[-1]
    assert board.notified == f"Ann bounces b2 → b3. Your turn in Bouncers #1: which piece bounces? <@{world.ben.id}>"
    assert board.pinged == {world.ben.id}
    assert (board.content, len(board.attachments), board.edits) == ("", 1, 1)
    calls = [call for call in world.loopback.calls[before:] if call.route in {Route.SEND, Route.EDIT}]
    assert [call.route for call in calls] == [Route.SEND, Route.EDIT, Route.EDIT], "announced, laid out, the one before folded"
    assert calls[1].body["content"] is None
    kept = world.client._connection._view_store
    assert not kept._views
    assert not kept._synced_message_views
    assert calls[1].body["allowed_mentions"]["users"] == [world.ben.id], "it stays in their list of mentions"


@pytest.mark.slow
@pytest.mark.parametrize("fault", REFUSALS)
async def test_a_turn_whose_second_call_fails_for_long_can_be_played_meanwhile(world: LoopbackWorld, fault: Fault) -> None:
    await running(world)
    world.goes_wrong(Route.EDIT, fault, where=MAKES_A_BOARD)
    await move(world)
    await asyncio.sleep(TWENTY_MINUTES / 2)
    panel = await world.people.click(world.ben, boards(world)[-1], "sb|move")
    assert "Which piece bounces?" in panel.text
    await asyncio.sleep(TWENTY_MINUTES / 2)
    assert [board.pinged for board in boards(world) if board.pinged] == [{world.ann.id}, {world.ben.id}]
    await in_order(world)
    assert [board.text.startswith("-# #1 · ") for board in boards(world)] == [True] * (len(boards(world)) - 1) + [False]


@pytest.mark.slow
@pytest.mark.parametrize("old_boards", ["fold", "keep"])
@pytest.mark.parametrize("fault", REFUSALS)
async def test_an_announcement_that_never_became_a_board_is_folded(world: LoopbackWorld, fault: Fault, old_boards: str) -> None:
    await choose(world.people, world.chief, world.channel, "server-settings", "new-tables", old_boards=old_boards)
    await running(world)
    world.goes_wrong(Route.EDIT, fault, where=MAKES_A_BOARD)
    await move(world)
    await asyncio.sleep(60)
    await world.people.slash(world.ben, world.channel, "move", action="b7 b6")
    await asyncio.sleep(60)
    world.all_well()
    discord = world.loopback.discord
    discord.deny(world.channel, discord.bot, "add_reactions")
    await asyncio.sleep(DAY)
    told = [board for board in boards(world) if board.pinged]
    assert [board.pinged for board in told] == [{world.ann.id}, {world.ben.id}, {world.ann.id}]
    assert [board for board in boards(world) if board.custom_ids] == boards(world)[-1:]
    assert boards(world)[-1].content == ""
    assert "bounces b7 → b6" in boards(world)[-1].text
    second = told[1]
    assert "b2 → b3" in second.text, "the line, or the board in words, tells the turn that it announced"
    assert (second.content, list(pinged_twice(world.people))) == ("", [])


async def test_after_an_hour_a_new_message_without_a_ping_takes_the_place_of_the_announcement(world: LoopbackWorld) -> None:
    await running(world)
    world.goes_wrong(Route.EDIT, Fault.FORBIDDEN, where=MAKES_A_BOARD)
    await move(world)
    await asyncio.sleep(90)
    await world.stop()
    world.all_well()
    await asyncio.sleep(2 * HOUR)
    await world.start()
    await asyncio.sleep(60)
    first, announced, board = boards(world)
    assert [one.pinged for one in (first, announced, board)] == [{world.ann.id}, {world.ben.id}, set()]
    assert not announced.custom_ids
    assert "bounces b2 → b3" in board.text
    await in_order(world)


@pytest.mark.parametrize("readable", [True, False], ids=["history", "no history"])
@pytest.mark.parametrize("private", [True, False], ids=["private", "public"])
async def test_an_invitation_with_a_failed_second_call_comes_once(world: LoopbackWorld, private: bool, readable: bool) -> None:
    if not readable:
        world.loopback.discord.deny(world.channel, world.loopback.discord.bot, "read_message_history")
    world.goes_wrong(Route.EDIT, Fault.FORBIDDEN, where=lays_out)
    await world.people.slash(
        world.ann, world.channel, "open", game="bouncers", opponent=world.ben, clock="none", private=private
    )
    await asyncio.sleep(TWENTY_MINUTES)
    world.all_well()
    await asyncio.sleep(2 * HOUR)
    told = [one for one in world.loopback.discord.messages.values() if world.ben.id in one.pinged]
    assert len(told) == 1
    assert told[0].notified.startswith("Ann invites you to Bouncers #1")
    assert bool(told[0].content) is not private, "text stays plain, a poster makes it a layout"
    await world.people.click(world.ben, told[0], "sb|accept")
    await asyncio.sleep(60)
    assert boards(world)[-1].pinged == {world.ann.id}


@pytest.mark.slow
def test_killed_between_the_two_calls_everything_is_there_in_the_end_and_once() -> None:
    with TemporaryDirectory() as folder:
        figures = asyncio.run(torment(Path(folder), KILLS, announcing=True))
    assert figures.problems == []
    assert figures.kills >= KILLS
