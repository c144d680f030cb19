"""The client: connects the service, the outbox, the commands and the router with one another, and with Discord."""

import asyncio
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord import app_commands

from bot import emojis
from bot.commands import COMMANDS
from bot.i18n.language import Language, language
from bot.i18n.translator import CatalogueTranslator
from bot.interactions import router, suggestions
from bot.interactions.context import Responder
from bot.interactions.reply import DEFER_AFTER
from bot.messages.builder import NOBODY
from bot.messages.mentions import mentions
from bot.outage import outages, unreachable
from bot.outbox.access import LostConnection
from bot.outbox.clock import Clock
from bot.outbox.computers import Computers
from bot.outbox.heartbeat import Heartbeat
from bot.outbox.lobby_watch import LobbyWatch
from bot.outbox.requests import count_requests
from bot.outbox.reviewing import Reviewing
from bot.outbox.worker import OutboxWorker
from bot.sessions import Sessions
from bot.sessions.heartbeats import EVERY
from storage.errors import Unreachable
from storage.store import Store

SEEN_CACHE_SIZE: Final = 4096
"""How many interaction ids are remembered, to recognise interactions that are delivered again."""

ROUTED: Final = frozenset({discord.InteractionType.component, discord.InteractionType.modal_submit})
"""The types of interactions that are passed to the router."""

LONGEST_WAIT: Final = 30.0
"""Seconds that discord.py waits for a rate limit to pass, at most. What is limited for longer is put off instead."""

REGISTER_WITHIN: Final = 60.0
"""Seconds for the registration of the commands, since nobody can play before it is over."""

log = structlog.get_logger(__name__)


