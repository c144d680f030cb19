"""The life of a table in Discord: clocks and reminders, absence, consent, moderators, permissions that go and come back."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from storage.records import Offers, Status
from tests.bot.kit import World, buttons, reply
from tests.bot.limits import Kind
from tests.bot.seated import open_table, pings

HOUR = 3600
DAY = 24 * HOUR


def a_chief(world: World) -> MemberActor:
    """Somebody who may manage the server."""
    role = world.guild.create_role("chief", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("chief", global_name="Chief"), roles=[role])


def direct(world: World, member: MemberActor) -> list[discord.Message]:
    """What the bot has told somebody directly."""
    return list(member.user.dm_channel.history())


# --- reminders and clocks ---------------------------------------------------------------------------------------------


async def test_a_turn_is_one_ping_and_two_reminders_and_then_the_time_is_up(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    assert pings(world) == [world.ann.id]
    await world.pass_time(12 * HOUR + 60)
    assert "waits for you; your turn ends" in world.text(world.last())
    assert f"/{table.board().id}" in world.text(world.last())
    await world.pass_time(9 * HOUR + 37 * 60)
    assert pings(world) == [world.ann.id] * 3
    await world.pass_time(2 * HOUR + 30 * 60)
    assert "Ann has run out of time." in world.text(world.last())
    assert "### Ben wins" in world.text(world.last())
    assert pings(world) == [world.ann.id] * 3
    assert len(world.messages()) == 5


async def test_reminders_go_where_somebody_wants_them(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    shown = await world.ann.slash(world.channel, "settings reminders", where="direct", half=True, late=True)
    assert "Reminders go to: a direct message" in world.text(shown)
    await world.pass_time(13 * HOUR)
    (told,) = direct(world, world.ann)
    assert "waits for you" in world.text(told)
    assert pings(world) == [world.ann.id], "the channel heard of the turn only"
    await world.ann.slash(world.channel, "settings reminders", late=False)
    await world.pass_time(10 * HOUR)
    assert len(direct(world, world.ann)) == 1


@pytest.mark.parametrize("code", [50007, 50278, 40003])
@pytest.mark.parametrize("path", ["/channels/*/messages", "/users/@me/channels"])
async def test_a_direct_message_that_is_not_taken_becomes_a_ping_in_the_channel(world: World, path: str, code: int) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.slash(world.channel, "settings reminders", where="direct")
    world.env.inject_error("POST", path, status=403, code=code, message="Cannot send messages to this user")
    await world.pass_time(13 * HOUR)
    assert direct(world, world.ann) == []
    assert pings(world) == [world.ann.id] * 2
    assert "waits for you" in world.text(world.last())


async def test_in_quiet_hours_nobody_is_disturbed(world: World) -> None:
    await world.ann.slash(world.channel, "settings quiet-hours", begin="12:00", end="18:00", zone="UTC")
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.pass_time(13 * HOUR)
    assert pings(world) == [world.ann.id]
    await world.pass_time(5 * HOUR + 60)
    assert pings(world) == [world.ann.id] * 2


async def test_among_several_the_absent_are_played_for_and_then_withdrawn(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3, clock="1h")
    for _ in range(40):
        snapshot = await table.snapshot()
        if snapshot.table.status is not Status.PLAYING or (
            len(snapshot.playing.in_force) and "out of time" in world.text(world.last())
        ):
            break
        (member,) = await table.awaited()
        if member is world.ann:
            turn = snapshot.table.turn
            await world.pass_time(HOUR + 1)
            assert (await table.snapshot()).table.turn > turn
        else:
            await table.type(member, ("roll",))
    assert "Ann has run out of time." in world.text(world.last())
    assert "~~Ann~~" in world.text(world.last())


async def test_a_deadline_that_passes_while_the_bot_is_down_counts_when_it_is_back(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben, clock="1h")
    await asleep(world, 5 * HOUR)
    assert "Ann has run out of time." in world.text(world.last())
    assert pings(world) == [world.ann.id], "who has lost already is not reminded any more"
    before = len(world.messages())
    await world.restart()
    assert len(world.messages()) == before


async def asleep(world: World, seconds: float) -> None:
    """The bot is down for a while."""
    await world.settle()
    with world.env._bot_scope():
        await world.client.close()
    world.env._move_clock(world.env._virtual_time + seconds)
    await world.restart()


async def test_a_vacation_shows_on_the_board_and_moves_the_deadline(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = (await table.snapshot()).table.deadline
    assert before is not None
    away = await world.ann.slash(world.channel, "settings vacation", days=3)
    assert "Your clocks stand still until" in world.text(away)
    shown = world.text(table.board())
    assert f"<@{world.ann.id}> is on vacation until" in shown
    assert f"<t:{int(before + 3 * DAY)}:R>" in shown
    await world.pass_time(3 * DAY)
    assert not await table.over()
    assert pings(world) == [world.ann.id]
    await world.pass_time(12 * HOUR + 60)
    assert pings(world) == [world.ann.id] * 2
    refused = await world.ann.slash(world.channel, "settings vacation", days=1)
    assert "The next vacation can begin" in world.text(refused)


async def test_a_vacation_that_ends_early_is_taken_off_the_board(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.slash(world.channel, "settings vacation", days=5)
    await world.pass_time(2 * HOUR)
    await world.ann.slash(world.channel, "settings vacation", days=0)
    assert "vacation" not in world.text(table.board())


# --- consent ----------------------------------------------------------------------------------------------------------


async def test_an_undo_is_asked_for_and_accepted_with_a_button(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    asked = await world.ann.slash(world.channel, "undo")
    assert "The others are asked whether this may be taken back. Ann: b2-b3" in world.text(asked)
    offer = world.last()
    assert "Ann asks to take back `b2-b3`" in world.text(offer)
    assert world.pinged(offer) == {world.ben.id}
    wrong = await world.cleo.click(offer, label="Accept")
    assert "You do not play at table #1." in world.text(wrong)
    await world.ben.click(offer, label="Accept")
    assert "Ann takes back b2-b3." in world.text(table.board())
    assert pings(world)[-1] == world.ann.id
    assert await table.awaited() == [world.ann]
    assert buttons(world.messages()[[m.id for m in world.messages()].index(offer.id)]) == []


async def test_an_undo_is_declined_with_a_button_and_everybody_sees_it(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await world.ann.slash(world.channel, "undo")
    offer = world.last()
    await world.ben.click(offer, label="Decline")
    (shown,) = [message for message in world.messages() if message.id == offer.id]
    assert "Ben" in world.text(shown)
    assert "declined" in world.text(shown)
    assert buttons(shown) == []
    assert await table.awaited() == [world.ben]


@pytest.mark.parametrize("what", ["undo", "draw"])
async def test_an_offer_that_has_lapsed_cannot_be_accepted_and_makes_no_new_one(world: World, what: str) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await world.ann.slash(world.channel, what)
    offer = world.last()
    await table.type(world.ben, ("b7", "b6"))
    count = len(world.messages())
    late = await world.ben.click(offer, label="Accept")
    assert "There is no such offer any more." in world.text(late)
    assert len(world.messages()) == count
    assert (await table.snapshot()).table.offers == Offers()


async def test_among_three_all_others_have_to_agree_to_an_undo(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, world.cleo, seats=3, options="setup:random")
    await table.type(world.ann, ("draw",))
    for piece in ("p1", "p2", "p3", "p4", "m1", "m2", "i1", "i2"):
        ways = await table.choices(world.ann, (piece,))
        if ways:
            break
    await table.type(world.ann, (piece, ways[0].token))
    await world.ann.slash(world.channel, "undo")
    offer = world.last()
    assert set(world.pinged(offer)) == {world.ben.id, world.cleo.id}
    first = await world.ben.click(offer, label="Accept")
    assert "You have agreed. The others are still asked." in world.text(first)
    assert first.ephemeral
    version = (await table.snapshot()).table.version
    await world.cleo.click(offer, label="Accept")
    assert (await table.snapshot()).table.version == version + 1
    assert "takes back" in world.text(table.board())


async def test_a_seat_is_handed_over_to_somebody_who_accepts(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await world.ben.slash(world.channel, "substitute", newcomer=world.cleo)
    offer = world.last()
    assert world.pinged(offer) == {world.cleo.id}
    assert "you are offered the seat of Ben" in world.text(offer)
    wrong = await world.ann.click(offer, label="Accept")
    assert "No seat at table #1 is offered to you." in world.text(wrong)
    await world.cleo.click(offer, label="Accept")
    assert pings(world)[-1] == world.cleo.id
    assert "■ Cleo" in world.text(world.last())
    taken = await world.cleo.slash(world.channel, "move", action="b7 b6")
    assert "Cleo plays b7-b6." in world.text(taken)


async def test_a_nudge_reminds_once_a_turn_after_half_the_time(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ann.slash(world.channel, "settings reminders", half=False, late=False)
    early = await world.ben.slash(world.channel, "nudge")
    assert "Leave them some time: a nudge is possible" in world.text(early)
    await world.pass_time(12 * HOUR)
    await world.ben.slash(world.channel, "nudge")
    assert "Ben gives you a friendly nudge" in world.text(world.last())
    assert pings(world) == [world.ann.id] * 2
    again = await world.ben.slash(world.channel, "nudge")
    assert "nudged this turn already" in world.text(again)


async def test_a_rematch_is_one_click_for_each_and_the_seats_move_on(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    (thread,) = world.channel.threads
    await world.ben.click(reply(await world.ben.slash(thread, "resign")), label="Resign")
    over = world.last(thread)
    await world.ben.click(over, label="Rematch")
    lobby = world.last(thread)
    assert "Bouncers #2" in world.text(lobby)
    assert world.pinged(lobby) == {world.ann.id}
    await world.ann.click(over, label="Rematch")
    assert f"<@{world.ben.id}>: your turn" in world.text(world.last(thread))
    assert "The game has begun" in world.text(next(m for m in world.messages(thread) if m.id == lobby.id))


async def test_two_who_want_a_rematch_at_the_same_moment_get_one_table(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.click(reply(await world.ben.slash(world.channel, "resign")), label="Resign")
    over = world.last()
    async with world.at_once():
        await world.ben.click(over, label="Rematch")
        await world.ann.click(over, label="Rematch")
    assert "#3" not in "".join(map(world.text, world.messages()))
    assert "your turn" in world.text(world.last())


async def test_who_resigned_can_ask_for_a_rematch_by_typing(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.click(reply(await world.ben.slash(world.channel, "resign")), label="Resign")
    asked = await world.ben.slash(world.channel, "rematch")
    assert "You sit at table #2." in world.text(asked)
    never = await world.cleo.slash(world.channel, "rematch")
    assert "You have finished no game in this channel." in world.text(never)


# --- those who watch --------------------------------------------------------------------------------------------------


async def test_who_watches_is_told_of_the_end_or_of_every_turn(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    dev = world.join("Dev")
    await world.cleo.slash(world.channel, "watch", what="end")
    await dev.slash(world.channel, "watch", what="turn")
    await table.type(world.ann, ("b2", "b3"))
    assert pings(world)[1:] == [world.ben.id, dev.id]
    since = len(world.watch.calls)
    await world.ben.click(reply(await world.ben.slash(world.channel, "resign")), label="Resign")
    assert sorted(pings(world, since)) == sorted([world.cleo.id, dev.id])
    late = await world.cleo.slash(world.channel, "watch", game="1")
    assert "The game at table #1 is over." in world.text(late)


async def test_who_plays_and_watches_is_pinged_once_a_turn_all_the_same(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.slash(world.channel, "watch", what="turn")
    since = len(world.watch.calls)
    await table.type(world.ann, ("b2", "b3"))
    assert pings(world, since) == [world.ben.id]


# --- what people and servers choose -----------------------------------------------------------------------------------


async def test_settings_are_shown_and_nonsense_is_refused(world: World) -> None:
    shown = world.text(await world.ann.slash(world.channel, "settings show"))
    assert "Quiet hours: none" in shown
    for options, words in (
        ({"begin": "25:00", "end": "7:00"}, "no time of day"),
        ({"begin": "22:00"}, "both the begin and the end"),
        ({"begin": "22:00", "end": "7", "zone": "Mars/Olympus"}, "no time zone"),
    ):
        assert words in world.text(await world.ann.slash(world.channel, "settings quiet-hours", **options))
    changed = world.text(
        await world.ann.slash(world.channel, "settings quiet-hours", begin="22:30", end="7", zone="Europe/Berlin")
    )
    assert "Quiet hours: 22:30 to 7:00, Europe/Berlin" in changed
    contrast = world.text(await world.ann.slash(world.channel, "settings palette", palette="high-contrast"))
    assert "high contrast" in contrast
    german = world.text(await world.ann.slash(world.channel, "settings language", language="de"))
    assert "Deutsch" in german


MANAGED: dict[str, dict[str, Any]] = {
    "server-settings show": {},
    "server-settings channel": {},
    "server-settings tables": {"threads": True},
    "server-settings language": {"language": "de"},
    "server-settings close-table": {"game": "1"},
    "server-settings remove-seat": {"game": "1", "player": "ben"},
}


@pytest.mark.parametrize(("command", "options"), MANAGED.items())
async def test_who_does_not_manage_the_server_changes_nothing_there(
    world: World, command: str, options: dict[str, Any]
) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = await table.sessions.users.server(world.guild.id)
    (known,) = [one for one in await world.client.tree.fetch_commands() if one.name == "server-settings"]
    world.guild.set_command_permissions(known, {world.ann: True})  # a server may show the commands to whomever it likes
    given = {key: world.ben.user if value == "ben" else value for key, value in options.items()}
    refused = await world.ann.slash(world.channel, command, **given)
    assert "That needs the permission Manage Server." in world.text(refused)
    assert await table.sessions.users.server(world.guild.id) == before
    assert not await table.over()


async def test_a_server_keeps_tables_to_its_channels_gives_them_threads_and_limits_them(world: World) -> None:
    chief, other = a_chief(world), world.guild.create_text_channel("other")
    shown = world.text(await chief.slash(world.channel, "server-settings channel", channel=world.channel))
    assert f"Tables may be opened in: <#{world.channel.id}>" in shown
    refused = await world.ann.slash(other, "play", game="bouncers")
    assert f"Tables are opened in <#{world.channel.id}> on this server." in world.text(refused)
    await chief.slash(world.channel, "server-settings tables", threads=True, clock="3d", most=1)
    opened = await world.ann.slash(world.channel, "play", game="bouncers")
    assert "3 days a turn" in world.text(opened)
    (thread,) = world.channel.threads
    again = await world.ann.slash(world.channel, "play", game="bouncers")
    assert "You have 1 table open here already" in world.text(again)
    await world.ben.click(reply(opened), label="Join")
    assert "your turn" in world.text(world.last(thread))
    inside = await world.cleo.slash(thread, "play", game="bouncers")
    assert "Bouncers #2" in world.text(inside)
    await chief.slash(world.channel, "server-settings channel", channel=other)
    await chief.slash(world.channel, "server-settings channel", channel=world.channel, allowed=False)
    assert "Tables are opened in" in world.text(await world.ben.slash(world.channel, "play", game="bouncers"))
    everywhere = world.text(await chief.slash(world.channel, "server-settings channel"))
    assert "every channel" in everywhere


async def test_a_channel_cannot_be_forbidden_while_all_others_are_allowed(world: World) -> None:
    chief = a_chief(world)
    refused = await chief.slash(world.channel, "server-settings channel", channel=world.channel, allowed=False)
    assert "Name the channels where tables may be opened first" in world.text(refused)
    await chief.slash(world.channel, "server-settings channel", channel=world.channel)
    last = await chief.slash(world.channel, "server-settings channel", channel=world.channel, allowed=False)
    assert "the only channel where tables may be opened" in world.text(last)


async def test_a_moderator_closes_a_table_and_takes_people_off_it(world: World) -> None:
    chief = a_chief(world)
    table = await open_table(world, "bouncers", world.ann, world.ben)
    done = await chief.slash(world.channel, "server-settings close-table", game="#1")
    assert "Table #1 is closed." in world.text(done)
    assert "### Nobody wins: closed by a moderator" in world.text(world.last())
    assert await table.over()
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    done = await chief.slash(world.channel, "server-settings remove-seat", game="2", player=world.ann.user)
    assert f"<@{world.ann.id}> is off table #2." in world.text(done)
    assert "Ann was taken off the table." in world.text(world.last())
    assert pings(world)[-1] == world.ben.id
    wrong = await chief.slash(world.channel, "server-settings close-table", game="seven")
    assert "no table's number" in world.text(wrong)
    gone = await chief.slash(world.channel, "server-settings close-table", game="99")
    assert "There is no table #99 here." in world.text(gone)


async def test_who_wants_to_be_forgotten_is_and_games_say_so(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "trampoline", world.ben, world.cleo, seats=3)
    await world.cleo.slash(world.channel, "watch", game="1", what="turn")
    asked = await world.ben.slash(world.channel, "settings forget-me")
    await world.ben.click(reply(asked), label="Never mind")
    assert not await table.over()
    asked = await world.ben.slash(world.channel, "settings forget-me")
    await world.ben.click(reply(asked), label="Forget me")
    assert "Nothing is known of you any more" in world.text(asked)
    ended = [message for message in world.messages() if "### Ann wins" in world.text(message)]
    assert len(ended) == 1
    assert "a former player" in world.text(ended[0])
    assert "Ben" not in world.text(ended[0])
    await world.restart()
    kept = (world.folder / "springboard.sqlite3").read_bytes()
    assert world.ann.id.to_bytes(8) in kept
    assert str(world.ben.id).encode() not in kept
    assert world.ben.id.to_bytes(8) not in kept
    rematch = await world.ann.click(ended[0], label="Rematch")
    assert "You sit at table #3." in world.text(rematch)
    assert "one seat is free" in world.text(world.last())
    assert f"<@{world.cleo.id}>: **Bouncers #1** is over. Ann wins: a former player" in world.text(world.messages()[-2])


async def test_a_bot_that_is_put_out_of_a_server_forgets_it_and_does_not_stumble(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.act(world.ann, ("b2", "b3"))
    world.env.backend.remove_guild(world.guild.id)
    await world.settle()
    async with table.sessions._repository.store.read() as reader:
        assert await reader.table(1) is None
        assert await reader.jobs_due(world.now() + 100 * DAY) == ()
    await world.pass_time(2 * DAY)


# --- permissions ------------------------------------------------------------------------------------------------------


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
        assert "Ann plays b2-b3." in world.text(reply(answer))
        assert f"I may not show the board in <#{channel.id}>. I need: {words}." in world.text(answer.followups[-1])
        assert answer.followups[-1].ephemeral
        assert pings(world, since) == [world.ben.id], "it was tried once"
        await world.pass_time(60)
        allow(world, channel.id, **{right: True})
        await world.settle()
        assert f"<@{world.ben.id}>: your turn" in world.text(world.last(channel))
        await table.type(world.ben, ("b7", "b6"))
        assert f"<@{world.ann.id}>: your turn" in world.text(world.last(channel))


async def test_files_that_may_not_be_attached_are_named_and_come_when_they_may(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    allow(world, world.channel.id, attach_files=False)
    world.watch.excused |= {"may not attach files", "was tried"}
    world.env.inject_error(
        "POST", f"/channels/{world.channel.id}/messages", status=403, code=50013, message="Missing Permissions"
    )
    answer = await table.type(world.ann, ("b2", "b3"))
    assert "I need: Attach Files." in world.text(answer)
    allow(world, world.channel.id, attach_files=True)
    await world.settle()
    assert f"<@{world.ben.id}>: your turn" in world.text(world.last())


async def test_a_role_that_gives_the_permission_back_is_noticed(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    own = next(role for role in world.env.backend.get_guild(world.guild.id).roles.values() if role.managed)
    had = {role.id: role.permissions for role in (own, world.env.backend.get_role(world.guild.id, world.guild.id))}
    for role_id, bits in had.items():
        world.env.backend.edit_role(
            world.guild.id, role_id, {"permissions": bits & ~discord.Permissions(send_messages=True).value}
        )
    answer = await table.type(world.ann, ("b2", "b3"))
    assert "I need: Send Messages." in world.text(answer)
    world.env.backend.edit_role(world.guild.id, own.id, {"permissions": had[own.id]})
    await world.settle()
    assert f"<@{world.ben.id}>: your turn" in world.text(world.last())


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
    refused = await world.ann.slash(world.channel, "play", game="bouncers", thread=True, private=private)
    assert refused.ephemeral
    assert f"I need: {words}." in world.text(refused)
    assert world.messages() == []
    opened = await world.ann.slash(world.channel, "play", game="bouncers")
    assert "Bouncers #1" in world.text(opened)


async def test_a_thread_that_cannot_be_opened_after_all_leaves_the_game_in_the_channel(world: World) -> None:
    world.env.inject_error("POST", "/channels/*/messages/*/threads", status=403, code=50013, message="Missing Permissions")
    opened = await world.ann.slash(world.channel, "play", game="bouncers", thread=True)
    assert "I could not open a thread" in world.text(opened)
    assert opened.followups[-1].ephemeral
    await world.ben.click(reply(opened), label="Join")
    assert f"<@{world.ann.id}>: your turn" in world.text(world.last())


async def test_in_a_thread_where_it_may_not_write_the_bot_names_what_is_missing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    world.watch.excused |= {"was tried"}
    allow(world, world.channel.id, send_messages_in_threads=False)
    answer = await table.type(world.ann, ("b2", "b3"))
    assert "I need: Send Messages in Threads." in world.text(answer)
    allow(world, world.channel.id, send_messages_in_threads=True)
    await world.settle()
    assert f"<@{world.ben.id}>: your turn" in world.text(world.last(table.channel))


async def test_an_edit_that_is_refused_is_told_and_nothing_is_lost(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, message="Missing Access")
    answer = await table.type(world.ann, ("roll",))
    assert "What you did is saved, but I may not show the board" in world.text(answer)
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
    assert world.watch.count(Kind.SEND, since=since) == 4
