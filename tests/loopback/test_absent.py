"""Servers that have only the bot's commands: their install link lacked the scope `bot`."""

from typing import Any, Final

import discord
from discord import app_commands

from bot.invitation import PERMISSIONS
from loopback.model import Channel, Interaction
from tests.loopback.natures import Nature
from tests.loopback.test_shard_client import a_session, shard_client, working
from tests.loopback.world import LoopbackWorld
from tests.storage.dump import everything

ABSENT: Final = "Only my commands were added to this server, not me, so nobody would see a game here."
NEED_NO_SERVER: Final = {"rules", "learn", "help", "settings"}
"""Commands that work without the bot: they answer one person, and store nothing about the server."""


async def kept(world: LoopbackWorld) -> dict[str, Any]:
    """All that the bot stores, except when it was last there."""
    found = await everything(world.client.core.store)
    return found | {"heartbeats": []}


def elsewhere(world: LoopbackWorld) -> Channel:
    """A channel on a server that has only the commands."""
    made = world.loopback.discord
    return made.channel(made.guild("Commands Only", bot=False), "games")


def links(answer: Interaction) -> list[str]:
    rows = [item for message in answer.shown for outer in message.components for item in outer.get("components", [])]
    return [button["url"] for row in rows for button in row.get("components", []) if button.get("url")]


async def test_play_says_that_the_bot_is_missing_and_how_to_add_it(world: LoopbackWorld) -> None:
    there = elsewhere(world)
    before = await kept(world)
    called = len(world.loopback.calls)
    answer = await world.people.slash(world.ann, there, "open", game="bouncers", opponent=world.ben)
    assert answer.text.startswith(ABSENT)
    assert [message.private for message in answer.shown] == [True]
    assert links(answer) == [
        discord.utils.oauth_url(
            world.loopback.discord.bot.id, permissions=PERMISSIONS, guild=discord.Object(there.guild_id or 0),
            scopes=("bot", "applications.commands"),
        )
    ]  # fmt: skip
    assert await kept(world) == before, "the server is on no record"
    assert [call.path for call in world.loopback.calls[called:] if not call.path.startswith("/interactions/")] == []
    world.loopback.discord.let_in(world.loopback.discord.guilds[there.guild_id or 0])
    answer = await world.people.slash(world.ann, there, "open", game="bouncers")
    assert links(answer) == []
    await world.people.until(lambda: False, 60)  # the outbox has its say
    assert (len(world.people.seen(there, Nature.LOBBY)), world.errors()) == (1, [])


async def test_every_command_that_is_about_the_server_says_so(world: LoopbackWorld) -> None:
    there = elsewhere(world)
    before = await kept(world)
    for command in world.client.tree.walk_commands():
        name = command.qualified_name
        if isinstance(command, app_commands.Group) or name.partition(" ")[0] in NEED_NO_SERVER:
            continue
        answer = await world.people.slash(world.chief, there, name, **required(world, command))
        assert answer.shown, name
        assert answer.text.startswith(ABSENT), (name, answer.text)
        assert all(message.private for message in answer.shown), name
    for name in ("Challenge to a game", "Stats"):
        assert (await world.people.menu(world.ann, there, name, world.ben)).text.startswith(ABSENT), name
    assert await kept(world) == before
    for name in ("help", "settings"):
        answer = await world.people.slash(world.ann, there, name)
        assert answer.shown, name
        assert ABSENT not in answer.text
    helped = await world.people.slash(world.ann, there, "help")
    assert helped.original is not None
    asked = await world.people.click(world.ann, helped.original, "sb|practise")
    assert asked.original is not None
    assert world.errors() == []


def required(world: LoopbackWorld, command: Any) -> dict[str, Any]:
    values: dict[int, Any] = {3: "1", 4: 1, 5: True, 6: world.ben, 7: str(world.channel.id)}
    return {
        one.display_name: one.choices[0].value if one.choices else values[one.type.value]
        for one in command.parameters
        if one.required
    }


async def test_the_buttons_of_a_server_that_has_put_the_bot_out_say_so(world: LoopbackWorld) -> None:
    await world.people.slash(world.ann, world.channel, "open", game="bouncers")
    (lobby,) = world.people.seen(world.channel, Nature.LOBBY)
    world.guild.there = False
    world.loopback.discord.emit("GUILD_DELETE", {"id": str(world.guild.id)})
    assert (await world.people.click(world.ben, lobby, "sb|join")).text.startswith(ABSENT)
    world.loopback.discord.let_in(world.guild)
    assert ABSENT not in (await world.people.click(world.ben, lobby, "sb|join")).text


async def test_a_server_out_of_reach_or_not_listed_yet_is_not_taken_for_one_without_the_bot(world: LoopbackWorld) -> None:
    guild, gateway = world.guild.id, world.loopback.gateway
    there = elsewhere(world)
    assert (world.client.is_absent(guild), world.client.is_absent(there.guild_id or 0)) == (False, True)
    world.loopback.discord.emit("GUILD_DELETE", {"id": str(guild), "unavailable": True})
    await world.people.slash(world.ann, world.channel, "help")
    assert not world.client.is_absent(guild), "Discord has an outage there"
    for forget in (False, True):
        await gateway.drop(forget=forget)
        assert not world.client.is_absent(guild), "the bot is connecting"
        await gateway.ready.wait()
        assert not world.client.is_absent(guild), "the servers come after the session"
        await world.people.until(lambda: False, 60)
        assert not world.client.is_absent(guild)
    assert world.client.is_absent(there.guild_id or 0)


async def test_a_shard_that_has_taken_over_a_session_does_not_know_yet_who_has_the_bot(world: LoopbackWorld) -> None:
    left = await a_session(world)
    second = shard_client(world, left)
    assert not second.is_absent(world.guild.id), "it has not begun"
    async with working(second):
        cold = [second.cold, second.is_absent(world.guild.id), second.is_absent(1)]
        assert cold == [True, False, False], "a resumed session lists no servers"
        await world.people.until(second.is_ready, 120)
        assert (second.is_absent(world.guild.id), second.is_absent(1)) == (False, True)
