"""What every command and every button works with: the service, the outbox, and the user."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Unpack

import discord
import structlog

from bot.i18n.language import Language, ServerLanguage, language
from bot.interactions.reply import DEFER_AFTER, Interaction, Manner, Reply, answering
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, clipped, escaped, printable
from bot.messages.perspective import Perspective
from bot.outage import outages
from bot.outbox.worker import OutboxWorker
from bot.sessions import Sessions, Snapshot, User
from bot.sessions.errors import Refused, SessionError, SetAside
from bot.sessions.privacy import no_such_table
from bot.sessions.settings import PersonSettings
from engines.text import Text, say
from storage.errors import Unreachable
from storage.records import JobKind

NAME_LIMIT: Final = 100
"""The longest name that is kept, in characters. Discord allows 32."""


class Answered(Exception):
    """Ends the handling of an interaction that has already been answered, for example with a question to the user."""


log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Responder:
    """Answers interactions on behalf of a client.

    Attributes:
        client: the connection to Discord.
        sessions: the service.
        outbox: brings the boards to the channels.
        server_language: returns the language of a server's public texts.
        defer_after: seconds after which an answer is deferred.
    """

    client: discord.Client
    sessions: Sessions
    outbox: OutboxWorker
    server_language: ServerLanguage
    defer_after: float = DEFER_AFTER

    async def private_language(self, interaction: Interaction, snapshot: Snapshot | None = None) -> Language:
        """The language of texts that only this user sees: the one they have chosen, otherwise that of their Discord client.

        A table that was read for the user brings their settings along.
        """
        user_id = interaction.user.id
        settings = await self.sessions.users.settings(user_id) if snapshot is None else snapshot.settings_of(user_id)
        return language(settings.language or str(interaction.locale))

    async def _as_wanted(self, context: "Context", table_id: int) -> "Context":
        """The context with the user's own settings; if they cannot be read, what needs no database can still be done."""
        try:
            settings = await self._settings(context, table_id)
        except Unreachable as error:
            outages.note(error)
            return context
        except Exception:
            log.exception("settings not read", interaction=context.interaction.id)
            return context
        own = context.language if settings.language is None else language(settings.language)
        return replace(context, settings=settings, language=own)

    async def _settings(self, context: "Context", table_id: int) -> PersonSettings:
        """The user's settings. They come with the table that the interaction is about, if there is one."""
        if table_id:
            with suppress(SessionError):  # it is raised again, and told in the user's language, when the table is asked for
                return (await context.snapshot(table_id)).settings_of(context.user.id)
        return await self.sessions.users.settings(context.user.id)

    @asynccontextmanager
    async def answer(
        self, interaction: Interaction, *, table_id: int = 0, **manner: Unpack[Manner]
    ) -> AsyncIterator["Context"]:
        """Answer an interaction in the block. An error in the block is reported to the user privately, and goes no further.

        Args:
            interaction: the interaction.
            table_id: the table that it is about, to be read with the user's settings; 0: none, or not known yet.
            manner: how it is answered.
        """
        async with answering(interaction, defer_after=self.defer_after, **manner) as reply:
            context = Context(self, interaction, reply, language(str(interaction.locale)), PersonSettings())
            try:
                context = await self._as_wanted(context, table_id)
                yield context
            except Answered:
                pass
            except SessionError as error:
                await context.complain(context.language(error.text, tuple(escaped(name) for name in error.names)))
            except Unreachable as error:
                outages.note(error)
                text = say("I can’t reach my memory right now. Nothing is lost. Try again in a minute.")
                await context.complain(context.language(text))
            except Exception:
                incident = secrets.token_hex(4)
                log.exception("unexpected error", incident=incident, interaction=interaction.id)
                await context.complain(
                    context.language(
                        say(
                            "Sorry, something went wrong on our side (noted as {incident}). The newest board shows "
                            "where the game stands.",
                            incident=incident,
                        )
                    )
                )
                self.outbox.wake()  # what was committed before the error still has to be shown


