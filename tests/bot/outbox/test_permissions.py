"""Permissions that go and come back: what is missing is named, and nothing is lost."""

import itertools

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.outbox.refusals import REFUSED_RETRY
from loopback.limits import Kind
from tests.bot.kit import World, reply
from tests.bot.seated import Seated, open_table, pings
from tests.bot.service import DAY
from tests.bot.settings_panels import remind

pytestmark = pytest.mark.slow


def allow(world: World, channel_id: int, **rights: bool) -> None:
    """A moderator takes permissions away in a channel, or gives them back."""
    _, denied = discord.PermissionOverwrite(**{name: None if given else False for name, given in rights.items()}).pair()
    everyone = Overwrite(target_id=world.guild.default_role.id, type=OverwriteType.ROLE, deny=denied.value)
    world.env.backend.set_overwrite(channel_id, everyone)


async def test_a_permission_that_is_taken_away_is_named_and_play_goes_on_when_it_is_back(world: World) -> None:
    world.watch.excused |= {"was tried"}
    for right, words in (("send_messages", "Send Messages"), ("view_channel", "View Channel")):
        channel = world.guild.create_text_channel(right.replace("_", "-"))
        table = await open_table(world, "bouncers", world.ann, world.ben, channel=channel)
        allow(world, channel.id, **{right: False})
        since = len(world.watch.calls)
        answer = await world.ann.slash(world.channel, "move", action="b2 b3", game=str(table.table_id))
        assert "**Ann** bounces b2 → b3." in world.text(reply(answer))
        assert f"I can’t show the board in <#{channel.id}>. I still need: {words}." in world.text(answer.followups[-1])
        assert answer.followups[-1].ephemeral
        assert pings(world, since) == [world.ben.id], "it was tried once"
        await world.pass_time(60)
        allow(world, channel.id, **{right: True})
        await world.settle()
        assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last(channel))
        await table.type(world.ben, ("b7", "b6"))
        assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(channel))


async def test_files_that_may_not_be_attached_are_named_and_come_when_they_may(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    allow(world, world.channel.id, attach_files=False)
    world.watch.excused |= {"may not attach files", "was tried"}
    world.env.inject_error(
        "POST", f"/channels/{world.channel.id}/messages", status=403, code=50013, message="Missing Permissions"
    )
    answer = await table.type(world.ann, ("b2", "b3"))
    assert "I still need: Attach Files." in world.text(answer)
    allow(world, world.channel.id, attach_files=True)
    await world.settle()
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last())


async def test_a_role_that_gives_the_permission_back_is_noticed(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    own = next(role for role in world.env.backend.get_guild(world.guild.id).roles.values() if role.managed)
    had = {role.id: role.permissions for role in (own, world.env.backend.get_role(world.guild.id, world.guild.id))}
    for role_id, bits in had.items():
        world.env.backend.edit_role(
            world.guild.id, role_id, {"permissions": bits & ~discord.Permissions(send_messages=True).value}
        )
    answer = await table.type(world.ann, ("b2", "b3"))
    assert "I still need: Send Messages." in world.text(answer)
    world.env.backend.edit_role(world.guild.id, own.id, {"permissions": had[own.id]})
    await world.settle()
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last())


@pytest.mark.parametrize(
    ("right", "private", "words"),
    [
        ("create_public_threads", False, "Create Public Threads"),
        ("create_private_threads", True, "Create Private Threads"),
        ("send_messages_in_threads", False, "Send Messages in Threads"),
    ],
)
async def test_what_is_missing_for_a_thread_is_named_before_anything_is_opened(
    world: World, right: str, private: bool, words: str
) -> None:
    allow(world, world.channel.id, **{right: False})
    refused = await world.ann.slash(world.channel, "open", game="bouncers", thread=True, private=private)
    assert refused.ephemeral
    assert f"I still need: {words}." in world.text(refused)
    assert world.messages() == []
    opened = await world.ann.slash(world.channel, "open", game="bouncers")
    assert "Bouncers #1" in world.text(opened)


async def test_a_thread_that_cannot_be_opened_after_all_leaves_the_game_in_the_channel(world: World) -> None:
    world.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013, message="Missing Permissions")
    opened = await world.ann.slash(world.channel, "open", game="bouncers", thread=True)
    assert "I couldn’t open a thread" in world.text(opened)
    assert opened.followups[-1].ephemeral
    await world.ben.click(reply(opened), label="Join")
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last())


async def test_in_a_thread_where_it_may_not_write_the_bot_names_what_is_missing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    world.watch.excused |= {"was tried"}
    allow(world, world.channel.id, send_messages_in_threads=False)
    answer = await table.type(world.ann, ("b2", "b3"))
    assert "I still need: Send Messages in Threads." in world.text(answer)
    allow(world, world.channel.id, send_messages_in_threads=True)
    await world.settle()
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last(table.channel))


