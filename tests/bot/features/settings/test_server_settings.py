"""A server’s settings on the panel of `/server-settings`, and what its moderators may do."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.core.people import Users
from bot.core.table.settings import DAY, ServerSettings
from bot.features.settings import server_panel, tables
from bot.features.settings.server_panel import CHANNELS_TOLD
from bot.messages.click import Click
from tests.bot.daily_posts import post_of
from tests.bot.kit import World, a_chief, buttons, reply, select
from tests.bot.seated import core_of, open_table, pings
from tests.bot.settings_panels import (
    act,
    action_click,
    assert_fits,
    close_table,
    control,
    fill,
    forged_click,
    forged_form,
    form,
    form_click,
    open_panel,
    picked_table,
    remove_player,
    send,
    speak,
    standing,
    value_at,
)
from tests.bot.unsaid import unsaid

NO_MANAGER = "You need the Manage Server permission for that."


async def server(world: World) -> ServerSettings:
    """The settings of the server."""
    return await core_of(world).service(Users).server(world.guild.id)


def demote(world: World) -> None:
    """Take the permission to manage the server from the role "chief"."""
    role = world.guild.roles["chief"]
    world.env.backend.edit_role(world.guild.id, role.id, {"permissions": discord.Permissions(send_messages=True).value})


async def test_one_private_panel_shows_all_settings(world: World) -> None:
    shown = await open_panel(world, a_chief(world), "server-settings")
    assert reply(shown).ephemeral
    said = world.text(shown)
    for section in server_panel.PANEL.sections:
        assert f"**{section.title}**" in said
    assert not unsaid(said, "Games are played in all channels.", "Games are played: In the channel itself")
    assert "**What’s on**\nOff" in said
    assert "Not set: the first `/match`" in said or "Not set: the first </match:" in said
    assert [one.label for one in buttons(shown)] == ["Change"] * 6 + ["Pick a table"]


async def test_only_managers_see_the_panel(world: World) -> None:
    (known,) = [one for one in await world.client.tree.fetch_commands() if one.name == "server-settings"]
    world.guild.set_command_permissions(known, {world.ann: True})  # a server may show the commands to whomever it likes
    assert world.text(await open_panel(world, world.ann, "server-settings")) == NO_MANAGER
    assert await server(world) == ServerSettings()


CLICKS = [
    Click("server").custom_id,
    *(form_click("server-settings", section.name) for section in server_panel.PANEL.sections),
    *(action_click("server-settings", section.name, action.name)
      for section in server_panel.PANEL.sections for action in section.actions),
    Click("server-zone", tokens=("daily", "=of=daily", "UTC")).custom_id,
    *(Click(f"server-{verb}").custom_id for verb in ("back", "tables")),
    *(Click(f"server-{verb}", tokens=("1",)).custom_id for verb in ("table", "close", "close-yes")),
    *(Click(f"server-{verb}", tokens=("1", "2")).custom_id for verb in ("remove", "remove-yes")),
]  # fmt: skip


def test_every_verb_of_the_panel_is_among_those_clicks() -> None:
    verbs = {verb for handler in (*server_panel.PANEL.handlers(), *tables.HANDLERS) for verb in handler.verbs}
    tried = {click.verb for click in map(Click.read, CLICKS) if click is not None}
    assert verbs - tried == {"server-save"}, "the next test sends the forms"


async def test_losing_the_permission_refuses_the_next_press(world: World) -> None:
    chief = a_chief(world)
    table = await open_table(world, "bouncers", world.ann, world.ben)
    shown = await open_panel(world, chief, "server-settings")
    demote(world)
    for custom_id in CLICKS:
        assert await forged_click(world, chief, shown, custom_id) == NO_MANAGER, custom_id
    assert await server(world) == ServerSettings()
    assert not await table.over()


@pytest.mark.parametrize("section", [one.name for one in server_panel.PANEL.sections if one.settings])
async def test_losing_the_permission_refuses_an_open_form(world: World, section: str) -> None:
    chief = a_chief(world)
    asked = await form(world, chief, "server-settings", section)
    demote(world)
    assert await forged_form(world, chief, asked, lambda _: None) == NO_MANAGER
    assert await server(world) == ServerSettings()


async def test_a_server_limits_tables_to_channels_threads_and_a_number(world: World) -> None:
    chief, other = a_chief(world), world.guild.create_text_channel("other")
    shown = world.text(await fill(world, chief, "server-settings", "channels", channels=[world.channel]))
    assert f"**✅ Channels for games · saved**\nGames are played in <#{world.channel.id}>." in shown
    refused = await world.ann.slash(other, "open", game="bouncers")
    assert f"Games on this server are played in <#{world.channel.id}>." in world.text(refused)
    changed = await fill(world, chief, "server-settings", "new-tables", threads="yes", clock=str(3 * int(DAY)), most_tables=1)
    told = "Games are played: Each in its own thread\nTime: 3 days a turn\nOpen tables per person: 1"
    assert f"**✅ New tables · saved**\n{told}\n" in world.text(changed)
    assert (await server(world)).threads_asked == 0, "who has chosen need not be asked"
    opened = await world.ann.slash(world.channel, "open", game="bouncers")
    assert "3 days a turn" in world.text(opened)
    (thread,) = world.channel.threads
    again = await world.ann.slash(world.channel, "open", game="bouncers")
    assert "You already have 1 open table here" in world.text(again)
    await world.ben.click(reply(opened), label="Join")
    assert "which piece bounces?" in world.text(world.last(thread))
    assert "Bouncers #2" in world.text(await world.cleo.slash(thread, "open", game="bouncers"))
    await fill(world, chief, "server-settings", "channels", channels=[other])
    assert "Games on this server are played in" in world.text(await world.ben.slash(world.channel, "open", game="bouncers"))
    everywhere = world.text(await fill(world, chief, "server-settings", "channels", channels=[]))
    assert "Games are played in all channels." in everywhere


async def test_two_managers_can_allow_channels_at_the_same_time(world: World) -> None:
    chief, (one, two, three) = a_chief(world), [world.guild.create_text_channel(name) for name in ("one", "two", "three")]
    await fill(world, chief, "server-settings", "channels", channels=[one, two])
    asked = await form(world, chief, "server-settings", "channels")
    await fill(world, chief, "server-settings", "channels", channels=[one, two, three])
    await send(world, chief, asked, channels=[two, world.channel])
    assert (await server(world)).channels == tuple(sorted((two.id, three.id, world.channel.id)))


async def test_a_deleted_channel_is_not_offered_and_goes_with_the_next_change(world: World) -> None:
    chief, (one, two) = a_chief(world), [world.guild.create_text_channel(name) for name in ("one", "two")]
    await fill(world, chief, "server-settings", "channels", channels=[one, two])
    world.env.backend.delete_channel(one.id)
    await world.settle()
    asked = await form(world, chief, "server-settings", "channels")
    assert standing(control(asked, "channels")) == [str(two.id)]
    await send(world, chief, asked, channels=[])
    assert (await server(world)).channels == (), "the other one is gone, and no game could be played anywhere"


async def test_more_channels_than_a_form_has_room_for_stay(world: World) -> None:
    chief = a_chief(world)
    many = [world.guild.create_text_channel(f"games-{number}") for number in range(CHANNELS_TOLD + 3)]
    ids = tuple(sorted(one.id for one in many))
    with world.env._bot_scope():
        await core_of(world).service(Users).change_server(world.guild.id, channels=ids)
    asked = await form(world, chief, "server-settings", "channels")
    known = [one for one in many if str(one.id) in standing(control(asked, "channels"))]
    assert len(known) == CHANNELS_TOLD
    assert "and 2 more." in world.text(await send(world, chief, asked, channels=known[1:]))
    assert set((await server(world)).channels) == set(ids) - {known[0].id}


async def test_a_server_chooses_who_acts_for_a_player_out_of_time(world: World) -> None:
    chief = a_chief(world)
    shown = world.text(await open_panel(world, chief, "server-settings"))
    assert "If somebody runs out of time: A random move is played for them" in shown
    shown = world.text(await fill(world, chief, "server-settings", "new-tables", absent="computer", old_boards="keep"))
    assert "If somebody runs out of time: An easy computer plays for them\nOlder boards: Keep their pictures" in shown
    assert (await server(world)).absent == "computer"


async def test_a_form_changes_only_touched_fields(world: World) -> None:
    chief = a_chief(world)
    asked = await form(world, chief, "server-settings", "new-tables")
    await fill(world, chief, "server-settings", "new-tables", threads="yes", clock="0", most_tables=3)
    await send(world, chief, asked, absent="computer")
    assert await server(world) == ServerSettings(threads=True, clock=None, most_tables=3, absent="computer", threads_asked=0)


@pytest.mark.parametrize("typed", ["0", "101", "-1", "ten", "three", "٣", "1.5", "1000", "9" * 20])
async def test_the_limit_on_tables_is_a_number(world: World, typed: str) -> None:
    refused = await fill(world, a_chief(world), "server-settings", "new-tables", most_tables=typed)
    assert f"“{typed}” isn’t a number from 1 to 100." in world.text(refused)
    assert await server(world) == ServerSettings()


async def test_entries_for_new_tables_survive_a_wrong_number(world: World) -> None:
    chief = a_chief(world)
    refused = await fill(world, chief, "server-settings", "new-tables", most_tables="three", threads="yes", absent="computer")
    assert "**⚠️ New tables · not saved**\n“three” isn’t a number from 1 to 100." in world.text(refused)
    asked = await chief.click(reply(refused), label="Try again")
    assert [standing(control(asked, name)) for name in ("threads", "most_tables", "absent")] == [
        ["yes"],
        ["three"],
        ["computer"],
    ]
    assert "**✅ New tables · saved**" in world.text(await send(world, chief, asked, most_tables="3"))
    assert await server(world) == ServerSettings(threads=True, most_tables=3, absent="computer", threads_asked=0)


async def test_the_servers_language_does_not_change_the_panels(world: World) -> None:
    shown = world.text(await speak(world, a_chief(world), "de", server=True))
    assert "**✅ Language · saved**\nLanguage of public messages: Deutsch" in shown
    assert "1 Tag pro Zug" in world.text(await world.ann.slash(world.channel, "open", game="bouncers"))


@pytest.mark.parametrize(
    ("section", "change", "words"),
    [
        ("channels", value_at(0, ["123456789012345678"]), "I can’t use that channel."),
        ("channels", value_at(0, ["x"]), "I can’t use that channel."),
        ("daily", value_at(0, ["123456789012345678"]), "I can’t use that channel."),
        ("daily", value_at(0, []), "Pick a channel."),
        ("daily", value_at(1, ["24"]), "There’s no “24”."),
        ("daily", value_at(3, ["123456789012345678"]), "I can’t find that role."),
        ("today", value_at(1, ["8"]), "There’s no “8”. Pick from: Every day, Every Monday,"),
        ("new-tables", value_at(0, "maybe"), "There’s no “maybe”. Pick from: Each in its own thread, In the channel itself."),
        ("new-tables", value_at(1, ["7"]), "There’s no “7”."),
        ("new-tables", value_at(2, "1" * 21), "is too long. At most 20 characters fit."),
        ("language", value_at(0, "tlh"), "There’s no “tlh”."),
    ],
)
async def test_forged_values_are_refused(world: World, section: str, change: Any, words: str) -> None:
    chief = a_chief(world)
    asked = await form(world, chief, "server-settings", section)
    assert words in await forged_form(world, chief, asked, change)
    assert await server(world) == ServerSettings()


@pytest.mark.parametrize(
    "tokens",
    [
        ("daily",), ("daily", "=of=daily"), ("daily", "=of=daily&hour=%3A99"), ("today", "=of=today&day=%3A7"),
        ("matching", "="),
    ],
)  # fmt: skip
async def test_a_time_zone_is_only_picked_in_the_message_that_asks(world: World, tokens: tuple[str, ...]) -> None:
    chief = a_chief(world)
    shown = await open_panel(world, chief, "server-settings")
    said = await forged_click(world, chief, shown, Click("server-zone", tokens=tokens).custom_id, "Europe/Berlin")
    assert "too old for me" in said
    assert await post_of(world) is None


async def test_a_moderator_closes_a_table_and_removes_people(world: World) -> None:
    chief = a_chief(world)
    table = await open_table(world, "bouncers", world.ann, world.ben)
    shown = await picked_table(world, chief, 1)
    asked = await chief.click(reply(shown), label="Close this table")
    assert "Close table #1? The running game ends without a result; ratings stay as they are." in world.text(asked)
    back = await chief.click(reply(asked), label="Back")
    assert not await table.over()
    assert "#1 Bouncers: Ann, Ben" in world.text(back)
    done = await close_table(world, chief, 1)
    assert "Table #1 is closed." in world.text(done)
    assert "**A moderator closed the game.**" in world.text(world.last())
    assert await table.over()
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    shown = await picked_table(world, chief, 2)
    assert select(shown).options == {"Ann": str(world.ann.id), "Ben": str(world.ben.id), "Cleo": str(world.cleo.id)}
    asked = await chief.select(reply(shown), [str(world.ann.id)])
    assert f"Remove <@{world.ann.id}> from table #2? The others play on without them." in world.text(asked)
    done = await remove_player(world, chief, 2, world.ann)
    assert f"<@{world.ann.id}> has been removed from table #2." in world.text(done)
    assert "**Ann** **was removed from the game**" in world.text(world.last())
    assert pings(world)[-1] == world.ben.id
    gone = await forged_click(world, chief, done, Click("server-remove-yes", tokens=("2", str(world.ann.id))).custom_id)
    assert "They’re not playing at table #2." in gone
    nowhere = await forged_click(world, chief, done, Click("server-close-yes", tokens=("99",)).custom_id)
    assert "There’s no table #99 here." in nowhere


async def test_removing_somebody_tells_the_consequences_before_and_after(world: World) -> None:
    chief = a_chief(world)

    async def removed(number: int, player: MemberActor) -> tuple[str, str]:
        asked = await chief.select(reply(await picked_table(world, chief, number)), [str(player.id)])
        return world.text(asked), world.text(await chief.click(reply(asked), label="Remove"))

    await world.ann.slash(world.channel, "open", game="bouncers", private=True, opponent=world.ben)
    before, after = await removed(1, world.ben)
    assert "Their invitation is withdrawn, and the seat becomes free." in before
    assert f"<@{world.ben.id}> has been removed from table #1." in after
    before, after = await removed(1, world.ann)
    assert "Nobody else has joined, so the table is then closed." in before
    assert f"<@{world.ann.id}> has been removed, and table #1 is closed." in after
    await open_table(world, "bouncers", world.ann, world.ben)
    before, after = await removed(2, world.ann)
    assert "The game then ends, and Ben wins." in before
    assert f"<@{world.ann.id}> has been removed, and the game at table #2 is over." in after
    assert "Ben wins!" in world.text(world.last())


@pytest.mark.slow
async def test_a_moderator_finds_private_tables_and_pages_of_tables(world: World) -> None:
    chief = a_chief(world)
    assert "No table is open here right now." in world.text(await act(world, chief, "server-settings", "tables", "pick"))
    people = [world.join(f"player{number}") for number in range(27)]
    for one in people[:26]:
        await one.slash(world.channel, "open", game="bouncers")
    await people[26].slash(world.channel, "open", game="bouncers", private=True, opponent=world.ben)
    shown = await act(world, chief, "server-settings", "tables", "pick")
    assert list(select(shown).options.values()) == [str(number) for number in range(27, 2, -1)]
    assert [one.label for one in buttons(shown)] == ["Next", "Back to the settings"]
    further = await chief.click(reply(shown), label="Next")
    assert [one.label for one in buttons(further)] == ["Previous", "Back to the settings"]
    assert list(select(further).options.values()) == ["2", "1"]
    first = await chief.click(reply(further), label="Previous")
    assert len(select(first).options) == 25
    picked = await chief.select(reply(first), ["27"])
    assert "#27 Bouncers: player26" in world.text(picked)
    assert set(select(picked).options) == {"player26", "Ben"}


async def test_a_panel_fits_into_a_message_with_any_settings(world: World) -> None:
    chief, role = a_chief(world), world.guild.create_role("bouncers", mentionable=True)
    many = [world.guild.create_text_channel(f"games-{number}") for number in range(30)]
    with world.env._bot_scope():
        await core_of(world).service(Users).change_server(world.guild.id, channels=tuple(one.id for one in many))
    await fill(world, chief, "server-settings", "daily", channel=world.channel, role=role)
    await fill(world, chief, "server-settings", "today", channel=world.channel, role=role, day=0)
    await fill(world, chief, "server-settings", "matching", channel=world.channel, role=role)
    for language in ("de", "en"):
        await speak(world, chief, language)
        shown = await open_panel(world, chief, "server-settings")
        assert_fits(shown)
    shown = await open_panel(world, chief, "server-settings")
    assert [one.label for one in buttons(shown)].count("Switch off") == 3
    refused = await fill(world, chief, "server-settings", "daily", channel=world.channel, role=world.guild.default_role)
    assert_fits(refused)
    asked = await chief.click(reply(refused), label="Try again")
    assert standing(control(asked, "role")) == [str(world.guild.default_role.id)]
