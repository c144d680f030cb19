"""Questions to Discord: whether it accepts the token, how the application is set up, the time, and the bot's permissions."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import aiohttp
import discord

from bot.admin.doctor.finding import Finding, bad, good, note, poor
from bot.config import DISCORD_API, PROXY, Settings
from bot.invitation import BY_PEOPLE, ON_SERVERS, RIGHTS, install_settings, invitation_link
from bot.proxies import way_out

TIMEOUT: Final = 10.0
"""Seconds to wait for Discord's answers."""

GAMES_IN: Final = (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.ForumChannel)
"""The kinds of channels in which games are played. In a forum, they are played in its posts."""

OFF_BY: Final = 5.0
"""Seconds by which this machine's clock may differ from Discord's."""

FEW_STARTS: Final = 100
"""If fewer new connections than this are left for the day, something connects far too often."""

_INTENTS: Final = {
    "gateway_presence": "Presence Intent",
    "gateway_guild_members": "Server Members Intent",
    "gateway_message_content": "Message Content Intent",
}
_UNREACHABLE: Final = (aiohttp.ClientError, OSError, TimeoutError)


class _Clocks:
    """Compares this machine's clock with the dates of Discord's answers."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.ahead: float | None = None
        """Seconds by which this machine's clock is at least ahead (negative: behind), or None if Discord has told no time."""
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._start)
        self.trace.on_request_end.append(self._end)

    async def _start(self, _: aiohttp.ClientSession, context: SimpleNamespace, __: aiohttp.TraceRequestStartParams) -> None:
        context.began = self._now()

    async def _end(self, _: aiohttp.ClientSession, context: SimpleNamespace, end: aiohttp.TraceRequestEndParams) -> None:
        try:
            told = parsedate_to_datetime(end.response.headers.get("Date", "")).timestamp()
        except ValueError:
            return
        # The answer was dated at some moment between the two, and its date has no fractions of a second.
        early, late = context.began - (told + 1), self._now() - told
        self.ahead = early if early > 0 else min(late, 0.0)

    def finding(self) -> Iterator[Finding]:
        if self.ahead is None:
            return
        if abs(self.ahead) <= OFF_BY:
            yield good("Clock: agrees with Discord's.")
            return
        way = "ahead of" if self.ahead > 0 else "behind"
        yield poor(
            f"Clock: this machine is {abs(self.ahead):.0f} seconds {way} Discord's clock, so turns end at wrong times. Have it "
            "set by NTP (`timedatectl set-ntp true`)."
        )


async def ask(settings: Settings, channel: int | None, *, offline: bool, now: Callable[[], float] = time.time) -> list[Finding]:
    """Ask Discord about the token, the application, and, if a channel is given, the bot's permissions there."""
    assert settings.token is not None
    if offline:
        return [note("Discord: not asked: --offline was given.")]
    clocks, found = _Clocks(now), list[Finding]()
    try:
        async with (
            asyncio.timeout(TIMEOUT),
            _through_proxy(settings),
            discord.Client(
                intents=discord.Intents(guilds=True),
                connector=way_out(settings),
                http_trace=clocks.trace,
                max_ratelimit_timeout=30.0,
            ) as client,
        ):
            await client.login(settings.token.get_secret_value())
            found += _application(client)
            found += _installing(await client.http.application_info())
            recommended, _, limit = await client.http.get_bot_gateway()
            found += _starts(settings, recommended, dict(limit))
            if channel is not None:
                found += await _permissions(client, channel)
    except discord.LoginFailure:
        found.append(bad("Discord: does not accept the token. Make a new one in the developer portal, under Bot, Reset Token."))
    except (discord.HTTPException, discord.RateLimited) as error:
        found.append(note(f"Discord: not asked: it refuses just now ({error}). Try again in a minute."))
    except _UNREACHABLE as error:
        reason = "it does not answer" if isinstance(error, TimeoutError) else f"it cannot be reached ({error})"
        way = f", by way of {settings.discord_api} ({DISCORD_API})" if settings.discord_api else ""
        way += f", through the proxy of {PROXY}" if settings.proxy else ""
        found.append(note(f"Discord: not asked: {reason}{way}. Is this machine connected? The bot cannot start without."))
    return [*found, *clocks.finding()]


