"""The sandbox: the real bot in a simulated Discord, in a page on this machine. It needs no account and no network.

`simulated_discord` decides what people wait for, `world` is the simulated server, and `simulated_clock` is its clock. `proxy`
passes the pages of simcord's Preview on to the browser, and `phones` are the people's lock screens. `thinking` lets computers
think in other processes, and `site` is the page around it all. simcord allows only one change to its world at a time, so all
changes share one `asyncio.Lock`.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

import discord
import simcord
import structlog
from simcord.backend.cdn import CDN_BASE

from bot import emojis
from bot.app import make_client
from bot.features.help.messages import doors
from bot.i18n.language import ENGLISH
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.players import MARKS
from bot.sandbox.markdown_cache import cached_markdown
from bot.sandbox.phones import Phones
from bot.sandbox.proxy import PreviewProxy
from bot.sandbox.simulated_clock import STEP, SimulatedClock
from bot.sandbox.simulated_discord import SimulatedDiscord
from bot.sandbox.site import Site
from bot.sandbox.thinking import thinking_aside
from bot.sandbox.world import World, build_world
from renderers import profile
from storage.store import Store

log = structlog.get_logger(__name__)

SETTLE_TIMEOUT = 30.0
"""Seconds for the bot to answer a click, or to do all that is due in one step of a skip, before simcord gives up waiting."""

COLOUR: Final = 0x45CE8F
WELCOME: Final = """### 👋 Welcome to the Bounce Club
This is a pretend Discord on your own machine, with the real bot in it. You play everybody here: **Ann** in one window, \
**Ben** in the other."""
STEPS: Final = """**Try this**
1. As Ann, click into the line below, type `/play`, pick a game, and add Ben as the opponent.
2. As Ben, press *Accept*. The board appears.
3. Whoever’s turn it is presses *Move*.
4. Skip a day and see who gets a reminder."""
MORE: Final = (
    "-# New to the games? Practise against a computer, or learn each game by playing it, with the buttons below. `/rules` has "
    "the full rules, `/help` lists what else there is. Nothing is kept when you close the sandbox."
)


def sandboxed_client(store: Store, *, now: Callable[[], float]) -> discord.Client:
    """Return the bot with fewer heartbeats. In a skip of a week, one a minute would take longer than everything else."""
    return make_client(store, now=now, beat_every=STEP)


@asynccontextmanager
async def open_sandbox(port: int, make: Callable[..., discord.Client] = sandboxed_client) -> AsyncIterator[str]:
    """Run the sandbox with a fresh database while the block lasts. Yields the address of its page.

    Args:
        port: the port of the page on 127.0.0.1, or 0 for any free port.
        make: makes the client from a store and a clock.

    Raises:
        PortTaken: the port is in use.
    """
    with tempfile.TemporaryDirectory(prefix="springboard-sandbox-") as folder, cached_markdown():
        store = await Store.open(Path(folder) / "sandbox.sqlite3")
        try:
            gate = asyncio.Lock()
            async with (
                _connect(store, make) as (env, world),
                env.preview(
                    world.backstage.dm_channel,
                    viewers=[world.backstage],
                    layout="channel",
                    timezone=_zone(),
                    assets=_emoji_pictures(env) | _avatars(env, world),
                ) as preview,
                PreviewProxy(preview, world, gate) as proxy,
            ):
                clock = SimulatedClock(env, gate, moved=proxy.catch_up)
                async with Site(world, proxy, clock, Phones(env, world.people)).serve(port) as address, clock.passing():
                    yield address
        finally:
            await store.close()


@asynccontextmanager
async def _connect(store: Store, make: Callable[..., discord.Client]) -> AsyncIterator[tuple[SimulatedDiscord, World]]:
    """Connect the bot to a simulated Discord whose clock shows the current time."""
    env: SimulatedDiscord
    client = make(store, now=lambda: env.now().timestamp())
    env = SimulatedDiscord(client, settle_timeout=SETTLE_TIMEOUT, check_errors=False)
    env.backend.advance_clock(time.time() - env.now().timestamp())
    await env.start()
    try:
        world = build_world(env)
        await env.settle()
        await emojis.settle(client)
        await greet(client.get_partial_messageable(world.first.id, guild_id=world.guild.id))
        await env.settle()
        env.open()
        with thinking_aside(env):
            yield env, world
    finally:
        with suppress(TimeoutError):  # tasks of the bot that do not end are cancelled with the rest
            await env.shutdown()
        await client.close()
        MARKS.show_as(())  # the emojis belonged to an application that no longer exists


async def greet(channel: discord.abc.Messageable) -> None:
    """Post the first message, which has a welcome and steps to try."""
    builder = MessageBuilder(colour=COLOUR).text(WELCOME).text(STEPS).text(MORE)
    builder.buttons(doors(ENGLISH))
    await channel.send(view=builder.layout(), allowed_mentions=NOBODY)


def _emoji_pictures(env: simcord.Env) -> dict[str, tuple[str, bytes]]:
    """Return the pictures of the bot's emojis by address, since simcord keeps no uploaded pictures."""
    drawn = emojis.pictures()
    uploaded = env.backend.application_emojis.values()
    return {f"{CDN_BASE}/emojis/{emoji.id}.png": (f"{emoji.name}.png", drawn[emoji.name]) for emoji in uploaded}


def _avatars(env: simcord.Env, world: World) -> dict[str, tuple[str, bytes]]:
    """Return the avatars by address: the bot's own, which simcord cannot take, and people's initials."""
    drawn = [(env.backend.bot_user, profile.avatar())]
    drawn += [(env.backend.get_user(person.id), profile.initial(person.user.global_name or "")) for person in world.people]
    return {f"{CDN_BASE}/avatars/{user.id}/{user.avatar}.png": (f"{user.avatar}.png", file) for user, file in drawn}


def _zone() -> str:
    """Return the IANA name of the machine's time zone, or UTC if it is unknown."""
    name = os.environ.get("TZ", "").lstrip(":") or str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    return name if name in available_timezones() else "UTC"
