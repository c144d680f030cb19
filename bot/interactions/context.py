"""What every command and button works with: the service, the delivery, and the person who asks."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import discord
import structlog

from bot.i18n.language import Language, language
from bot.interactions.reply import PATIENCE, Interaction, Reply, answering
from bot.messages.builder import Sheet, escaped
from bot.messages.click import Click
from bot.outbox.worker import Delivery
from bot.sessions import Glance, Sessions, User
from bot.sessions.errors import NoSuchTable, SessionError
from bot.sessions.settings import PersonSettings
from engines.text import say

ERROR_COLOUR: Final = 0xC0392B

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Front:
    """The bot's counter in Discord.

    Attributes:
        client: the connection to Discord.
        sessions: what may be done to tables.
        delivery: what brings the boards to the channels.
        server_language: the language of a server's public texts.
        patience: seconds after which an answer is deferred.
    """

    client: discord.Client
    sessions: Sessions
    delivery: Delivery
    server_language: Callable[[int], Awaitable[Language]]
    patience: float = PATIENCE

    async def private_language(self, interaction: Interaction) -> Language:
        """The language of what only this person sees: the one they have chosen, else that of their Discord."""
        settings = await self.sessions.persons.settings(interaction.user.id)
        return language(settings.language or str(interaction.locale))

    @asynccontextmanager
    async def answer(
        self, interaction: Interaction, *, update: bool = False, public: bool = False, silent: bool = False
    ) -> AsyncIterator["Counter"]:
        """Answer an interaction. Whatever goes wrong in the block is told to the person, privately; nothing else is lost."""
        async with answering(interaction, update=update, public=public, silent=silent, patience=self.patience) as reply:
            counter = Counter(self, interaction, reply, language(str(interaction.locale)), PersonSettings())
            try:
                settings = await self.sessions.persons.settings(interaction.user.id)
                if settings.language is not None:
                    counter = replace(counter, language=language(settings.language))
                counter = replace(counter, settings=settings)
                yield counter
            except SessionError as error:
                await counter.complain(counter.language(error.text, tuple(escaped(name) for name in error.names)))
            except Exception:
                incident = secrets.token_hex(4)
                log.exception("unexpected error", incident=incident, interaction=interaction.id)
                await counter.complain(
                    counter.language(
                        say(
                            "Something went wrong on our side, and has been noted as {incident}. "
                            "The game is as the newest board shows it.",
                            incident=incident,
                        )
                    )
                )
                self.delivery.kick()  # what was committed before that has still to be shown


@dataclass(frozen=True, slots=True)
class Counter:
    """One person's visit: the interaction, the reply to it, their language, and what they chose for themselves."""

    front: Front
    interaction: Interaction
    reply: Reply
    language: Language
    settings: PersonSettings

    @property
    def sessions(self) -> Sessions:
        """What may be done to tables."""
        return self.front.sessions

    @property
    def user(self) -> User:
        """The person."""
        return person(self.interaction.user)

    @property
    def guild_id(self) -> int:
        """The server. Every command and button of the bot is for servers only."""
        assert self.interaction.guild_id is not None
        return self.interaction.guild_id

    async def glance(self, table_id: int) -> Glance:
        """A table of this server that the person may look at. Raises NoSuchTable; nobody learns of private ones."""
        glance = await self.sessions.glance(table_id, self.guild_id)
        if not (glance.open_to(self.user.id) or self.interaction.permissions.manage_guild):
            raise NoSuchTable(say("There is no table #{n} here.", n=table_id))
        return glance

    async def public_language(self) -> Language:
        """The language of this server's public texts."""
        return await self.front.server_language(self.guild_id)

    async def tell(self, words: str) -> None:
        """Say something privately."""
        await self.reply.aside(Sheet().text(words))

    async def complain(self, words: str) -> None:
        """Say privately what went wrong."""
        await self.reply.aside(Sheet(colour=ERROR_COLOUR).text(words))

    async def deliver(self, table_id: int) -> None:
        """Bring the table's messages up to date, after the answer has been given; say what stands in the way, if anything."""
        trouble = await self.front.delivery.deliver(table_id)
        if trouble is not None:
            await self.complain(self.language(trouble))


Handler = Callable[[Counter, Click], Awaitable[None]]
"""What a button does when it is pressed."""


def person(user: discord.User | discord.Member) -> User:
    """Somebody of Discord as the service knows them."""
    return User(user.id, user.display_name)


def people(members: Sequence[discord.User | discord.Member | None]) -> list[User]:
    """Those who were named, in order."""
    return [person(member) for member in members if member is not None]