@asynccontextmanager
async def _through_proxy(settings: Settings) -> AsyncIterator[None]:
    """Send the requests of the block to the address set in place of Discord's, if there is one."""
    before = discord.http.Route.BASE
    discord.http.Route.BASE = settings.discord_api or before
    try:
        yield
    finally:
        discord.http.Route.BASE = before


def _application(client: discord.Client) -> Iterator[Finding]:
    application = client.application
    assert application is not None
    assert client.user is not None
    yield good(f"Discord: accepts the token, and knows the bot as {client.user}.")
    needless = [
        name for flag, name in _INTENTS.items()
        if getattr(application.flags, flag) or getattr(application.flags, f"{flag}_limited")
    ]  # fmt: skip
    if needless:
        yield note(f"Intents: {' and '.join(needless)} switched on. The bot needs none: switch off in the portal, under Bot.")
    else:
        yield good("Intents: none is switched on, and none is needed.")
    if application.interactions_endpoint_url:
        yield poor(
            "Interactions: Discord sends clicks and commands to the Interactions Endpoint URL of the application, not to the "
            "bot. Empty it in the portal, under General Information."
        )
    if application.bot_require_code_grant:
        yield poor(
            "Invitation: the application requires a code grant, so nobody can invite the bot. Switch off Requires OAuth2 Code "
            "Grant in the portal, under Bot."
        )
    yield from _policies(application)
    count = application.approximate_guild_count
    if count:
        yield note(f"Servers: the bot is on about {count}.")


def _installing(application: Mapping[str, Any]) -> Iterator[Finding]:
    """Report what *Add App* in the bot's profile does."""
    ways, own_link = application.get("integration_types_config") or {}, application.get("custom_install_url")
    settings = install_settings(application)
    where = "in the portal, under Installation, Default Install Settings"
    alone = (
        "Installing: Add App in the bot's profile adds its commands alone, and games would be seen by nobody. Add bot to the "
        f"scopes of Guild Install, {where}, with the permissions of the link below."
    )
    if not application.get("bot_public"):
        yield note("Installing: the bot is private, so only the owner of the application can add it, by the link below.")
    elif own_link:
        scopes = parse_qs(urlsplit(own_link).query).get("scope", [])
        lacks = bool(scopes) and "bot" not in " ".join(scopes).split()
        yield poor(alone) if lacks else good("Installing: Add App leads to an address of your own.")
    elif ways and ON_SERVERS not in ways:
        yield poor("Installing: the bot cannot be added to servers. Switch on Guild Install in the portal, under Installation.")
    elif settings is None:
        yield note("Installing: not set up yet. The bot does it when it starts: Add App will add it with all it needs.")
    elif "bot" not in settings["scopes"]:
        yield poor(alone)
    elif lacking := [
        _title(right) for right in RIGHTS if not getattr(discord.Permissions(int(settings["permissions"])), right)
    ]:
        yield poor(f"Installing: Add App asks for too little: {', '.join(lacking)}. Add that {where}.")
    else:
        yield good("Installing: Add App in the bot's profile adds the bot with all permissions that it needs.")
    if BY_PEOPLE in ways:
        yield note(
            "Installing: User Install is switched on. The bot is for servers, and people who add it to their account get no "
            "commands. Switch it off in the portal, under Installation."
        )


