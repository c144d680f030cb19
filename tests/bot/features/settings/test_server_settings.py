"""What holds for a server, and what its moderators may do."""

from typing import Any

import pytest

from bot.core.people import Users
from tests.bot.kit import World, a_chief, reply
from tests.bot.seated import open_table, pings

pytestmark = pytest.mark.slow

MANAGED: dict[str, dict[str, Any]] = {
    "server-settings show": {},
    "server-settings channel": {},
    "server-settings tables": {"threads": True},
    "server-settings language": {"language": "de"},
    "server-settings old-boards": {"what": "keep"},
    "server-settings daily": {"off": True},
    "server-settings close-table": {"game": "1"},
    "server-settings remove-seat": {"game": "1", "player": "ben"},
}


@pytest.mark.parametrize(("command", "options"), MANAGED.items())
async def test_who_does_not_manage_the_server_changes_nothing_there(
    world: World, command: str, options: dict[str, Any]
) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before = await table.core.service(Users).server(world.guild.id)
    (known,) = [one for one in await world.client.tree.fetch_commands() if one.name == "server-settings"]
    world.guild.set_command_permissions(known, {world.ann: True})  # a server may show the commands to whomever it likes
    given = {key: world.ben.user if value == "ben" else value for key, value in options.items()}
    refused = await world.ann.slash(world.channel, command, **given)
    assert "You need the permission Manage Server for that." in world.text(refused)
    assert await table.core.service(Users).server(world.guild.id) == before
    assert not await table.over()


async def test_a_server_keeps_tables_to_its_channels_gives_them_threads_and_limits_them(world: World) -> None:
    chief, other = a_chief(world), world.guild.create_text_channel("other")
    shown = world.text(await chief.slash(world.channel, "server-settings channel", channel=world.channel))
    assert f"Games are played in: <#{world.channel.id}>" in shown
    refused = await world.ann.slash(other, "open", game="bouncers")
    assert f"Games on this server are played in <#{world.channel.id}>." in world.text(refused)
    await chief.slash(world.channel, "server-settings tables", threads=True, clock="3d", most=1)
    opened = await world.ann.slash(world.channel, "open", game="bouncers")
    assert "3 days a turn" in world.text(opened)
    (thread,) = world.channel.threads
    again = await world.ann.slash(world.channel, "open", game="bouncers")
    assert "You already have 1 open table here" in world.text(again)
    await world.ben.click(reply(opened), label="Join")
    assert "which piece bounces?" in world.text(world.last(thread))
    inside = await world.cleo.slash(thread, "open", game="bouncers")
    assert "Bouncers #2" in world.text(inside)
    await chief.slash(world.channel, "server-settings channel", channel=other)
    await chief.slash(world.channel, "server-settings channel", channel=world.channel, allowed=False)
    assert "Games on this server are played in" in world.text(await world.ben.slash(world.channel, "open", game="bouncers"))
    everywhere = world.text(await chief.slash(world.channel, "server-settings channel"))
    assert "all channels" in everywhere


async def test_a_channel_cannot_be_forbidden_while_all_others_are_allowed(world: World) -> None:
    chief = a_chief(world)
    refused = await chief.slash(world.channel, "server-settings channel", channel=world.channel, allowed=False)
    assert "First allow the ones you want" in world.text(refused)
    await chief.slash(world.channel, "server-settings channel", channel=world.channel)
    last = await chief.slash(world.channel, "server-settings channel", channel=world.channel, allowed=False)
    assert "the only channel for games" in world.text(last)


async def test_a_moderator_closes_a_table_and_takes_people_off_it(world: World) -> None:
    chief = a_chief(world)
    table = await open_table(world, "bouncers", world.ann, world.ben)
    done = await chief.slash(world.channel, "server-settings close-table", game="#1")
    assert "Table #1 is closed." in world.text(done)
    assert "**A moderator closed the game.**" in world.text(world.last())
    assert await table.over()
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    done = await chief.slash(world.channel, "server-settings remove-seat", game="2", player=world.ann.user)
    assert f"<@{world.ann.id}> has been removed from table #2." in world.text(done)
    assert "**Ann** **was removed from the game**" in world.text(world.last())
    assert pings(world)[-1] == world.ben.id
    wrong = await chief.slash(world.channel, "server-settings close-table", game="seven")
    assert "isn’t the number of a game" in world.text(wrong)
    gone = await chief.slash(world.channel, "server-settings close-table", game="99")
    assert "There’s no table #99 here." in world.text(gone)


async def test_a_server_says_who_acts_for_somebody_whose_time_is_up(world: World) -> None:
    chief = a_chief(world)
    shown = world.text(await chief.slash(world.channel, "server-settings show"))
    assert "If somebody runs out of time, in games of three or more: a random move" in shown
    shown = world.text(await chief.slash(world.channel, "server-settings tables", absent="computer"))
    assert "If somebody runs out of time, in games of three or more: the computer, easy" in shown
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3, clock="1h")
    assert (await table.core.service(Users).server(world.guild.id)).absent == "computer"