async def test_an_edit_that_is_refused_is_told_and_nothing_is_lost(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, message="Missing Access")
    answer = await table.type(world.ann, ("roll",))
    assert "Your move is saved, but I can’t show the board" in world.text(answer)
    await table.type(world.ann, ("roll",))
    assert (await table.snapshot()).table.version == 2
    assert (await table.snapshot()).table.board_version == 2


async def test_what_stays_refused_is_tried_a_few_times_and_no_more(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="none")
    allow(world, world.channel.id, send_messages=False)
    since = len(world.watch.calls)
    world.watch.excused |= {"was tried"}
    await table.type(world.ann, ("b2", "b3"))
    await world.pass_time(10 * DAY)
    there = f"/channels/{world.channel.id}/"
    sent = [call for call in world.watch.calls[since:] if call.kind is Kind.SEND and there in call.path]
    assert len(sent) == 1 + len(REFUSED_RETRY) == 7


async def refused_board(world: World) -> tuple[Seated, int]:
    """A game in a channel where the bot may not write any more, whose board is refused after a move of Ann's."""
    world.watch.excused |= {"was tried"}
    channel = world.guild.create_text_channel("quiet")
    table = await open_table(world, "bouncers", world.ann, world.ben, channel=channel)
    allow(world, channel.id, send_messages=False)
    await world.ann.slash(world.channel, "move", action="b2 b3", game=str(table.table_id))
    await world.settle()
    return table, channel.id


def tries(world: World, channel_id: int) -> list[float]:
    """When something was to be posted in a channel."""
    return [call.at for call in world.watch.calls if call.kind is Kind.SEND and f"/channels/{channel_id}/" in call.path]


async def test_a_board_that_is_refused_is_tried_after_1_5_and_20_minutes_and_then_after_hours(world: World) -> None:
    _, channel_id = await refused_board(world)
    since = len(tries(world, channel_id)) - 1
    await world.pass_time(9 * 3600)
    times = tries(world, channel_id)[since:]
    waits = [round(later - earlier) for earlier, later in itertools.pairwise(times)]
    assert waits[:5] == [60, 300, 1200, 3600, 6 * 3600]


async def test_a_newer_board_is_tried_at_once_but_not_early_more_often_in_all(world: World) -> None:
    _, channel_id = await refused_board(world)
    await world.pass_time(2 * 60)
    await world.ben.slash(world.channel, "move", action="b7 b6", game="1")
    await world.settle()
    since = len(tries(world, channel_id)) - 1
    await world.pass_time(2 * 3600)
    times = tries(world, channel_id)[since:]
    assert [round(later - earlier) for earlier, later in itertools.pairwise(times)][:2] == [1200, 3600]


async def test_whoever_is_awaited_is_told_once_and_by_the_list_of_games_that_a_board_cannot_be_shown(world: World) -> None:
    table, channel_id = await refused_board(world)
    why = f"I can’t show its board in <#{channel_id}>. I still need: Send Messages."
    assert [why in text for text in world.direct_messages(world.ben)] == [True]
    assert "Your turn in Bouncers #1: which piece bounces?" in world.direct_messages(world.ben)[0]
    assert world.direct_messages(world.ann) == [], "they had the answer to their click"
    await world.pass_time(7200)
    await world.restart()
    for member in (world.ann, world.ben, world.cleo):
        assert why in world.text(await member.slash(world.channel, "games"))
    assert len(world.direct_messages(world.ben)) == 1
    allow(world, channel_id, send_messages=True)
    await world.settle()
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last(table.channel))
    assert why not in world.text(await world.ben.slash(world.channel, "games"))
    allow(world, channel_id, send_messages=False)
    await world.ben.slash(world.channel, "move", action="b7 b6", game="1")
    await world.settle()
    assert [len(world.direct_messages(member)) for member in (world.ann, world.ben)] == [1, 1], "it is another turn"


async def test_who_takes_no_direct_messages_or_wants_no_reminders_is_told_by_the_list_alone(world: World) -> None:
    await remind(world, world.ben, half=False, late=False)
    _, channel_id = await refused_board(world)
    assert world.direct_messages(world.ben) == []
    assert "I can’t show its board" in world.text(await world.ben.slash(world.channel, "games"))
    await remind(world, world.ben, half=True, late=True)
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, message="Cannot send messages to this user")
    await world.ben.slash(world.channel, "move", action="b7 b6", game="1")
    await world.settle()
    allow(world, channel_id, send_messages=True)
    await world.settle()
    assert world.direct_messages(world.ann) == []


async def test_that_the_board_of_a_private_game_is_refused_is_known_to_its_players_alone(world: World) -> None:
    world.watch.excused |= {"was tried"}
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True, clock="1d")
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    allow(world, world.channel.id, send_messages_in_threads=False)
    await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    await world.settle()
    assert "I can’t show its board" in world.text(await world.ben.slash(world.channel, "games"))
    assert f"{thread.id}" not in world.text(await world.cleo.slash(world.channel, "games"))
    assert [len(world.direct_messages(member)) for member in (world.ann, world.ben, world.cleo)] == [0, 1, 0]
