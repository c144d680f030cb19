"""The client: puts the service, the outbox, the commands and the router together, and connects them to Discord."""

import os
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.commands import COMMANDS
from bot.i18n.language import Language, language
from bot.i18n.translator import CatalogueTranslator
from bot.interactions import router
from bot.interactions.context import Responder
from bot.interactions.reply import DEFER_AFTER
from bot.messages.builder import NOBODY
from bot.outbox.clock import Clock
from bot.outbox.worker import OutboxWorker
from bot.sessions import Sessions
from storage.store import Store

SEEN_CACHE_SIZE: Final = 4096
"""So many interactions are known again if they come once more."""

log = structlog.get_logger(__name__)


class Springboard(discord.Client):
    """The bot. It owns no game: everything is in the store, and everything it shows can be made again from there."""

    def __init__(self, sessions: Sessions, *, defer_after: float = DEFER_AFTER, **options: Any) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(intents=intents, allowed_mentions=NOBODY, **options)
        self.sessions = sessions
        self.outbox = OutboxWorker(self, sessions, self.server_language)
        self.clock = Clock(sessions, self.outbox.wake)
        self.responder = Responder(self, sessions, self.outbox, self.server_language, defer_after)
        self._seen: OrderedDict[int, None] = OrderedDict()
        self.tree = Tree(self)
        for command in COMMANDS:
            self.tree.add_command(command)

    async def server_language(self, guild_id: int) -> Language:
        """The language of a server's public texts."""
        return language((await self.sessions.users.server(guild_id)).language)

    async def setup_hook(self) -> None:
        """Register the commands. If Discord does not take them, the old ones go on working and the reason is logged."""
        await self.tree.set_translator(CatalogueTranslator())
        try:
            await self.tree.sync()
        except (discord.HTTPException, app_commands.AppCommandError) as error:
            log.error("commands not registered", error=repr(error))

    async def on_ready(self) -> None:
        """Deliver what was left over from before the start, and do what fell due in the meantime."""
        log.info("ready", user=str(self.user), servers=len(self.guilds))
        self.outbox.wake()
        self.clock.wake()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Clicks; the command tree has its own way in."""
        if interaction.type is discord.InteractionType.component and self.is_new(interaction):
            await router.route(self.responder, interaction)

    def is_new(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether an interaction is delivered for the first time. After a lost connection some come twice."""
        if interaction.id in self._seen:
            log.info("interaction delivered again", interaction=interaction.id)
            return False
        self._seen[interaction.id] = None
        while len(self._seen) > SEEN_CACHE_SIZE:
            self._seen.popitem(last=False)
        return True

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Perhaps the bot may do now what it might not before."""
        if before.overwrites != after.overwrites:
            await self.outbox.reconsider(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Perhaps the bot may do now what it might not before."""
        if before.permissions != after.permissions:
            await self.outbox.reconsider(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The bot itself has other roles; of other members it is told nothing."""
        if after == after.guild.me and before.roles != after.roles:
            await self.outbox.reconsider(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been opened again."""
        metadata = payload.data["thread_metadata"]
        if not (metadata.get("locked") or metadata["archived"]):
            await self.outbox.reconsider(payload.guild_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Nothing is kept of a server that the bot was put out of."""
        log.info("left a server", server=guild.id)
        await self.sessions.users.forget_server(guild.id)

    async def close(self) -> None:
        """Stop working, and leave Discord. What is not delivered is kept for the next start."""
        await self.clock.close()
        await self.outbox.close()
        await super().close()


class Tree(app_commands.CommandTree[Springboard]):
    """The slash commands. Their errors are answered where they arise; what arrives here is of Discord's own making."""

    async def interaction_check(self, interaction: discord.Interaction[Springboard], /) -> bool:
        """A command is carried out once."""
        return self.client.is_new(interaction)

    async def on_error(self, interaction: discord.Interaction[Springboard], error: app_commands.AppCommandError, /) -> None:
        """Log what no command has answered."""
        log.error("command failed", command=getattr(interaction.command, "name", None), error=repr(error), exc_info=error)


def make_client(
    store: Store, *, now: Callable[[], float], entropy: Callable[[int], bytes] = os.urandom, **options: Any
) -> Springboard:
    """A client over an open store. It does not close the store."""
    return Springboard(Sessions(store, now=now, entropy=entropy), **options)
