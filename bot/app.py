"""The client: puts the service, the delivery, the commands and the router together, and connects them to Discord."""

import os
from collections.abc import Callable
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.clock import Clock
from bot.commands import GROUPS
from bot.delivery import Delivery
from bot.front import Front
from bot.language import Language, language
from bot.sessions import Sessions
from bot.translator import CatalogueTranslator
from bot.ui import router
from bot.ui.sheet import NOBODY
from storage.store import Store

log = structlog.get_logger(__name__)


class Springboard(discord.Client):
    """The bot. It owns no game: everything is in the store, and everything it shows can be made again from there."""

    def __init__(self, sessions: Sessions, **options: Any) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(intents=intents, allowed_mentions=NOBODY, **options)
        self.sessions = sessions
        self.delivery = Delivery(self, sessions, self.server_language)
        self.clock = Clock(sessions, self.delivery.kick)
        self.front = Front(self, sessions, self.delivery, self.server_language)
        self.tree = Tree(self)
        for group in GROUPS:
            group(self.front).register(self.tree)

    async def server_language(self, guild_id: int) -> Language:
        """The language of a server's public texts."""
        return language((await self.sessions.persons.server(guild_id)).language)

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
        self.delivery.kick()
        self.clock.set()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Clicks; the command tree has its own way in."""
        if interaction.type is discord.InteractionType.component:
            await router.route(self.front, interaction)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Nothing is kept of a server that the bot was put out of."""
        log.info("left a server", server=guild.id)
        await self.sessions.persons.forget_server(guild.id)

    async def close(self) -> None:
        """Stop working, and leave Discord. What is not delivered is kept for the next start."""
        await self.clock.close()
        await self.delivery.close()
        await super().close()


class Tree(app_commands.CommandTree[Springboard]):
    """The slash commands. Their errors are answered where they arise; what arrives here is of Discord's own making."""

    async def on_error(self, interaction: discord.Interaction[Springboard], error: app_commands.AppCommandError, /) -> None:
        """Log what no command has answered."""
        log.error("command failed", command=getattr(interaction.command, "name", None), error=repr(error), exc_info=error)


def make_client(
    store: Store, *, now: Callable[[], float], entropy: Callable[[int], bytes] = os.urandom, **options: Any
) -> Springboard:
    """A client over an open store. It does not close the store."""
    return Springboard(Sessions(store, now=now, entropy=entropy), **options)
