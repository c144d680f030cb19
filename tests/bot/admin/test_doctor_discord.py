"""`springboard doctor` asks Discord about the token, the application, the time, and the bot's rights in a channel."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
import pytest_asyncio
from aiohttp import web

from bot.admin.doctor import Mark, examine
from bot.admin.doctor.discord_side import TIMEOUT
from bot.config import load
from bot.invitation import PERMISSIONS, RIGHTS
from loopback.connecting import pointed_to
from loopback.faults import Fault, Route, Rule
from loopback.model import FORUM, VOICE, Channel
from loopback.server import Loopback
from tests.bot.command_line import TOKEN, springboard

pytestmark = pytest.mark.usefixtures("bare")
CATEGORY, PUBLIC_THREAD = 4, 11
INTENT_OF_PRESENCE, INTENT_OF_CONTENT_LIMITED = 1 << 12, 1 << 19


@pytest_asyncio.fixture
async def loopback(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Loopback]:
    """A Discord in place of the real one, with a token that it accepts."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    async with Loopback(time.time, name="Springboard") as running:
        with pointed_to(running.discord.base):
            yield running
        assert running.strange == []


@pytest.fixture
def channel(loopback: Loopback) -> Channel:
    return loopback.discord.channel(loopback.discord.guild("Bounce Club"), "games")


async def told(*words: str) -> str:
    """What the doctor says. It finds nothing that would stop the bot from starting."""
    said = await asyncio.to_thread(springboard, "doctor", *words)
    assert said.exit_code == 0, said.output
    assert TOKEN not in said.output
    return said.output


def application(loopback: Loopback, **fields: Any) -> None:
    """Set the application up differently in the portal."""
    loopback.discord.application.profile |= fields


async def test_all_is_well_with_token_intents_clock_and_permissions(loopback: Loopback, channel: Channel) -> None:
    said = await told("--channel", str(channel.id))
    assert "ok  Discord: accepts the token, and knows the bot as springboard." in said
    assert "ok  Intents: none is switched on, and none is needed." in said
    assert "ok  Clock: agrees with Discord's." in said
    assert "ok  Channel #games of Bounce Club: the bot has all permissions that it needs." in said


async def test_offline_nothing_is_asked(loopback: Loopback, channel: Channel) -> None:
    assert "--  Discord: not asked: --offline was given." in await told("--offline", "--channel", str(channel.id))
    assert loopback.calls == []


@pytest.mark.parametrize(("missing", "said"), [
    (("send_messages",), "the bot lacks Send Messages. Allow"),
    (("attach_files", "send_messages_in_threads"), "the bot lacks Send Messages in Threads, Attach Files. Allow"),
    (("create_private_threads", "create_public_threads"), "lacks Create Public Threads, Create Private Threads. Allow"),
])  # fmt: skip
async def test_missing_permissions_are_named(loopback: Loopback, channel: Channel, missing: tuple[str, ...], said: str) -> None:
    loopback.discord.deny(channel, loopback.discord.bot, *missing)
    (line,) = (line for line in (await told("--channel", str(channel.id))).splitlines() if "#games" in line)
    assert line.startswith("??  Channel #games of Bounce Club: ")
    assert said in line


