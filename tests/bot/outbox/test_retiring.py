"""The buttons of old boards go away some time: no click waits for that, and no picture is drawn or sent for it again."""

from collections.abc import Callable

import aiohttp
import discord
import pytest

from bot.outbox.delivery.refusals import LONGEST_IDLE_RETRY, MOST_IDLE_TRIES
from tests.bot.kit import World, buttons
from tests.bot.limits import Call, Kind
from tests.bot.refusals import EDIT, SEND, a_bad_line, a_slow_line, refusal
from tests.bot.seated import Seated, all_that_is_seen, open_table, pings, sessions_of

pytestmark = pytest.mark.slow


def live(world: World) -> list[int]:
    """The ids of the messages that have buttons of a board, oldest first."""
    return [message.id for message in world.messages() if any(one.label == "Board in words" for one in buttons(message))]


def edits(world: World, message_id: int) -> list[Call]:
    """The calls that edited a message."""
    return [call for call in world.watch.calls if call.kind is Kind.EDIT and call.path.endswith(f"/{message_id}")]


async def two_boards(world: World) -> tuple[Seated, discord.Message]:
    """A table whose second board is about to be posted, and its first."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    return table, table.board()


async def test_an_old_board_loses_its_buttons_and_keeps_its_picture(world: World) -> None:
    table, old = await two_boards(world)
    picture, text = world.picture(old), world.text(old)
    await table.type(world.ben, ("b7", "b6"))
    kept = next(message for message in world.messages() if message.id == old.id)
    assert buttons(kept) == []
    assert world.picture(kept) == picture
    turn = next(line for line in text.splitlines() if "<@" in line)
    assert world.text(kept) == text.replace(f"\n{turn}", ""), "only the line about the turn is gone"
    assert live(world) == [table.board().id]
    (edit,) = edits(world, old.id)
    assert edit.files == ()
    assert "attachments" not in edit.message


@pytest.mark.parametrize(
    "error", [refusal(500), refusal(429, 30046), aiohttp.ServerDisconnectedError], ids=["500", "30046", "disconnected"]
)
async def test_what_fails_is_done_later_also_by_the_next_process(world: World, error: Callable[[], Exception]) -> None:
    table, old = await two_boards(world)
    with a_bad_line(world, EDIT, error, times=2):
        await table.type(world.ben, ("b7", "b6"))
        assert live(world) == [old.id, table.board().id]
        assert pings(world)[-1] == world.ann.id
        await world.pass_time(200)
    await world.restart()
    await world.pass_time(3600)
    assert live(world) == [table.board().id]


async def test_a_ration_that_is_used_up_is_not_asked_for_again_and_again(world: World) -> None:
    table, old = await two_boards(world)
    world.env.inject_error("PATCH", f"/channels/*/messages/{old.id}", status=429, code=30046, times=None)
    world.watch.excused.add("was tried")
    await table.type(world.ben, ("b7", "b6"))
    await world.pass_time(MOST_IDLE_TRIES * LONGEST_IDLE_RETRY)
    assert len(edits(world, old.id)) == MOST_IDLE_TRIES
    assert (await sessions_of(world).outbox.waiting()).jobs == {}


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (400, 50083), (404, 10003)])
async def test_what_is_refused_for_good_is_not_tried_again(world: World, status: int, code: int) -> None:
    table, old = await two_boards(world)
    world.env.inject_error("PATCH", f"/channels/*/messages/{old.id}", status=status, code=code, times=None)
    answer = await table.type(world.ben, ("b7", "b6"))
    assert answer.followups == [], "nobody is told"
    await world.pass_time(3600)
    assert len(edits(world, old.id)) == 1
    assert (await table.snapshot()).table.thread_id is None
    assert live(world)[-1] == table.board().id


async def test_an_edit_that_hangs_holds_up_neither_the_board_nor_the_next_one(world: World) -> None:
    table, old = await two_boards(world)
    with a_slow_line(world, EDIT) as hung:
        await table.type(world.ben, ("b7", "b6"))
        assert len(hung) == 1
        await table.type(world.ann, ("c2", "c3"))
        assert pings(world)[-1] == world.ben.id
        await world.pass_time(11)
    await world.pass_time(3600)
    assert live(world) == [table.board().id]
    assert old.id != table.board().id


async def test_a_board_that_was_edited_though_that_seemed_to_fail_keeps_the_picture_it_shows(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    (first,) = await table.awaited()
    with a_bad_line(world, EDIT, refusal(500), arrives=True):
        snapshot = await table.snapshot()
        while (await table.snapshot()).table.turn == snapshot.table.turn and await table.awaited() == [first]:
            await table.type(first, await table.random_action(first))
    await world.pass_time(3600)
    assert live(world) == [table.board().id]


async def test_of_cards_that_are_hidden_an_old_board_shows_no_more_than_it_did(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    for _ in range(6):
        (member,) = await table.awaited()
        old = table.board()
        before = all_that_is_seen(world, old)
        await table.type(member, await table.random_action(member))
        after = next(message for message in world.messages() if message.id == old.id)
        if buttons(after) == []:
            assert world.text(after) in before.replace("\\n", "\n") or set(world.text(after).split("\n")) <= set(
                world.text(old).split("\n")
            )
            assert world.picture(after) == world.picture(old)


@pytest.mark.parametrize("later", [0, 3600])
async def test_a_board_that_nobody_recorded_loses_its_buttons_too(world: World, later: float) -> None:
    """Ben's board arrives though that seems to have failed, Ben sees it and moves before it is tried again."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = len(world.messages())
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await table.type(world.ann, ("b2", "b3"))
    await table.type(world.ben, ("b7", "b6"))
    await world.pass_time(later)
    assert len(world.messages()) == before + 2
    assert live(world) == [table.board().id]
    assert pings(world)[-2:] == [world.ben.id, world.ann.id]


async def test_a_board_of_this_turn_that_nobody_recorded_is_edited_and_pings_once(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    (first,) = await table.awaited()
    while await table.awaited() == [first]:
        await table.act(first, await table.random_action(first))
    before, calls = len(world.messages()), len(world.watch.calls)
    (second,) = await table.awaited()
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await table.show_all()
    turn = (await table.snapshot()).table.turn
    await table.type(second, ("roll",))
    assert len(world.messages()) == before + 1 + ((await table.snapshot()).table.turn - turn)
    assert pings(world, calls).count(second.id) == 1
