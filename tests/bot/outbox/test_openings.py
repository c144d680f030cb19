"""Opening a table: whatever happens in between, there is one lobby message, one thread and one invitation in the end."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from simcord.http import router as simulated

from bot.core.opening import ANSWERED_WITHIN
from bot.core.places import Places
from loopback.limits import Kind
from tests.bot.kit import World, button, buttons, reply
from tests.bot.refusals import ANSWER, SEND, a_bad_line, refusal
from tests.bot.seated import clicks, core_of

pytestmark = pytest.mark.slow

THREAD = r"POST /channels/\d+(/messages/\d+)?/threads"
LET_IN = r"PUT /channels/\d+/thread-members/\d+"


def lobbies(world: World) -> list[Any]:
    """All messages of the channel with which the table can be started."""
    return [message for message in world.messages() if ("start", 1) in clicks(message)]


def invitations(world: World) -> list[Any]:
    """All messages that pinged Ben."""
    places = [world.channel, *world.channel.threads]
    return [message for place in places for message in world.messages(place) if world.ben.id in world.pinged(message)]


@contextlib.contextmanager
def cut_off(world: World, calls: int, *, arrives: bool) -> Iterator[None]:
    """After so many calls the line is dead, as if the bot had been killed; the last of them `arrives` or does not."""
    dispatch, left = simulated.dispatch, [calls]

    def called(backend: Any, method: str, path: str, **rest: Any) -> Any:
        left[0] -= 1
        if left[0] > 0:
            return dispatch(backend, method, path, **rest)
        if left[0] == 0 and arrives:
            dispatch(backend, method, path, **rest)
        raise ConnectionResetError

    with mock.patch.object(simulated, "dispatch", called):
        yield


@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "arrives"])
@pytest.mark.parametrize("calls", range(1, 8))
@pytest.mark.parametrize("private", [False, True], ids=["public", "private"])
async def test_cut_off_at_any_call_a_table_is_shown_once(world: World, private: bool, calls: int, arrives: bool) -> None:
    world.watch.excused |= {"was never answered", "The watch saw"}
    with cut_off(world, calls, arrives=arrives):
        await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, thread=True, private=private)
    await world.pass_time(1)
    await world.restart()
    await world.pass_time(2 * ANSWERED_WITHIN)
    assert len(lobbies(world)) == 1
    (thread,) = world.channel.threads
    assert (await core_of(world).snapshot(1)).table.thread_id == thread.id
    assert len(invitations(world)) == 1
    await world.ben.click(lobbies(world)[0], label="Accept")
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(thread))


async def test_a_table_that_no_answer_ever_showed_is_shown_by_the_outbox(world: World) -> None:
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, ConnectionResetError):
        await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, thread=True)
    assert len(lobbies(world)) == len(world.channel.threads) == len(invitations(world)) == 1


@pytest.mark.parametrize("restart", [True, False], ids=["restart", "same process"])
@pytest.mark.parametrize("step", ["record_answer", "record_thread"])
@pytest.mark.parametrize("private", [False, True], ids=["public", "private"])
async def test_what_was_done_without_being_recorded_is_found_again(
    world: World, step: str, private: bool, restart: bool
) -> None:
    world.expected_errors |= {"unexpected error", "job failed"}
    with mock.patch.object(Places, step, side_effect=RuntimeError("the bot is killed")):
        await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, thread=True, private=private)
    await world.pass_time(1)
    if restart:
        await world.restart()
    await world.pass_time(2 * ANSWERED_WITHIN)
    assert len(lobbies(world)) == len(world.channel.threads) == len(invitations(world)) == 1


async def test_a_lobby_message_is_found_again_even_if_the_game_has_begun_on_it(world: World) -> None:
    world.expected_errors |= {"unexpected error"}
    with mock.patch.object(Places, "record_answer", side_effect=RuntimeError("the bot is killed")):
        await world.ann.slash(world.channel, "open", game="bouncers")
    await world.ben.click(world.last(), label="Join")
    await world.restart()
    await world.pass_time(2 * ANSWERED_WITHIN)
    assert [("Bouncers #1" in world.text(message), buttons(message) == []) for message in world.messages()] == [
        (True, True), (True, False),
    ]  # fmt: skip
    assert (await core_of(world).snapshot(1)).table.lobby_message_id == world.messages()[0].id


@pytest.mark.parametrize("error", [refusal(500), refusal(503), ConnectionResetError, TimeoutError])
@pytest.mark.parametrize("call", [THREAD, LET_IN])
async def test_a_thread_that_cannot_be_made_just_now_is_made_a_little_later(world: World, call: str, error: Any) -> None:
    with a_bad_line(world, call, error, times=2):
        shown = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
        await world.ben.click(reply(shown), label="Accept")
        assert [message for message in world.messages() if "which piece bounces?" in world.text(message)] == []
        await world.pass_time(60)
    (thread,) = world.channel.threads
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(thread))
    assert world.pinged(world.last(thread)) == {world.ann.id}


async def test_a_board_waits_for_its_thread(world: World) -> None:
    with a_bad_line(world, THREAD, refusal(503), times=2):
        shown = await world.ann.slash(world.channel, "open", game="bouncers", thread=True)
        await world.ben.click(reply(shown), label="Join")
        assert len(world.messages()) == 1
        await world.pass_time(60)
    (thread,) = world.channel.threads
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(thread))


async def test_opening_in_the_good_case_costs_no_call_too_many(world: World) -> None:
    for options, kinds in (
        ({}, [Kind.REPLY]),
        ({"thread": True}, [Kind.REPLY, Kind.THREAD]),
        ({"opponent": world.ben}, [Kind.REPLY, Kind.SEND]),
    ):
        since = world.watch.count()
        await world.ann.slash(world.channel, "open", game="bouncers", **options)
        assert [call.kind for call in world.watch.calls[since:]] == kinds


async def test_an_invitation_can_be_accepted_where_it_stands(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    lobby, invitation = world.messages()
    calls = len(world.watch.calls)
    answered = await world.ben.click(invitation, label="Accept")
    assert answered.followups == []
    made = sorted(call.kind for call in world.watch.calls[calls:])
    assert made == [Kind.EDIT, Kind.EDIT, Kind.SEND, Kind.UPDATE], "one of the edits makes the announced turn a board"
    settled = next(m for m in world.messages() if m.id == invitation.id)
    assert world.text(settled).startswith("Ben is in! Bouncers #1: https://discord.com/channels/")
    assert buttons(settled) == []
    assert "The game has begun" in world.text(next(m for m in world.messages() if m.id == lobby.id))
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last())


async def test_an_invitation_of_several_goes_on_asking_the_others_and_one_that_is_declined_asks_nobody(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="trampoline", seats=4, opponent=world.ben, opponent2=world.cleo)
    invitation = world.last()
    await world.ben.click(invitation, label="Decline")
    text = world.text(world.last())
    assert text.startswith("-# Ben can’t make it this time. BOUNCE #1: ")
    assert f"<@{world.cleo.id}>: Ann invites you" in text
    assert f"<@{world.ben.id}>" not in text
    assert [one.label for one in buttons(world.last())] == ["Accept", "Decline"]
    await world.cleo.click(invitation, label="Accept")
    assert world.text(world.last()).startswith("Cleo is in! BOUNCE #1: ")
    assert buttons(world.last()) == []


async def test_an_invitation_to_a_table_that_is_gone_loses_its_buttons(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    lobby, _ = world.messages()
    await world.ann.click(lobby, label="Leave")
    await world.pass_time(60)
    assert "This invitation is no longer open: " in world.text(world.last())
    assert buttons(world.last()) == []


# --- lobby messages that were deleted -------------------------------------------------------------------------------------


async def test_who_finds_no_lobby_message_joins_by_the_list_of_games(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    world.env.backend.delete_message(world.channel.id, reply(shown).id)
    listed = await world.ben.slash(world.channel, "games")
    await world.ben.click(reply(listed), label="#1 BOUNCE")
    (again,) = lobbies(world)
    assert world.pinged(again) == set()
    await world.ben.click(reply(listed), label="Join")
    assert "Ben" in world.text(listed)
    assert "Ben" in world.text(lobbies(world)[0])
    refused = await world.ben.click(reply(listed), label="Start")
    assert "Only Ann, who opened this table, can start the game." in world.text(refused)
    await world.ann.click(lobbies(world)[0], label="Start")
    assert "ready to roll?" in world.text(world.last())


async def test_a_deleted_lobby_message_is_posted_again_by_itself_and_pings_nobody(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3, opponent=world.ben)
    world.env.backend.delete_message(world.channel.id, reply(shown).id)
    since = len(invitations(world))
    await world.pass_time(3700)
    (lobby,) = lobbies(world)
    assert len(invitations(world)) == since
    await world.ben.click(lobby, label="Accept")
    world.env.backend.delete_message(world.channel.id, lobby.id)
    await world.restart()
    await world.ann.click(lobbies(world)[0], label="Start")
    assert "ready to roll?" in world.text(world.last())


async def test_a_lobby_message_that_cannot_be_posted_locks_nobody_out(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben)
    world.env.backend.delete_message(world.channel.id, reply(shown).id)
    world.watch.excused.add("was tried")
    listed = await world.ben.slash(world.channel, "games")
    with a_bad_line(world, SEND, refusal(403, 50013)):
        opened = await world.ben.click(reply(listed), label="#1 Bouncers")
    assert button(reply(listed), "Accept")
    assert "I can’t show" in world.text(opened)
    await world.ben.click(reply(listed), label="Accept")
    assert "The game has begun" in world.text(reply(listed))


async def test_lobby_messages_are_not_looked_at_without_need(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers")
    since = world.watch.count()
    await world.pass_time(3 * 3600 + 60)
    looked = [call for call in world.watch.calls[since:] if re.fullmatch(r"/channels/\d+/messages/\d+", call.path)]
    assert len(looked) == 3
    await world.ben.click(world.last(), label="Join")
    since = world.watch.count()
    await world.pass_time(3 * 3600)
    assert world.watch.count() == since