async def test_a_right_that_nobody_has_is_named(loopback: Loopback, channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    less = discord.Permissions(PERMISSIONS.value & ~discord.Permissions(read_message_history=True).value)
    monkeypatch.setattr("loopback.guilds.PERMISSIONS", less)
    loopback.discord.guilds[channel.guild_id or 0].granted = less.value
    assert "the bot lacks Read Message History." in await told("--channel", str(channel.id))


async def test_of_a_thread_its_channel_is_looked_at(loopback: Loopback, channel: Channel) -> None:
    thread = loopback.discord.channel(loopback.discord.guilds[channel.guild_id or 0], "game 1", PUBLIC_THREAD)
    thread.parent_id = channel.id
    assert "ok  Channel #games of Bounce Club" in await told("--channel", str(thread.id))


@pytest.mark.parametrize(("kind", "needed"), [
    (VOICE, "View Channel, Send Messages, Attach Files, Read Message History"),
    (FORUM, "View Channel, Send Messages in Threads, Attach Files, Read Message History"),
])  # fmt: skip
async def test_forums_and_voice_channels_need_less(loopback: Loopback, channel: Channel, kind: int, needed: str) -> None:
    discord = loopback.discord
    other = discord.channel(discord.guilds[channel.guild_id or 0], "other", kind)
    discord.deny(other, discord.bot, *RIGHTS[1:])
    lacking = needed.removeprefix("View Channel, ").replace("Attach Files, ", "")
    said = await told("--channel", str(other.id))
    assert "the bot lacks " in said
    assert all(name in said for name in lacking.split(", "))
    assert "Create" not in said
    discord.deny(other, discord.bot, *(set(RIGHTS) - {name.lower().replace(" ", "_") for name in needed.split(", ")}))
    assert "ok  Channel #other of Bounce Club: the bot has all permissions" in await told("--channel", str(other.id))


async def test_a_channel_that_is_not_there_or_cannot_be_seen_or_is_none_for_games(loopback: Loopback, channel: Channel) -> None:
    assert "??  Channel 12345: there is none with this id. With Developer Mode on" in await told("--channel", "12345")
    category = loopback.discord.channel(loopback.discord.guilds[channel.guild_id or 0], "all of them", CATEGORY)
    assert "is none in which games can be played." in await told("--channel", str(category.id))
    loopback.discord.deny(channel, loopback.discord.bot, "view_channel")
    said = await told("--channel", str(channel.id))
    assert f"??  Channel {channel.id}: the bot cannot see it. Give its role View Channel there, or invite the bot" in said


async def test_what_is_wrong_with_the_application_is_told(loopback: Loopback) -> None:
    application(
        loopback, flags=INTENT_OF_PRESENCE | INTENT_OF_CONTENT_LIMITED,
        interactions_endpoint_url="https://example.com/interactions", bot_require_code_grant=True,
        approximate_guild_count=2100,
    )  # fmt: skip
    said = await told()
    assert "--  Intents: Presence Intent and Message Content Intent switched on. The bot needs none" in said
    assert "??  Interactions: Discord sends clicks and commands to the Interactions Endpoint URL" in said
    assert "??  Invitation: the application requires a code grant" in said
    assert "--  Servers: the bot is on about 2100." in said


async def test_a_bot_whose_profile_names_no_policies_is_told_where_to_enter_them(loopback: Loopback) -> None:
    said = await told()
    assert "--  Policies: no privacy policy and no terms of service in the bot's profile. Enter the addresses" in said
    application(loopback, privacy_policy_url="https://example.com/privacy")
    assert "--  Policies: no terms of service in the bot's profile." in await told()
    application(loopback, privacy_policy_url="https://example.com/privacy", terms_of_service_url="https://example.com/terms")
    assert "ok  Policies: the bot's profile names a privacy policy and terms of service." in await told()


RIGHT = {"oauth2_install_params": {"scopes": ["bot", "applications.commands"], "permissions": str(PERMISSIONS.value)}}
COMMANDS_ALONE = {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}
FEWER = {"oauth2_install_params": {"scopes": ["bot", "applications.commands"], "permissions": str(PERMISSIONS.value - 2048)}}
WITHOUT_THE_BOT = "??  Installing: Add App in the bot's profile adds its commands alone, and games would be seen by nobody."
OAUTH = "https://discord.com/oauth2/authorize?client_id=1&permissions=0&scope="


@pytest.mark.parametrize(("fields", "said"), [
    ({"integration_types_config": {"0": RIGHT}}, "ok  Installing: Add App in the bot's profile adds the bot with all"),
    ({"integration_types_config": {"0": COMMANDS_ALONE}}, "--  Installing: not set up yet. The bot does it when it starts"),
    ({"integration_types_config": {"0": {}}}, "--  Installing: not set up yet."),
    ({"integration_types_config": {}, "install_params": None}, "--  Installing: not set up yet."),
    (
        {
            "integration_types_config": {
                "0": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "8"}}
            }
        },
        WITHOUT_THE_BOT,
    ),
    ({"integration_types_config": {"1": COMMANDS_ALONE}}, "??  Installing: the bot cannot be added to servers."),
    ({"integration_types_config": {"0": FEWER}}, "??  Installing: Add App asks for too little: Send Messages."),
    (
        {"integration_types_config": {"0": RIGHT, "1": COMMANDS_ALONE}},
        "--  Installing: User Install is switched on. The bot is for servers",
    ),
    ({"custom_install_url": OAUTH + "applications.commands"}, WITHOUT_THE_BOT),
    (
        {"custom_install_url": OAUTH + "applications.commands%20bot"},
        "ok  Installing: Add App leads to an address of your own",
    ),
    ({"custom_install_url": "https://example.com/add"}, "ok  Installing: Add App leads to an address of your own"),
    ({"bot_public": False}, "--  Installing: the bot is private, so only the owner of the application can add it"),
])  # fmt: skip
async def test_it_is_told_what_add_app_does(loopback: Loopback, fields: dict[str, Any], said: str) -> None:
    application(loopback, **fields)
    assert said in await told()


