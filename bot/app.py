"""The client, which connects the core, the outbox, the commands and the router with one another and with Discord."""

import asyncio
import itertools
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

from bot import emojis, known_commands, profile
from bot.commands import COMMANDS
from bot.core.clocks.heartbeats import EVERY
from bot.core.clocks.membership import Membership
from bot.core.core import Core, Work
from bot.core.people import Users
from bot.core.places import Places
from bot.core.quarantine import Quarantine
from bot.core.table.snapshot import Snapshot
from bot.features.computers.loop import ComputerLoop
from bot.features.reviews.loop import Reviewing
from bot.i18n.language import Language, language
from bot.i18n.translator import CatalogueTranslator
from bot.interactions import router, suggestions
from bot.interactions.command_tree import Tree
from bot.interactions.context import Responder
from bot.interactions.reply import DEFER_AFTER
from bot.loops.clock import Clock
from bot.loops.heartbeat import Heartbeat
from bot.loops.lobby_watch import LobbyWatch
from bot.menus import MENUS
from bot.messages.builder import NOBODY, mentions
from bot.outbox.access import LostConnection
from bot.outbox.members import Members
from bot.outbox.worker import OutboxWorker
from bot.parts import PARTS
from bot.registry import HANDLERS, JOBS
from bot.runtime.outage import outages, unreachable
from bot.runtime.request_counts import count_requests
from storage.schema.errors import Unreachable
from storage.store import Store

SEEN_CACHE_SIZE: Final = 4096
"""How many interaction ids are remembered in order to recognise repeated deliveries."""

ROUTED: Final = frozenset({discord.InteractionType.component, discord.InteractionType.modal_submit})
"""The types of interactions that are passed to the router."""

LONGEST_WAIT: Final = 30.0
"""The most seconds that discord.py waits for a rate limit. A request that is limited for longer is put off."""

REGISTER_WITHIN: Final = 60.0
"""Seconds within which the commands must be registered, since nobody can play before that."""

log = structlog.get_logger(__name__)