@dataclass(frozen=True, slots=True)
class Context:
    """An interaction that is being handled.

    Attributes:
        responder: the responder that answers it.
        interaction: the interaction.
        reply: the answer to it.
        language: the language of texts to the user.
        settings: the settings of the user.
    """

    responder: Responder
    interaction: Interaction
    reply: Reply
    language: Language
    settings: PersonSettings
    _tables: dict[int, Snapshot] = field(default_factory=dict)
    """The tables that have been read for it."""

    @property
    def sessions(self) -> Sessions:
        """The service."""
        return self.responder.sessions

    @property
    def user(self) -> User:
        """The user."""
        return person(self.interaction.user)

    @property
    def guild_id(self) -> int:
        """The id of the server. Raises Refused in a direct message: all commands and buttons of the bot are for servers."""
        if self.interaction.guild_id is None:
            raise Refused(say("Games are played on a server. Try that again over there."))
        return self.interaction.guild_id

    def entered(self, custom_id: str) -> str:
        """What the user has entered into this field of a form; nothing if the form has no such field."""
        data: Mapping[str, Any] = self.interaction.data or {}
        return next((value for name, value in _fields(data.get("components", [])) if name == custom_id), "")

    async def snapshot(self, table_id: int) -> Snapshot:
        """A table of this server that the user may look at, as it was when it was first asked for in this interaction.

        Raises NoSuchTable, also for private tables, whose existence nobody else learns of.
        """
        return self._tables[table_id] if table_id in self._tables else await self.fresh(table_id)

    async def fresh(self, table_id: int) -> Snapshot:
        """The same as it is now, when it has become known that it has changed."""
        with self._discreet(table_id):
            snapshot = await self.sessions.snapshot(table_id, self.guild_id, self.interaction.user.id)
        self._require_open(snapshot)
        self._tables[table_id] = snapshot
        return snapshot

    def _require_open(self, snapshot: Snapshot) -> None:
        """Raise NoSuchTable unless the user may look at the table. Who manages the server may, and sees what spectators see."""
        if not (snapshot.open_to(self.user.id) or self.interaction.permissions.manage_guild):
            raise no_such_table(snapshot.table.id)

    @contextmanager
    def _discreet(self, table_id: int) -> Iterator[None]:
        """Raise NoSuchTable in place of SetAside for a private table that the user may not know of."""
        try:
            yield
        except SetAside as error:
            if error.may_be_told(self.user.id) or self.interaction.permissions.manage_guild:
                raise
            raise no_such_table(table_id) from error

    def perspective(self, seat: int | None) -> Perspective:
        """The user's perspective on a game from a seat (None: a spectator's), with the board turned as they want it."""
        side = seat if self.settings.turn_board and seat is not None else 0
        return Perspective(seat=seat, side=side, language=self.language, high_contrast=self.settings.high_contrast)

    async def public_language(self, snapshot: Snapshot | None = None) -> Language:
        """The language of this server's public texts, which a table of it may bring along."""
        if snapshot is not None and snapshot.server is not None:
            return language(snapshot.server_settings.language)
        return await self.responder.server_language(self.guild_id)

    async def tell(self, words: str) -> None:
        """Send the user a private message."""
        await self.reply.followup(MessageBuilder().text(words))

    async def complain(self, words: str) -> None:
        """Send the user a private message about an error."""
        await self.reply.followup(MessageBuilder(colour=ERROR_COLOUR).text(words))

    @asynccontextmanager
    async def delivering(self, table_id: int, *, answered: JobKind | None = None) -> AsyncIterator[None]:
        """Update the messages of a table while the interaction is answered in the block: neither waits for the other.

        Tells the user if Discord refuses. `answered` is the kind of jobs that the answer itself does, unless it is lost.
        """
        outbox = self.responder.outbox
        async with outbox.answering(table_id, answered):
            delivery = outbox.deliver_soon(table_id)
            yield
            if answered is not None and not self.reply.lost:
                await outbox.shown(table_id, answered)
        await self._tell_trouble(await asyncio.shield(delivery))
        if answered is not None and self.reply.lost:
            await self.deliver(table_id)

    async def deliver(self, table_id: int) -> None:
        """Update the messages of a table, once the interaction has been answered. Tells the user if Discord refuses."""
        await self._tell_trouble(await self.responder.outbox.deliver(table_id))

    async def _tell_trouble(self, trouble: Text | None) -> None:
        if trouble is not None:
            await self.complain(self.language(trouble))


def _fields(components: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The text fields of a form that was sent: their custom_ids and what was entered."""
    for component in components:
        if isinstance(component.get("value"), str):
            yield str(component.get("custom_id", "")), component["value"]
        inner = component.get("component")
        yield from _fields([*component.get("components", []), *([] if inner is None else [inner])])


def responder_of(interaction: Interaction) -> Responder:
    """The responder of the client that received an interaction."""
    responder: Responder = interaction.client.responder
    return responder


def respond(interaction: Interaction, **manner: Unpack[Manner]) -> AbstractAsyncContextManager[Context]:
    """Answer an interaction: see `Responder.answer`."""
    return responder_of(interaction).answer(interaction, **manner)


def person(user: discord.User | discord.Member) -> User:
    """A Discord user, in the form that the service uses."""
    return User(user.id, clipped(" ".join(printable(user.display_name).split()) or "…", NAME_LIMIT))


def people(members: Sequence[discord.User | discord.Member | None]) -> list[User]:
    """The users that were named, in order. None stands for an option that was left empty and is skipped."""
    return [person(member) for member in members if member is not None]
