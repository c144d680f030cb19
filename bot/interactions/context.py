"""What every command and button works with: the service, the outbox, and the person who asks."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace

import discord
import structlog

from bot.i18n.language import Language, language
from bot.interactions.reply import DEFER_AFTER, Interaction, Reply, answering
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, escaped
from bot.messages.perspective import Perspective
from bot.outbox.worker import OutboxWorker
from bot.sessions import Sessions, Snapshot, User
from bot.sessions.errors import NoSuchTable, SessionError
from bot.sessions.settings import PersonSettings
from engines.text import say


class Answered(Exception):
    """Ends the handling of an interaction that has been answered already, for instance by a question back."""


log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Responder:
    """The bot's context in Discord.

    Attributes:
        client: the connection to Discord.
        sessions: what may be done to tables.
        outbox: what brings the boards to the channels.
        server_language: the language of a server's public texts.
        defer_after: seconds after which an answer is deferred.
    """

    client: discord.Client
    sessions: Sessions
    outbox: OutboxWorker
    server_language: Callable[[int], Awaitable[Language]]
    defer_after: float = DEFER_AFTER

    async def private_language(self, interaction: Interaction) -> Language:
        """The language of what only this person sees: the one they have chosen, else that of their Discord."""
        settings = await self.sessions.users.settings(interaction.user.id)
        return language(settings.language or str(interaction.locale))

    @asynccontextmanager
    async def answer(
        self, interaction: Interaction, *, update: bool = False, public: bool = False, silent: bool = False
    ) -> AsyncIterator["Context"]:
        """Answer an interaction. Whatever goes wrong in the block is told to the person, privately; nothing else is lost."""
        async with answering(interaction, update=update, public=public, silent=silent, defer_after=self.defer_after) as reply:
            context = Context(self, interaction, reply, language(str(interaction.locale)), PersonSettings())
            try:
                settings = await self.sessions.users.settings(interaction.user.id)
                if settings.language is not None:
                    context = replace(context, language=language(settings.language))
                context = replace(context, settings=settings)
                yield context
            except Answered:
                pass
            except SessionError as error:
                await context.complain(context.language(error.text, tuple(escaped(name) for name in error.names)))
            except Exception:
                incident = secrets.token_hex(4)
                log.exception("unexpected error", incident=incident, interaction=interaction.id)
                await context.complain(
                    context.language(
                        say(
                            "Something went wrong on our side, and has been noted as {incident}. "
                            "The game is as the newest board shows it.",
                            incident=incident,
                        )
                    )
                )
                self.outbox.wake()  # what was committed before that has still to be shown


@dataclass(frozen=True, slots=True)
class Context:
    """One person's visit: the interaction, the reply to it, their language, and what they chose for themselves."""

    responder: Responder
    interaction: Interaction
    reply: Reply
    language: Language
    settings: PersonSettings

    @property
    def sessions(self) -> Sessions:
        """What may be done to tables."""
        return self.responder.sessions

    @property
    def user(self) -> User:
        """The person."""
        return person(self.interaction.user)

    @property
    def guild_id(self) -> int:
        """The server. Every command and button of the bot is for servers only."""
        assert self.interaction.guild_id is not None
        return self.interaction.guild_id

    async def snapshot(self, table_id: int) -> Snapshot:
        """A table of this server that the person may look at. Raises NoSuchTable; nobody learns of private ones."""
        snapshot = await self.sessions.snapshot(table_id, self.guild_id)
        if not (snapshot.open_to(self.user.id) or self.interaction.permissions.manage_guild):
            raise NoSuchTable(say("There is no table #{n} here.", n=table_id))
        return snapshot

    def perspective(self, seat: int | None) -> Perspective:
        """How this person looks at a game from a seat (None: as a spectator), with the board turned towards them."""
        contrast = self.settings.high_contrast
        return Perspective(seat=seat, side=seat or 0, language=self.language, high_contrast=contrast)

    async def public_language(self) -> Language:
        """The language of this server's public texts."""
        return await self.responder.server_language(self.guild_id)

    async def tell(self, words: str) -> None:
        """Say something privately."""
        await self.reply.followup(MessageBuilder().text(words))

    async def complain(self, words: str) -> None:
        """Say privately what went wrong."""
        await self.reply.followup(MessageBuilder(colour=ERROR_COLOUR).text(words))

    async def deliver(self, table_id: int) -> None:
        """Bring the table's messages up to date, after the answer has been given; say what stands in the way, if anything."""
        trouble = await self.responder.outbox.deliver(table_id)
        if trouble is not None:
            await self.complain(self.language(trouble))


def responder_of(interaction: Interaction) -> Responder:
    """The responder of the client that an interaction came to."""
    responder: Responder = interaction.client.responder
    return responder


def respond(
    interaction: Interaction, *, update: bool = False, public: bool = False, silent: bool = False
) -> AbstractAsyncContextManager[Context]:
    """Answer an interaction: see `Responder.answer`."""
    return responder_of(interaction).answer(interaction, update=update, public=public, silent=silent)


def person(user: discord.User | discord.Member) -> User:
    """Somebody of Discord as the service knows them."""
    return User(user.id, user.display_name)


def people(members: Sequence[discord.User | discord.Member | None]) -> list[User]:
    """Those who were named, in order."""
    return [person(member) for member in members if member is not None]
