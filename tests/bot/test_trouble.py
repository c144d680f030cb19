"""Discord at its worst and people at their strangest: nothing is lost, everybody is answered, and nobody sees what they should
not."""

import asyncio
import contextlib
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import discord
import pytest
import pytest_asyncio
from discord import app_commands
from simcord.actors import MemberActor
from simcord.backend.errors import BackendError
from simcord.builders import ChannelHandle
from simcord.http import router as simulated
from simcord.results import InteractionResult

import renderers
from bot.app import Springboard, make_client
from bot.interactions.router import HANDLERS
from bot.messages.builder import escaped
from bot.messages.click import Click
from bot.outbox.worker import OutboxWorker
from bot.sessions import History
from engines import GAMES
from engines.chance import Fair
from engines.game import Action
from storage.records import Entry, EntryKind
from storage.store import Store
from tests.bot.kit import World, a_world, buttons, reply, select
from tests.bot.limits import Kind
from tests.bot.seated import SETUP_RANDOM, Seated, open_table, pings, walked
from tests.engines.contract_games import random_action

# --- what people type -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("B2-B3", "Ann plays b2-b3."),
        ("b2 b3", "Ann plays b2-b3."),
        ("b2|b3", "What do you do?"),
        ("b2 " * 40, "What do you do?"),
    ],
)
async def test_what_was_typed_is_played_once_it_is_known_at_which_table(world: World, typed: str, answer: str) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "bouncers", world.ann, world.cleo)
    asked = await world.ann.slash(world.channel, "move", action=typed)
    assert "Which one do you mean?" in world.text(asked)
    await world.ann.click(reply(asked), label="#2 Bouncers: Ann, Cleo")
    assert answer in world.text(asked)


# --- what stays behind ------------------------------------------------------------------------------------------------


async def test_nothing_stays_in_memory_of_a_message_that_was_sent(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = asyncio.all_tasks()
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="b2")
    await world.ann.click(reply(panel), label="Back")
    await world.ben.click(table.board(), label="More")
    await world.cleo.slash(world.channel, "help")
    await table.type(world.ann, ("c2", "c3"))
    assert len(asyncio.all_tasks()) <= len(before)


# --- what takes long --------------------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def impatient(folder: Path, now: Callable[[], float]) -> AsyncIterator[Springboard]:
    """The real bot, for which everything takes too long: it puts every answer off at once, as it does when it is slow."""
    store = await Store.open(folder / "springboard.sqlite3")
    try:
        yield make_client(store, now=now, defer_after=0)
    finally:
        await store.close()