async def test_a_bot_that_connects_too_often_is_told_before_its_token_is_gone(loopback: Loopback) -> None:
    assert "ok  Connections: 1000 of 1000 are left for today." in await told()
    loopback.gateway.starts_a_day = 40
    assert "??  Connections: 40 of 40 are left" in await told()


async def test_a_bot_that_has_become_too_large_for_one_process_is_told() -> None:
    async with Loopback(time.time, shards=3) as loopback:
        with pytest.MonkeyPatch.context() as patch, pointed_to(loopback.discord.base):
            patch.setenv("DISCORD_TOKEN", TOKEN)
            assert "??  Shards: Discord recommends 3 for this bot, which need PostgreSQL" in await told()


@pytest.mark.parametrize(
    ("off", "mark", "said"),
    [(86_400.0, Mark.POOR, "seconds ahead of Discord's clock"), (-86_400.0, Mark.POOR, "seconds behind Discord's clock"),
     (3.0, Mark.GOOD, "agrees with Discord's."), (-3.0, Mark.GOOD, "agrees with Discord's.")],
)  # fmt: skip
async def test_a_clock_that_is_wrong_is_told(loopback: Loopback, off: float, mark: Mark, said: str) -> None:
    findings = await examine(load(), now=lambda: time.time() + off)
    (finding,) = (finding for finding in findings if finding.text.startswith("Clock: "))
    assert finding.mark is mark
    assert said in finding.text
    if mark is Mark.POOR:
        (seconds,) = (int(word) for word in finding.text.split() if word.isdecimal())
        assert abs(seconds - abs(off)) <= TIMEOUT


async def test_a_token_that_is_refused_keeps_the_bot_from_starting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)

    async def refuse(_: web.Request) -> web.Response:
        return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", refuse)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    try:
        said = await asyncio.to_thread(springboard, "doctor")
    finally:
        await runner.cleanup()
    assert said.exit_code == 1
    assert "!!  Discord: does not accept the token. Make a new one in the developer portal" in said.output
    assert TOKEN not in said.output


async def test_no_network_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    assert "--  Discord: not asked: it cannot be reached (" in await told()


@pytest.mark.slow
async def test_a_discord_that_does_not_answer_is_not_waited_for(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.admin.doctor.discord_side.TIMEOUT", 0.2)
    loopback.rules.append(Rule(Route.LOG_IN, Fault.SILENCE))
    assert "--  Discord: not asked: it does not answer. Is this machine connected?" in await told()


async def test_a_proxy_is_asked_in_the_place_of_discord(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_DISCORD_API", loopback.discord.base)
    with pointed_to("http://127.0.0.1:1"):
        assert "ok  Discord: accepts the token" in await told()
        assert discord.http.Route.BASE == "http://127.0.0.1:1"
    monkeypatch.setenv("SPRINGBOARD_DISCORD_API", "http://127.0.0.1:1")
    assert ", by way of http://127.0.0.1:1 (SPRINGBOARD_DISCORD_API)" in await told()
