"""Folded boards on a Discord that rations edits of old messages: what stays in the channel, and what it costs."""

import asyncio

import pytest

from loopback.faults import Fault, Route
from loopback.model import Message
from loopback.state import RATION, RATION_FOR
from tests.loopback.natures import Nature
from tests.loopback.owed import unmet
from tests.loopback.scenes import SOON, running
from tests.loopback.settings import choose
from tests.loopback.world import LoopbackWorld

MOVES = ("b2 b3", "b7 b6", "c2 c3", "c7 c6", "d2 d3", "d7 d6", "e2 e3", "e7 e6", "f2 f3", "f7 f6", "g2 g3", "g7 g6")
HOUR = 3600.0
GAMES = RATION + 3


async def played(world: LoopbackWorld, pause: float) -> int:
    """A game of twelve moves, so many seconds apart. Returns how many calls it took, answers to people included."""
    await running(world)
    before = len(world.loopback.calls)
    for number, move in enumerate(MOVES):
        await asyncio.sleep(pause)
        await world.people.slash((world.ann, world.ben)[number % 2], world.channel, "move", action=move)
    await asyncio.sleep(2 * RATION_FOR)
    return len(world.loopback.calls) - before


def boards(world: LoopbackWorld) -> list[Message]:
    return world.people.seen(world.channel, Nature.BOARD)


@pytest.mark.slow
@pytest.mark.parametrize("pause", [SOON, 3 * HOUR], ids=["within minutes", "hours apart"])
@pytest.mark.parametrize("old_boards", ["fold", "keep"])
async def test_folding_takes_no_more_calls_than_removing_buttons(world: LoopbackWorld, pause: float, old_boards: str) -> None:
    await choose(world.people, world.chief, world.channel, "server-settings", "new-tables", old_boards=old_boards)
    calls = await played(world, pause)
    assert calls == 4 * len(MOVES), "the answer, the announcement that becomes the new board, an edit of the one before"
    assert len(boards(world)) == 1 + len(MOVES)
    assert not any(board.custom_ids for board in boards(world)[:-1])
    pictures = [len(board.attachments) for board in boards(world)]
    assert pictures == ([0] * len(MOVES) + [1] if old_boards == "fold" else [1] * (1 + len(MOVES)))
    if old_boards == "fold":
        assert list(unmet(world.people, world.database)) == []


@pytest.mark.slow
async def test_what_discord_rations_folds_later_and_holds_up_no_board(world: LoopbackWorld) -> None:
    for _ in range(GAMES):  # in one channel, whose boards grow old together
        await running(world)
    await asyncio.sleep(2 * HOUR)
    for game in range(1, GAMES + 1):
        await world.people.slash(world.ann, world.channel, "move", action="b2 b3", game=str(game))
    await asyncio.sleep(1)
    old, new = boards(world)[:GAMES], boards(world)[GAMES:]
    assert [board.pinged for board in new] == [{world.ben.id}] * GAMES, "all new boards are there"
    assert sum(bool(board.custom_ids) for board in old) == sum(bool(board.attachments) for board in old) == GAMES - RATION
    await asyncio.sleep(24 * HOUR)
    assert list(unmet(world.people, world.database)) == []


async def test_an_edit_that_may_have_folded_a_board_is_done_again_to_the_same_effect(world: LoopbackWorld) -> None:
    await running(world)
    folds = lambda call: "-# #1 · " in str(call.body)  # noqa: E731
    world.goes_wrong(Route.EDIT, Fault.RESET_AFTER, 1, where=folds)
    await world.people.slash(world.ann, world.channel, "move", action="b2 b3")
    await asyncio.sleep(HOUR)
    assert [board.text.startswith("-# #1 · ") for board in boards(world)] == [True, False]
    assert len(boards(world)[0].history) == 4, "announced, laid out, folded, and folded again"
    assert list(unmet(world.people, world.database)) == []


@pytest.mark.parametrize("restarted", [False, True], ids=["remembered", "restarted"])
async def test_a_board_that_is_kept_loses_its_buttons_and_keeps_its_picture(world: LoopbackWorld, restarted: bool) -> None:
    await choose(world.people, world.chief, world.channel, "server-settings", "new-tables", old_boards="keep")
    await running(world)
    (old,) = boards(world)
    (picture,) = old.attachments
    if restarted:
        await world.stop()
        await world.start()
    await world.people.slash(world.ann, world.channel, "move", action="b2 b3")
    await asyncio.sleep(SOON)
    assert (old.attachments, old.custom_ids) == ([picture], [])
    assert f"attachment://{picture.name}" in str(old.components)
    assert world.loopback.refused == [], "what is not remembered is read, not tried"