@pytest_asyncio.fixture
async def slow_world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with people and a bot that is slow in everything."""
    async with a_world(tmp_path, impatient) as made:
        yield made


COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"game": "trampoline", "seats": 3},
    "move": {"action": "b2 b3"},
    "hand": {},
    "draw": {},
    "resign": {},
    "undo": {},
    "nudge": {},
    "substitute": {"newcomer": "cleo"},
    "rematch": {},
    "watch": {},
    "board": {},
    "games": {},
    "rules": {"game": "bunny"},
    "help": {},
    "replay": {},
    "verify": {"game": "1"},
    "stats": {},
    "leaderboard": {"game": "bouncers"},
    "settings show": {},
    "settings forget-me": {},
    "settings reminders": {"half": False},
    "settings quiet-hours": {"begin": "22:00", "end": "7:00"},
    "settings vacation": {"days": 3},
    "settings palette": {"palette": "high-contrast"},
    "settings language": {"language": "en"},
    "server-settings show": {},
    "server-settings channel": {},
    "server-settings tables": {"most": 5},
    "server-settings language": {"language": "en"},
    "server-settings close-table": {"game": "1"},
    "server-settings remove-seat": {"game": "1", "player": "ben"},
}
"""Every command with options that make it do something, or refuse to."""


def all_commands(world: World) -> set[str]:
    """Every command that the bot has registered."""
    return {c.qualified_name for c in world.client.tree.walk_commands() if not isinstance(c, app_commands.Group)}


def answer_of(result: InteractionResult) -> str:
    """What was answered, in the placeholder or beside it."""
    return " / ".join(str(one.components) + one.content for one in (result.response, *result.followups) if one is not None)


async def test_every_command_is_put_off_when_it_takes_long_and_answered_then(slow_world: World) -> None:
    world = slow_world
    assert set(COMMANDS) == all_commands(world)
    chief = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    boss = world.guild.add_member(world.env.create_user("boss", global_name="Boss"), roles=[chief])
    people: dict[str, Any] = {"cleo": world.cleo, "ben": world.ben}
    for number, (name, options) in enumerate(COMMANDS.items()):
        channel = world.guild.create_text_channel(f"games-{number}")
        opener = world.join(f"P{number}")
        await open_table(world, "bouncers", opener, world.ben, channel=channel)
        who = boss if name.startswith("server") else opener
        if "game" in options and options["game"] == "1":
            options = options | {"game": str(number + 1 if number < 1 else number + 2)}
        given = {key: people.get(value, value) for key, value in options.items()}
        calls = len(world.watch.calls)
        result = await who.slash(channel, name, **given)
        assert world.watch.calls[calls].kind is Kind.DEFER, name
        said = answer_of(result)
        assert said, name
        assert "went wrong" not in said, name
        public = name == "play"
        assert all(one.ephemeral != public for one in [result.response] if one is not None), name


async def test_an_error_after_a_public_answer_was_put_off_stays_private(slow_world: World) -> None:
    world = slow_world
    quiet = world.guild.create_text_channel(
        "quiet", overwrites={world.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )
    calls = len(world.watch.calls)
    refused = await world.ann.slash(quiet, "play", game="bouncers")
    assert world.watch.calls[calls].kind is Kind.DEFER
    assert refused.followups[-1].ephemeral
    assert "I need: Attach Files" in world.text(refused)
    assert world.messages(quiet) == [], "the placeholder is gone"


async def test_every_button_is_answered_when_it_takes_long(slow_world: World) -> None:
    world = slow_world
    pressed: set[str] = set()

    async def press(member: MemberActor, message: Any, label: str) -> InteractionResult:
        if isinstance(message, InteractionResult):
            message = message.followups[-1] if message.followups else message.response
        (found,) = (b for b in buttons(message) if b.label == label)
        click = Click.read(found.custom_id or "")
        assert click is not None
        pressed.add(click.verb)
        calls = len(world.watch.calls)
        result = await member.click(message, custom_id=found.custom_id)
        assert world.watch.calls[calls].kind in {Kind.DEFER, Kind.DEFER_UPDATE}, label
        assert "went wrong" not in answer_of(result), label
        return result

    ann, ben, cleo = world.ann, world.ben, world.cleo
    lobby = reply(await ann.slash(world.channel, "play", game="bouncers", opponent=ben))
    await press(ben, lobby, "Decline")
    await press(cleo, lobby, "Join")
    table = Seated(world, 1, [ann, cleo], world.channel)
    panel = await press(ann, table.board(), "Move")
    await press(ann, panel, "b2")
    await press(ann, panel, "Back")
    await press(ann, panel, "b2")
    await press(ann, panel, "b3")
    await press(ann, panel, "Play this")
    assert "Ann plays b2-b3." in world.text(table.board())
    await press(ben, table.board(), "Board in words")
    more = await press(ann, table.board(), "More")
    await press(ann, more, "Undo")
    await press(cleo, world.last(), "Decline")
    await press(ann, await press(ann, table.board(), "More"), "Undo")
    await press(cleo, world.last(), "Accept")
    assert "takes back" in world.text(table.board())
    await press(ann, await press(ann, table.board(), "More"), "Offer a draw")
    await press(cleo, world.last(), "Decline")
    await press(ann, await press(ann, table.board(), "More"), "Offer a draw")
    offer = world.last()
    await press(ann, await press(ann, table.board(), "More"), "Board")
    rules = await press(ann, await press(ann, table.board(), "More"), "Rules")
    await press(ann, rules, "Next")
    await ann.slash(world.channel, "substitute", newcomer=ben)
    await press(ben, world.last(), "Decline")
    await ann.slash(world.channel, "substitute", newcomer=ben)
    await press(ben, world.last(), "Accept")
    await press(cleo, offer, "Accept")
    await press(ben, table.board(), "Replay")
    await press(ben, table.board(), "Verify")
    await press(ben, table.board(), "Rematch")
    await press(cleo, world.last(), "Accept")
    table = Seated(world, 2, [cleo, ben], world.channel)
    await press(ben, await press(ben, await press(ben, table.board(), "More"), "Resign"), "Play on")
    await press(ben, await press(ben, await press(ben, table.board(), "More"), "Resign"), "Resign")
    lobby = reply(await ann.slash(world.channel, "play", game="trampoline"))
    await press(ben, lobby, "Join")
    await press(ben, lobby, "Leave")
    await press(ben, lobby, "Join")
    await press(ann, lobby, "Start")
    await press(ann, world.last(), "Roll 3 dice")
    await press(ann, await ann.slash(world.channel, "settings forget-me"), "Forget me")
    await open_table(world, "pucks", cleo, ben, seats=2, options="setup:random")
    await press(cleo, world.last(), "Hand")
    pressed |= await select_in_a_panel(world)
    asked = await cleo.slash(world.channel, "move", action="draw")
    await press(cleo, asked, "#5 Bounce Bunny Bounce: Ben, Cleo")
    assert set(HANDLERS) == pressed


async def select_in_a_panel(world: World) -> set[str]:
    """Ben and Cleo play Bounce Bunny Bounce until one of them has many cards to choose from, in a select with pages."""
    table = await open_table(world, "bunny", world.ben, world.cleo)

    def chosen(history: History) -> tuple[int, Action] | None:
        many = history.state.phase in {"spy", "swap"}
        return None if many else (history.to_act[0], walked(history, history.to_act[0], table.dice))

    await table.act_on(chosen)
    await table.show_all()
    (member,) = await table.awaited()
    panel = await member.click(table.board(), label="Move")
    await member.click(reply(panel), label="Next")
    before = len(world.watch.calls)
    await member.select(reply(panel), [next(iter(select(panel).options.values()))])
    assert world.watch.calls[before].kind is Kind.DEFER_UPDATE
    assert "went wrong" not in answer_of(panel)
    return {"page", "choose"}


# --- what Discord does not take ---------------------------------------------------------------------------------------

SEND = r"POST /channels/\d+/messages"
EDIT = r"PATCH /channels/\d+/messages/\d+"
ANSWER = r"POST /interactions/.*"


@contextlib.contextmanager
def a_bad_line(
    world: World, pattern: str, error: Callable[[], Exception], *, times: int = 1, arrives: bool = False
) -> Iterator[None]:
    """So many of the calls that match come to nothing.

    Args:
        world: the server.
        pattern: "METHOD /path", a regular expression.
        error: what comes back.
        times: how many calls.
        arrives: whether Discord carries the call out all the same, and only the answer is lost.
    """
    dispatch, left = simulated.dispatch, [times]

    def called(backend: Any, method: str, path: str, **rest: Any) -> Any:
        if not left[0] or not re.fullmatch(pattern, f"{method} {path}"):
            return dispatch(backend, method, path, **rest)
        left[0] -= 1
        if arrives:
            dispatch(backend, method, path, **rest)
        raise error()

    with mock.patch.object(simulated, "dispatch", called):
        yield
    assert left[0] == 0, f"{left[0]} of {times} calls were never made"


@contextlib.contextmanager
def nonces() -> Iterator[list[str]]:
    """Discord's promise that simcord does not keep: a message whose nonce was seen a moment ago is not posted again. Gives
    all that were seen."""
    dispatch, known, seen = simulated.dispatch, dict[str, Any](), list[str]()

    def called(backend: Any, method: str, path: str, **rest: Any) -> Any:
        body = rest.get("json") or {}
        if not re.fullmatch(SEND, f"{method} {path}") or not body.get("enforce_nonce"):
            return dispatch(backend, method, path, **rest)
        seen.append(body["nonce"])
        if body["nonce"] not in known:
            known[body["nonce"]] = dispatch(backend, method, path, **rest)
        return known[body["nonce"]]

    with mock.patch.object(simulated, "dispatch", called):
        yield seen


def refusal(status: int, code: int = 0) -> Callable[[], Exception]:
    """What Discord answers, as the simulation has it."""
    return lambda: BackendError(status, code, "refused")


def boards(world: World) -> list[discord.Message]:
    """The messages that say whose turn it is, oldest first."""
    return [message for message in world.messages() if "your turn" in world.text(message)]


@pytest.mark.parametrize(
    "error",
    [refusal(500), refusal(502), refusal(503), aiohttp.ServerDisconnectedError, ConnectionResetError, TimeoutError],
    ids=["500", "502", "503", "disconnected", "reset", "timeout"],
)
async def test_a_board_that_cannot_be_sent_is_sent_a_little_later(world: World, error: Callable[[], Exception]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with a_bad_line(world, SEND, error, times=2):
        answer = await table.type(world.ann, ("b2", "b3"))
        assert "Ann plays b2-b3." in world.text(answer)
        await world.pass_time(60)
    assert pings(world)[-1] == world.ben.id
    assert len(boards(world)) == 1


async def test_a_board_that_was_sent_though_the_answer_was_lost_is_not_sent_twice(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = len(world.messages())
    with nonces(), a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, arrives=True):
        await table.type(world.ann, ("b2", "b3"))
        await world.pass_time(60)
    assert len(world.messages()) == before + 1
    assert await table.awaited() == [world.ben]
    await table.type(world.ben, ("b7", "b6"))
    assert len(boards(world)) == 1


async def test_two_that_deliver_for_one_table_at_the_same_time_post_one_board(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with world.env._bot_scope():
        await table.act(world.ann, ("b2", "b3"))
        other = OutboxWorker(world.client, table.sessions, world.client.server_language)
        before = len(world.messages())
        with nonces() as seen:
            await asyncio.gather(*(one.deliver(1) for one in (world.client.outbox, other, world.client.outbox, other)))
    await world.settle()
    assert len(world.messages()) == before + 1
    assert seen == ["b1-1-2"] * len(seen)
    assert len(boards(world)) == 1


@pytest.mark.parametrize("error", [refusal(500), aiohttp.ServerDisconnectedError, refusal(404, 10062)])
async def test_a_move_whose_answer_is_lost_is_played_and_shown(world: World, error: Callable[[], Exception]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, error):
        await table.type(world.ann, ("b2", "b3"))
    assert f"<@{world.ben.id}>: your turn" in world.text(table.board())


@pytest.mark.parametrize("error", [refusal(500), aiohttp.ServerDisconnectedError])
async def test_a_table_whose_first_message_is_lost_is_shown_by_another(world: World, error: Callable[[], Exception]) -> None:
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, error):
        await world.ann.slash(world.channel, "play", game="bouncers", opponent=world.ben)
    (lobby,) = world.messages()
    assert world.pinged(lobby) == {world.ben.id}
    await world.ben.click(lobby, label="Accept")
    assert "The game has begun" in world.text(world.messages()[0])
    assert len(boards(world)) == 1


async def test_a_first_message_that_seemed_lost_but_was_not_is_the_only_one(world: World) -> None:
    with a_bad_line(world, ANSWER, refusal(400, 40060), arrives=True):
        shown = await world.ann.slash(world.channel, "play", game="bouncers")
    assert len(world.messages()) == 1
    await world.ben.click(reply(shown), label="Join")
    assert "The game has begun" in world.text(world.messages()[0])


async def test_a_table_is_shown_as_it_is_though_the_answer_to_who_joined_was_lost(world: World) -> None:
    shown = await world.ann.slash(world.channel, "play", game="trampoline", seats=3)
    world.watch.excused.add("was never answered")
    with a_bad_line(world, ANSWER, aiohttp.ServerDisconnectedError):
        await world.ben.click(reply(shown), label="Join")
    assert "Ben" in world.text(world.messages()[0])


async def test_a_command_that_is_delivered_twice_is_carried_out_once(world: World) -> None:
    await world.ann.slash(world.channel, "play", game="bouncers")
    await world.repeat_last_interaction()
    assert len(world.messages()) == 1
    listed = await world.ann.slash(world.channel, "games")
    assert "#2" not in world.text(listed)


async def test_an_edit_that_discord_rations_becomes_a_new_message_without_a_ping(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    before = len(world.messages())
    with a_bad_line(world, EDIT, refusal(429, 30046), times=2):
        await table.type(world.ann, ("roll",))
    assert len(world.messages()) == before + 1
    assert pings(world) == [world.ann.id]


async def test_no_message_older_than_an_hour_is_edited_but_to_take_its_buttons_away(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="7d")
    for action in (("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6"), ("d2", "d3"), ("d7", "d6")):
        await world.pass_time(7200)
        (member,) = await table.awaited()
        await table.type(member, action)
    assert len(world.watch.old_edits) == 6, "one a turn, of the board before"
    assert all(buttons(message) == [] for message in world.messages()[1:-1])


async def test_what_goes_wrong_at_one_table_does_not_stop_the_others(world: World) -> None:
    broken = await open_table(world, "bouncers", world.ann, world.ben)
    table = await open_table(world, "trampoline", world.cleo, world.ben, seats=2)
    world.expected_errors |= {"job failed", "unexpected error"}

    def cannot(*_: Any) -> Any:
        raise RuntimeError("out of paint")

    with mock.patch.dict(renderers.RENDERERS, bouncers=cannot):
        answer = await broken.type(world.ann, ("b2", "b3"))
        assert "Ann plays b2-b3." in world.text(answer)
        for _ in range(2):
            (member,) = await table.awaited()
            await table.type(member, ("roll",))
            assert f"<@{(await table.awaited())[0].id}>: your turn" in world.text(table.board())
        failed = await world.ben.click(broken.board(), label="Move")
        assert "Something went wrong on our side" in world.text(failed)
    await world.pass_time(3600)
    assert f"<@{world.ben.id}>: your turn" in world.text(boards(world)[-1])
    assert pings(world)[-1] == world.ben.id


async def test_a_broken_table_does_not_stop_the_clocks_of_the_others(world: World) -> None:
    broken = await open_table(world, "bouncers", world.ann, world.ben, clock="1h")
    await open_table(world, "bouncers", world.cleo, world.ben, clock="8h")
    async with broken.sessions._repository.store.write() as writer:
        await writer.append(
            Entry(table_id=1, number=1, kind=EntryKind.PLAY, seat=0, tokens=("a1", "a9"), user_id=world.ann.id, at=world.now())
        )
        await writer.change_table(1, version=1)
    world.expected_errors.add("a loop failed")
    await world.pass_time(9 * 3600)
    assert "Cleo has run out of time." in world.text(world.last())


# --- what people delete and lock --------------------------------------------------------------------------------------


async def test_a_board_that_was_deleted_is_posted_anew(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    world.env.backend.delete_message(world.channel.id, table.board().id)
    answer = await table.type(world.ann, ("roll",))
    assert "gone" not in world.text(answer)
    assert pings(world)[-1] == world.ben.id
    alone = await open_table(world, "trampoline", world.cleo, seats=1)
    world.env.backend.delete_message(world.channel.id, alone.board().id)
    answer = await alone.type(world.cleo, ("roll",))
    assert answer.followups == []
    assert "Cleo" in world.text(alone.board())
    assert pings(world)[-1] == world.cleo.id


async def test_a_first_message_that_was_deleted_is_posted_anew(world: World) -> None:
    chief = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    boss = world.guild.add_member(world.env.create_user("boss", global_name="Boss"), roles=[chief])
    shown = await world.ann.slash(world.channel, "play", game="trampoline", seats=3)
    await world.ben.click(reply(shown), label="Join")
    world.env.backend.delete_message(world.channel.id, reply(shown).id)
    await boss.slash(world.channel, "server-settings remove-seat", game="1", player=world.ben.user)
    (lobby,) = world.messages()
    assert "2 seats are free" in world.text(lobby)
    await world.cleo.click(lobby, label="Join")
    world.env.backend.delete_message(world.channel.id, lobby.id)
    closed = await boss.slash(world.channel, "server-settings close-table", game="1")
    assert "Table #1 is closed." in world.text(closed)
    assert closed.followups == []
    assert world.messages() == [], "a closed table is good for nothing"


async def test_in_a_channel_that_was_deleted_nothing_is_lost_and_the_player_is_told(world: World) -> None:
    elsewhere = world.guild.create_text_channel("elsewhere")
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.env.backend.delete_channel(world.channel.id)
    answer = await world.ann.slash(elsewhere, "move", action="b2 b3", game="1")
    assert "Ann plays b2-b3." in world.text(reply(answer))
    assert "is gone, so nobody can be shown the board" in world.text(answer)
    assert answer.followups[0].ephemeral
    assert (await table.snapshot()).table.version == 1
    await world.pass_time(13 * 3600)
    shown = await world.ben.slash(elsewhere, "board", game="1")
    assert "To act: ■ Ben." in world.text(shown)


async def test_when_its_thread_is_deleted_a_game_goes_on_in_the_channel(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    assert table.channel.id != world.channel.id
    world.env.backend.delete_channel(table.channel.id)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert answer.followups == []
    assert f"<@{world.ben.id}>: your turn" in world.text(world.last())
    await world.ben.slash(world.channel, "move", action="b7 b6")
    assert f"<@{world.ann.id}>: your turn" in world.text(world.last())


async def test_a_private_game_is_not_shown_to_all_when_its_thread_is_deleted(world: World) -> None:
    await world.ann.slash(world.channel, "play", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    before = len(world.messages())
    world.env.backend.delete_channel(thread.id)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "is gone" in world.text(answer)
    assert len(world.messages()) == before


def lock(world: World, thread: ChannelHandle, *, locked: bool) -> None:
    """A moderator locks a thread, or opens it again."""
    metadata = world.env.backend.get_channel(thread.id).thread_metadata
    assert metadata is not None
    metadata.locked = metadata.archived = locked
    world.env.backend.announce_channel_update(thread.id)


async def test_in_a_locked_thread_the_player_is_told_and_the_board_comes_when_it_is_opened(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    world.watch.excused |= {"locked thread", "archived thread", "was tried"}
    lock(world, table.channel, locked=True)
    with a_bad_line(world, SEND, refusal(400, 50083)):
        answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "is locked, so I may not show the board there" in world.text(answer)
    assert answer.followups[0].ephemeral
    assert (await table.snapshot()).table.version == 1
    lock(world, table.channel, locked=False)
    await world.settle()
    assert f"<@{world.ben.id}>: your turn" in world.text(world.last(table.channel))


# --- how people call themselves, and what grows long ------------------------------------------------------------------

NAMES = {
    "**bold** __line__": r"\*\*bold\*\* \_\_line\_\_",
    "||hidden|| `code`": r"\|\|hidden\|\| \`code\`",
    "# Head": r"\# Head",
    "-# small": r"\-# small",
    "> quoted": r"\> quoted",
    "~~gone~~ *": r"\~\~gone\~\~ \*",
    "@everyone": "@\u200beveryone",
    "<@123456789012345678>": "\\<@\u200b123456789012345678>",
    "<#123456789012345678> <t:1:R>": r"\<#123456789012345678> \<t:1:R>",
    "[win](https://bad.example)": "\\[win](https:\u200b//bad.example)",
    "https://bad.example/*": "https:\u200b//bad.example/\\*",
    "two\nlines": "two lines",
    "\u202eback to responder": "back to responder",
    "😀" * 32: "😀" * 32,
    "\u3164": "\u3164",
    " \u2003 ": "…",
}
"""Names, and what is written so that they are seen as they are."""


@pytest.mark.parametrize(("name", "written"), NAMES.items())
def test_a_name_is_shown_as_it_is(name: str, written: str) -> None:
    assert escaped(name) == written


@pytest.mark.parametrize("name", [name for name in NAMES if name.strip()])
async def test_a_name_breaks_no_message_and_pings_nobody(world: World, name: str) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name=name))
    table = await open_table(world, "bouncers", odd, world.ben)
    said = [await table.type(odd, ("b2", "b3")), await world.ben.slash(world.channel, "board")]
    said.append(await world.ben.slash(world.channel, "games"))
    said.append(await world.ben.click(table.board(), label="Board in words"))
    said.append(await odd.slash(world.channel, "move", action="b7"))
    said.append(await world.ben.slash(world.channel, "undo"))
    await odd.slash(world.channel, "undo")
    await odd.slash(world.channel, "draw")
    await world.pass_time(13 * 3600)
    await odd.slash(world.channel, "nudge")
    await world.ben.slash(world.channel, "substitute", newcomer=odd)
    await odd.slash(world.channel, "stats")
    await world.ben.slash(world.channel, "resign")
    await odd.click(reply(await odd.slash(world.channel, "resign")), label="Resign")
    everything = "\n".join([*map(world.text, said), *map(world.text, world.messages())])
    written = escaped(name)
    assert f"{written} plays b2-b3." in everything
    assert f"{written} resigns." in everything
    assert name not in everything.replace(written, "") or written == name
    assert set(pings(world)) == {odd.id, world.ben.id}


async def test_the_longest_words_about_a_board_of_six_with_the_longest_names_fit(world: World) -> None:
    people = [world.guild.add_member(world.env.create_user(f"p{n}", global_name="*" * 31 + str(n))) for n in range(6)]
    table = await open_table(world, "pucks", *people, seats=6, options=SETUP_RANDOM)
    await table.act_on(
        lambda history: None if history.version > 400 else (history.to_act[0], walked(history, history.to_act[0], table.dice))
    )
    await table.show_all()
    for member in (people[0], world.ann):
        for said in (
            await member.slash(world.channel, "board"),
            await member.click(table.board(), label="Board in words"),
        ):
            words = world.text(said)
            assert "…" not in words, "nothing is cut off"
            assert escaped(people[5].user.global_name or "") in words
            assert "★" in words
    hand = await people[0].slash(world.channel, "hand")
    assert "You hold" in world.text(hand)


async def test_a_long_list_of_tables_ends_with_a_whole_line(world: World) -> None:
    for number in range(12):
        who = [world.guild.add_member(world.env.create_user(f"q{number}{n}", global_name="*" * 30 + f"{n}")) for n in range(4)]
        await open_table(world, "trampoline", *who, seats=4)
    *lines, last = world.text(await world.ann.slash(world.channel, "games")).splitlines()
    assert last == "…"
    assert 5 < len(lines) < 12
    assert lines[0].startswith("**#12 BOUNCE**")
    assert all(re.fullmatch(r"\*\*#[0-9]+ BOUNCE\*\* .+ To act: .+[0-3]", line) for line in lines)


async def test_an_action_too_long_for_buttons_goes_on_by_typing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    panel = await world.ann.click(table.board(), label="Move")
    with mock.patch("bot.messages.click.LONGEST", 17):
        await world.ann.click(reply(panel), label="b2")
        assert "too long for buttons. Go on by typing: `/move action:b2 …`" in world.text(panel)
        await world.ann.click(reply(panel), label="Start again")
    assert "What do you do?" in world.text(panel)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "bouncers"])
def test_the_buttons_of_all_games_but_bouncers_hold_the_longest_actions(game: str) -> None:
    dice = random.Random(5)
    rules = GAMES[game]
    longest = ""
    for seed in range(3):
        state = rules.start(rules.seats[-1], None, Fair(bytes([seed]) * 32))
        for _ in range(300):
            if rules.outcome(state) is not None:
                break
            seat = rules.to_act(state)[0]
            action = random_action(rules, state, seat, dice)
            longest = max(longest, " ".join(action), key=len)
            state = rules.play(state, seat, action).state
    if game == "pucks":
        longest = max(longest, "play mix c north-of d f south-of a g west-of b done", "orange m1 right", key=len)
    assert len(Click("choose", 99_999_999, 99_999, 9, tuple(longest.split())).custom_id) <= 100