class Springboard(discord.Client):
    """The bot's Discord client. It holds no games: everything is in the store, and all messages can be rebuilt from there.

    Attributes:
        trace: is told of every request to Discord, answers to interactions included.
    """

    def __init__(
        self,
        sessions: Sessions,
        *,
        defer_after: float = DEFER_AFTER,
        beat_every: float = EVERY,
        own_emojis: bool = False,
        **options: Any,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        self.trace = aiohttp.TraceConfig()
        count_requests(self.trace)
        super().__init__(
            intents=intents, allowed_mentions=NOBODY, max_ratelimit_timeout=LONGEST_WAIT, http_trace=self.trace, **options
        )
        self.sessions = sessions
        self.outbox = OutboxWorker(self, sessions, self.server_language)
        self.clock = Clock(sessions, self.outbox.wake)
        self.computers = Computers(self, sessions, self.outbox.wake)
        self.heartbeat = Heartbeat(sessions, self._go_on, beat_every)
        self.lobbies = LobbyWatch(self, sessions, self.outbox.wake)
        self.reviewing = Reviewing(sessions)
        self.responder = Responder(self, sessions, self.outbox, self.server_language, defer_after)
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._emojis: asyncio.Task[bool] | None = None
        self._own_emojis = own_emojis
        self.tree = Tree(self)
        for command in COMMANDS:
            self.tree.add_command(command)

    async def server_language(self, guild_id: int) -> Language:
        """The language of a server's public texts."""
        return language((await self.sessions.users.server(guild_id)).language)

    async def setup_hook(self) -> None:
        """Get ready for a session."""
        self.sessions.on_set_aside(self.outbox.wake)
        self.heartbeat.begin()
        suggestions.expect_losses()
        await self._prepare()

    async def _prepare(self) -> None:
        """Look through the tables, and register the commands."""
        await self._look_through()
        if self._own_emojis:
            self._emojis = asyncio.create_task(emojis.settle(self), name="springboard-emojis")
        await self._register()

    async def _register(self) -> None:
        """Register the commands, which texts can mention from then on.

        If that fails, the reason is logged, and those registered before keep working.
        """
        await self.tree.set_translator(CatalogueTranslator())
        try:
            async with asyncio.timeout(REGISTER_WITHIN):
                mentions.learn(await self.tree.sync())
        except (discord.HTTPException, discord.RateLimited, app_commands.AppCommandError, *LostConnection) as error:
            log.error("commands not registered", error=repr(error))

    async def _look_through(self) -> None:
        """Bring back what was set aside and can be read again, and set aside what cannot be read."""
        try:
            await self.sessions.quarantine.inspect()
        except Unreachable as error:
            outages.note(error)
        except Exception:
            log.exception("the tables were not looked through")  # what is broken is found when it is used

    async def on_ready(self) -> None:
        """Begin to beat. What is left over from before the start is done after the first heartbeat."""
        log.info("ready", user=str(self.user), servers=len(self.guilds), shard=self.shard_id)
        if self.heartbeat.is_connected:  # by a session that did not tell what servers there are
            await self._settle_membership()
        await self.heartbeat.connected()

    async def on_resumed(self) -> None:
        """Go on as before the connection was lost."""
        await self.heartbeat.connected()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Tell of an event, unless the client is closed: discord.py may still wait for the last servers of a session."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_disconnect(self) -> None:
        """Let no time count while there is no session: nobody can act."""
        self.heartbeat.disconnected()

    async def _go_on(self) -> None:
        """Find out which servers the bot is in, deliver what is left over from before the session, and do what fell due."""
        if self.is_ready():
            await self._settle_membership()
        self.wake()

    async def _settle_membership(self) -> None:
        """Note which servers the bot was removed from, and let back in to, while it did not hear of it."""
        left = await self.sessions.membership.reconcile(
            self._responsible_for, lambda guild_id: self.get_guild(guild_id) is not None
        )
        if left:
            log.info("removed from servers while away", servers=left)
        for guild_id in await self.sessions.membership.away():
            guild = self.get_guild(guild_id)
            if guild is not None:
                await self._welcome(guild)

    def wake(self) -> None:
        """Do everything that is due, and look whether all lobbies are still there."""
        self.look()
        self.lobbies.wake()

    def look(self) -> None:
        """Do what the database says is due: another process may have put it there."""
        self.outbox.wake()
        self.clock.wake()
        self.computers.wake()
        self.reviewing.wake()

    def _responsible_for(self, guild_id: int) -> bool:
        """Whether Discord tells this connection of a server, which is so for one of its shards."""
        return (guild_id >> 22) % (self.shard_count or 1) == (self.shard_id or 0)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Route a click, or a form that was sent. Slash commands are passed to the command tree by discord.py."""
        if interaction.type in ROUTED and self.is_new(interaction):
            await router.route(self.responder, interaction)

    @property
    def alone(self) -> bool:
        """Whether no other process may be answering what this one hears."""
        return True

    def is_new(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether an interaction is delivered for the first time. After a lost connection, some are delivered twice."""
        if interaction.id in self._seen:
            log.info("interaction delivered again", interaction=interaction.id)
            return False
        self._seen[interaction.id] = None
        while len(self._seen) > SEEN_CACHE_SIZE:
            self._seen.popitem(last=False)
        return True

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Retry refused jobs: the bot's permissions in the channel may have changed."""
        if before.overwrites != after.overwrites:
            await self.outbox.reconsider(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry refused jobs: the bot's permissions may have changed."""
        if before.permissions != after.permissions:
            await self.outbox.reconsider(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry refused jobs if the bot's own roles have changed. Discord does not report other members to it."""
        if after == after.guild.me and before.roles != after.roles:
            await self.outbox.reconsider(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry refused jobs if the thread may have been reopened."""
        metadata = payload.data["thread_metadata"]
        if not (metadata.get("locked") or metadata["archived"]):
            await self.outbox.reconsider(payload.guild_id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Pause the private game that was played in a thread. Other games find out when they have something to show."""
        for table in await self.sessions.places.in_thread(payload.guild_id, payload.thread_id):
            if table.private:
                await self.sessions.places.thread_gone(table.id)
                self.outbox.wake()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Begin the grace of a server that the bot has been removed from. Discord reports outages of servers differently."""
        log.info("left a server", server=guild.id)
        await self.sessions.membership.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on where the bot was before it was removed from a server."""
        await self._welcome(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The same: whether a server is new, or was out of reach for a while, Discord does not always say."""
        await self._welcome(guild)

    async def _welcome(self, guild: discord.Guild) -> None:
        """End the grace of a server that has the bot again, and do what was due there."""
        if guild.id in await self.sessions.membership.away() and await self.sessions.membership.returned(guild.id):
            log.info("back on a server", server=guild.id)
            await self.outbox.reconsider(guild.id)
            self.outbox.wake()

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Report what went wrong while an event of Discord was handled."""
        error = sys.exc_info()[1]
        outage = None if error is None else unreachable(error)
        if outage is not None:
            outages.note(outage)
        else:
            await super().on_error(event_method, *args, **kwargs)

    async def close(self) -> None:
        """Stop working and disconnect. What has not been delivered is kept for the next start."""
        if self._emojis is not None:
            self._emojis.cancel()
        await self.heartbeat.close()
        await self.lobbies.close()
        await self.reviewing.close()
        await self.clock.close()
        await self.computers.close()
        await self.outbox.close()
        await super().close()


class Tree(app_commands.CommandTree[Springboard]):
    """The slash commands. They answer their own errors; only errors of discord.py itself arrive here."""

    async def interaction_check(self, interaction: discord.Interaction[Springboard], /) -> bool:
        """Whether to carry out a command: only once."""
        return self.client.is_new(interaction)

    async def on_error(self, interaction: discord.Interaction[Springboard], error: app_commands.AppCommandError, /) -> None:
        """Log an error that no command has answered."""
        log.error("command failed", command=getattr(interaction.command, "name", None), error=repr(error), exc_info=error)


def make_client(
    store: Store,
    *,
    now: Callable[[], float],
    entropy: Callable[[int], bytes] = os.urandom,
    kind: Callable[..., Springboard] = Springboard,
    service: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Springboard:
    """A client for an open store, which it does not close.

    Args:
        store: the store, or a part of it.
        now: returns the current time, in seconds since the epoch.
        entropy: returns random bytes.
        kind: the class of the client.
        service: further arguments for the service.
        options: arguments for the client.
    """
    return kind(Sessions(store, now=now, entropy=entropy, **service), **options)