class Springboard(discord.Client):
    """The bot's Discord client. It holds no games, since everything is in the store and all messages can be rebuilt from it.

    Attributes:
        trace: counts every request to Discord, including answers to interactions.
        members: what is known of the people on its servers.
        was_ready: is set once it has been ready.
    """

    def __init__(
        self, core: Core, *, defer_after: float = DEFER_AFTER, beat_every: float = EVERY, own_look: bool = False, **options: Any
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        self.trace = aiohttp.TraceConfig()
        count_requests(self.trace)
        super().__init__(
            intents=intents, allowed_mentions=NOBODY, max_ratelimit_timeout=LONGEST_WAIT, http_trace=self.trace, **options
        )
        self.core = core
        self.was_ready = asyncio.Event()
        self.members = Members(self, core.now)
        core.audience = self.members
        self.outbox = OutboxWorker(self, core, self.server_language, JOBS)
        self.clock = Clock(core, self.outbox.wake)
        self.computers = ComputerLoop(self, core, self._show_played)
        self.heartbeat = Heartbeat(core, self._go_on, beat_every)
        self.lobbies = LobbyWatch(self, core, self.outbox.wake)
        self.responder = Responder(self, core, self.outbox, self.server_language, self.is_absent, defer_after)
        self.reviewing = Reviewing(core, self.responder.reviews.advance)
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._look: asyncio.Task[None] | None = None
        self._registering: asyncio.Task[None] | None = None
        self._unregistered: str | None = None
        self._own_look = own_look
        self.tree = Tree(self)
        for command in (*COMMANDS, *MENUS):
            self.tree.add_command(command)

    def _show_played(self, snapshot: Snapshot | None) -> None:
        """Show a computer's move on the board, and in the private messages that wait for it."""
        self.outbox.wake()
        if snapshot is not None:
            self.responder.following.advance(snapshot.table.id, snapshot.table.version)

    async def server_language(self, guild_id: int) -> Language:
        """Return the language of a server's public texts."""
        return language((await self.core.service(Users).server(guild_id)).language)

    async def setup_hook(self) -> None:
        """Prepare for a session."""
        self.core.listen(self.outbox.wake_by, Work.OUTBOX)
        self.heartbeat.begin(self._application_owner)
        suggestions.expect_losses()
        await self._prepare()

    async def _prepare(self) -> None:
        await self._look_through()
        if self._own_look:
            self._look = asyncio.create_task(self._settle_look(), name="springboard-look")
        await self._register()

    async def _settle_look(self) -> None:
        await emojis.settle(self)
        await profile.settle(self)

    async def _register(self) -> None:
        """Register the commands. If that fails, the commands registered before keep working, and it is tried again later."""
        if not await self._sync():
            self._registering = asyncio.create_task(self._register_later(), name="springboard-commands")

    async def _register_later(self) -> None:
        """Mention the commands registered earlier, and try again and again to register ours until Discord accepts them."""
        learned = False
        for failures in itertools.count():
            learned = learned or await known_commands.learn(self.tree)
            await asyncio.sleep(known_commands.until_registering(failures))
            if await self._sync():
                return

    async def _sync(self) -> bool:
        """Register the commands, so that texts can mention them. Returns False if that fails, which is logged once."""
        await self.tree.set_translator(CatalogueTranslator())
        try:
            async with asyncio.timeout(REGISTER_WITHIN):
                mentions.learn(await self.tree.sync())
        except (discord.HTTPException, discord.RateLimited, app_commands.AppCommandError, *LostConnection) as error:
            if repr(error) != self._unregistered:
                log.error("commands not registered", error=repr(error))
            self._unregistered = repr(error)
            return False
        if self._unregistered is not None:
            log.info("commands registered")
        return True

    async def _look_through(self) -> None:
        """Quarantine the tables that cannot be read, and bring back those that have become readable."""
        try:
            await self.core.service(Quarantine).inspect()
        except Unreachable as error:
            outages.note(error)
        except Exception:
            log.exception("the tables were not looked through")  # a corrupt table is found when it is used

    async def on_ready(self) -> None:
        """Begin to beat. Work left over from before the start is done after the first heartbeat."""
        log.info("ready", user=str(self.user), servers=len(self.guilds), shard=self.shard_id)
        self.was_ready.set()
        if self.heartbeat.is_connected:  # by a session that did not list the servers
            await self._settle_membership()
        await self.heartbeat.connected()

    async def on_resumed(self) -> None:
        """Beat again after a lost connection."""
        await self.heartbeat.connected()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event unless the client is closed, when discord.py may still be waiting for a session's last servers."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_disconnect(self) -> None:
        """Stop the clocks while there is no session, since nobody can act."""
        self.heartbeat.disconnected()

    async def _go_on(self) -> None:
        """Find out which servers the bot is in, and do the work that was left over or has fallen due."""
        if self.is_ready():
            await self._settle_membership()
        self.wake()
        self.lobbies.wake()

    async def _settle_membership(self) -> None:
        """Note the servers that removed the bot or invited it again while it was disconnected."""
        left = await self.core.service(Membership).reconcile(
            self._responsible_for, lambda guild_id: self.get_guild(guild_id) is not None
        )
        if left:
            log.info("removed from servers while away", servers=left)
        for guild_id in await self.core.service(Membership).away():
            guild = self.get_guild(guild_id)
            if guild is not None:
                await self._welcome(guild)

    def wake(self) -> None:
        """Wake the loops, which do what is due according to the database. Another process may have written to it."""
        self.outbox.wake()
        self.clock.wake()
        self.computers.wake()
        self.reviewing.wake()

    @property
    def _application_owner(self) -> int | None:
        """The id of the person to tell what the operator must know: the application's owner, or the owner of its team."""
        found = self.application
        return None if found is None else found.owner.id if found.team is None else found.team.owner_id

    def _responsible_for(self, guild_id: int) -> bool:
        """Whether this connection receives a server's events. Each server belongs to one shard."""
        return (guild_id >> 22) % (self.shard_count or 1) == (self.shard_id or 0)

    def is_absent(self, guild_id: int) -> bool:
        """Whether a server certainly has the commands without the bot. Return False until a session has listed the servers."""
        return self.is_ready() and self._responsible_for(guild_id) and self.get_guild(guild_id) is None

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Route a click, or a submitted form. discord.py passes slash commands to the command tree."""
        self.core.discord.note(interaction.id)
        self.note_members(interaction)
        if interaction.type in ROUTED and self.is_new(interaction):
            await router.route(self.responder, HANDLERS, interaction)

    def note_members(self, interaction: discord.Interaction[Any]) -> None:
        """Note the people whom an interaction names as members, so that Discord need not be asked about them."""
        for one in (interaction.user, *vars(interaction.namespace).values()):
            if isinstance(one, discord.Member):
                self.members.note(one)

    @property
    def alone(self) -> bool:
        """Whether no other process can be answering the same interactions."""
        return True

    @property
    def shares_token(self) -> bool:
        """Whether other processes may use the same token."""
        return False

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
        """Retry refused jobs, because the bot's permissions in the channel may have changed."""
        if before.overwrites != after.overwrites:
            await self.outbox.reconsider(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry refused jobs, because the bot's permissions may have changed."""
        if before.permissions != after.permissions:
            await self.outbox.reconsider(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry refused jobs if the bot's own roles have changed. Discord does not report other members to the bot."""
        if after == after.guild.me and before.roles != after.roles:
            await self.outbox.reconsider(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry refused jobs if the thread may have been reopened."""
        metadata = payload.data["thread_metadata"]
        if not (metadata.get("locked") or metadata["archived"]):
            await self.outbox.reconsider(payload.guild_id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Pause the private game in a deleted thread. Other games find out when they have something to show."""
        for table in await self.core.service(Places).in_thread(payload.guild_id, payload.thread_id):
            if table.private:
                await self.core.service(Places).record_lost_thread(table.id)
                self.outbox.wake()

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Begin the grace period of a server that has removed the bot. Server outages are reported by other events."""
        log.info("left a server", server=guild.id)
        await self.core.service(Membership).begin_grace(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume the games of a server that has invited the bot again."""
        await self._welcome(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Do what `on_guild_join` does, since Discord does not always say whether a server is new or was unavailable."""
        await self._welcome(guild)

    async def _welcome(self, guild: discord.Guild) -> None:
        """End the grace period of a server that has the bot again, and do what has fallen due there."""
        if guild.id in await self.core.service(Membership).away() and await self.core.service(Membership).end_grace(guild.id):
            log.info("back on a server", server=guild.id)
            await self.outbox.reconsider(guild.id)
            self.outbox.wake()

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log an error in handling an event. An outage of the database is only noted."""
        error = sys.exc_info()[1]
        outage = None if error is None else unreachable(error)
        if outage is not None:
            outages.note(outage)
        else:
            await super().on_error(event_method, *args, **kwargs)

    async def close(self) -> None:
        """Stop working, and disconnect. Undelivered jobs stay in the outbox for the next start."""
        for task in (self._look, self._registering):
            if task is not None:
                task.cancel()
        await self.heartbeat.close()
        await self.lobbies.close()
        await self.reviewing.close()
        await self.clock.close()
        await self.computers.close()
        await self.outbox.close()
        await super().close()


def make_client(
    store: Store,
    *,
    now: Callable[[], float],
    entropy: Callable[[int], bytes] = os.urandom,
    kind: Callable[..., Springboard] = Springboard,
    service: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Springboard:
    """Return a client for an open store, which it does not close.

    Args:
        store: the store, or a part of it.
        now: returns the current time, in seconds since the epoch.
        entropy: returns random bytes.
        kind: the class of the client.
        service: further arguments for the service.
        options: arguments for the client.
    """
    return kind(Core(store, parts=PARTS, now=now, entropy=entropy, **service), **options)