def _policies(application: discord.AppInfo) -> Iterator[Finding]:
    """Report whether the bot's profile says what the bot does with people's data."""
    known = {"privacy policy": application.privacy_policy_url, "terms of service": application.terms_of_service_url}
    if missing := [name for name, url in known.items() if not url]:
        yield note(
            f"Policies: no {' and no '.join(missing)} in the bot's profile. Enter the addresses of PRIVACY.md and TERMS.md, or "
            "of your own, in the portal, under General Information. Discord asks for both before it verifies a bot, and only a "
            "verified bot can join more than 100 servers."
        )
    else:
        yield good("Policies: the bot's profile names a privacy policy and terms of service.")


def _starts(settings: Settings, recommended: int, limit: Mapping[str, Any]) -> Iterator[Finding]:
    """Report how often the bot may still connect today, and how many shards it should have."""
    left, total = limit["remaining"], limit["total"]
    if left < FEW_STARTS:
        yield poor(
            f"Connections: {left} of {total} are left for {limit['reset_after'] / 3_600_000:.0f} hours; when they are used up, "
            "Discord takes the token away. Something starts the bot again and again: stop it, and see in its log why it ends."
        )
    else:
        yield good(f"Connections: {left} of {total} are left for today.")
    if recommended > 1 and not settings.on_server:
        yield poor(
            f"Shards: Discord recommends {recommended} for this bot, which need PostgreSQL: `springboard move-database`, see "
            "docs/scaling.md."
        )


async def _permissions(client: discord.Client, channel_id: int) -> list[Finding]:
    try:
        there = await client.fetch_channel(channel_id)
        if isinstance(there, discord.Thread):
            there = await client.fetch_channel(there.parent_id)
        if not isinstance(there, GAMES_IN):
            how = "Name a text channel, a voice channel or a forum"
            return [poor(f"Channel {channel_id}: is none in which games can be played. {how}.")]
        guild = await client.fetch_guild(there.guild.id, with_counts=False)
        assert client.user is not None
        member = await guild.fetch_member(client.user.id)
        channel = await guild.fetch_channel(there.id)
    except discord.NotFound:
        how = "With Developer Mode on (Settings, Advanced), a right click on the channel copies its id"
        return [poor(f"Channel {channel_id}: there is none with this id. {how}.")]
    except discord.Forbidden:
        return [
            poor(
                f"Channel {channel_id}: the bot cannot see it. Give its role View Channel there, or invite the bot to that "
                f"server: {invitation_link(client.application_id or 0)}"
            )
        ]
    assert isinstance(channel, GAMES_IN)
    lacking = _lacking(channel, member)
    where = f"Channel #{channel.name} of {guild.name}"
    if not lacking:
        return [good(f"{where}: the bot has all permissions that it needs.")]
    return [
        poor(
            f"{where}: the bot lacks {', '.join(lacking)}. Allow that for its role, in the settings of the channel or of the "
            "server. Where games are not played in threads, those for threads are not needed."
        )
    ]


def _lacking(channel: discord.abc.GuildChannel, member: discord.Member) -> list[str]:
    held = channel.permissions_for(member)
    if not held.view_channel:
        return [_title("view_channel")]  # without this one discord.py reports all others as missing, too
    if not held.send_messages:
        held.attach_files = True  # which discord.py then reports as missing, too
    return [_title(name) for name in RIGHTS if name not in _useless_in(channel) and not getattr(held, name)]


def _useless_in(channel: discord.abc.GuildChannel) -> frozenset[str]:
    """Return the permissions that games need in a text channel, but not in a forum or in the chat of a voice channel."""
    opening = {"create_public_threads", "create_private_threads"}
    if isinstance(channel, discord.ForumChannel):
        return frozenset({"send_messages", *opening})
    if isinstance(channel, discord.TextChannel):
        return frozenset()
    return frozenset({"send_messages_in_threads", *opening})


def _title(right: str) -> str:
    """Return the name of a permission as Discord shows it.

    >>> _title("send_messages_in_threads")
    'Send Messages in Threads'
    """
    return right.replace("_", " ").title().replace(" In ", " in ")
