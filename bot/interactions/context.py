"""The context of every command and click: the core, the outbox, the user, and the answer."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Unpack

import discord
import structlog

from bot.core.core import Core
from bot.core.direct import Direct
from bot.core.people import Users
from bot.core.table.errors import NoSuchTable, Quarantined, Refused, SessionError, TermsChanged
from bot.core.table.settings import PersonSettings
from bot.core.table.snapshot import Snapshot, User
from bot.i18n.language import Language, ServerLanguage, language
from bot.interactions.following import Following
from bot.interactions.panels import Panels
from bot.interactions.reply import DEFER_AFTER, Interaction, Manner, Reply, answering
from bot.invitation import invitation_link
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, clip, escape_name, link_button, printable
from bot.messages.form import entered
from bot.messages.lobby import terms_message
from bot.messages.pictures import Perspective
from bot.outbox.worker import OutboxWorker
from bot.runtime.outage import outages
from engines.text import say
from storage.schema.errors import Unreachable
from storage.schema.jobs import question_key
from storage.schema.records import JobKind, Person

NAME_LIMIT: Final = 100
"""The longest name that is stored, in characters. Discord allows 32."""


class Absent(Refused):
    """Only the bot's commands were added to the server, but not the bot. `link` leads to a page that adds the bot."""

    def __init__(self, link: str) -> None:
        super().__init__(
            say(
                "Only my commands were added to this server, not me, so nobody would see a game here. A server manager "
                "can add me with this button. Then try again."
            )
        )
        self.link = link


class Answered(Exception):
    """Ends the handling of an interaction that has already been answered, perhaps by asking the user a question."""


log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Responder:
    """Answers interactions on behalf of a client.

    Attributes:
        outbox: brings boards to the channels.
        server_language: returns the language of a server's public texts.
        is_absent: whether a server, given by its id, certainly does not have the bot.
        defer_after: the seconds after which an answer is deferred.
        panels: remembers the panels that people were shown.
        following: turns private messages that wait for computers into what comes next.
        reviews: turns private messages that wait for a review into that review.
    """

    client: discord.Client
    core: Core
    outbox: OutboxWorker
    server_language: ServerLanguage
    is_absent: Callable[[int], bool]
    defer_after: float = DEFER_AFTER
    panels: Panels = field(default_factory=Panels)
    following: Following = field(default_factory=Following)
    reviews: Following = field(default_factory=Following)

    async def private_language(self, interaction: Interaction, snapshot: Snapshot | None = None) -> Language:
        """Return the language of texts that only the user sees: their choice, as read with the snapshot, or the client's."""
        user_id = interaction.user.id
        settings = await self.core.service(Users).settings(user_id) if snapshot is None else snapshot.settings_of(user_id)
        return language(settings.language or str(interaction.locale))

    async def _with_settings(self, context: "Context", table_id: int) -> "Context":
        """Return the context with the user's settings, which are read with the table, or unchanged if they cannot be read."""
        person = None
        try:
            if table_id:
                with suppress(SessionError):  # raised again, in the user's language, when the table is asked for
                    person = (await context.snapshot(table_id)).known.get(context.user.id, Person(user_id=context.user.id))
            if person is None:
                person = await self.core.service(Users).person(context.user.id)
        except Unreachable as error:
            outages.note(error)
            return context
        except Exception:
            log.exception("settings not read", interaction=context.interaction.id)
            return context
        settings, closed = PersonSettings.of(person), person.direct_closed is not None and person.direct_told is None
        own = context.language if settings.language is None else language(settings.language)
        return replace(context, settings=settings, language=own, closed=closed)

    async def _tell_closed(self, context: "Context") -> None:
        """Tell a person once, after their click was answered, that they accept no direct messages from the bot."""
        if context.closed and not context.reply.lost and await self.core.service(Direct).note_told(context.user.id):
            text = say(
                "I can’t DM you: you don’t accept messages from me. Allow them in your privacy settings for this server, then "
                "save *Reminders* in `/settings` again. Until then I’ll remind you in the channel, and I can’t tell you "
                "anything that’s for you alone."
            )
            await context.tell(context.language(text))

    @asynccontextmanager
    async def answer(
        self, interaction: Interaction, *, table_id: int = 0, **manner: Unpack[Manner]
    ) -> AsyncIterator["Context"]:
        """Answer an interaction in the block, and tell the user privately about any error. `table_id` is 0 for no table."""
        waiting = answering(interaction, defer_after=self.defer_after, panels=self.panels, **manner)
        with self.core.shares.of(interaction.user.id):
            async with waiting as reply:
                context = Context(
                    self, interaction, reply, language(str(interaction.locale)), PersonSettings(), person(interaction.user)
                )
                try:
                    context = await self._with_settings(context, table_id)
                    yield context
                    await self._tell_closed(context)
                except Answered:
                    pass
                except SessionError as error:
                    await context.refuse(error)
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
                                "Sorry, something went wrong on my side (logged as {incident}). The newest board shows "
                                "how the game stands.",
                                incident=incident,
                            )
                        )
                    )
                    self.outbox.wake()  # changes that were committed before the error still have to be shown


@dataclass(frozen=True, slots=True)
class Context:
    """An interaction that is being handled.

    Attributes:
        reply: the answer to the interaction.
        language: the language of texts for the user.
        closed: whether the user accepts no direct messages, and has not been told yet that the bot knows.
    """

    responder: Responder
    interaction: Interaction
    reply: Reply
    language: Language
    settings: PersonSettings
    user: User
    closed: bool = False
    _tables: dict[int, Snapshot] = field(default_factory=dict)
    """The tables that have been read so far, by number."""

    @property
    def core(self) -> Core:
        """The core of the responder."""
        return self.responder.core

    @property
    def guild_id(self) -> int:
        """The server's id. Raises Refused in a direct message, and Absent on a server that does not have the bot."""
        guild_id = self.interaction.guild_id
        if guild_id is None:
            raise Refused(say("Games are played on a server. Try again there."))
        if self.responder.is_absent(guild_id):
            raise Absent(invitation_link(self.interaction.application_id, guild_id))
        return guild_id

    def entered_text(self, custom_id: str) -> str:
        """Return the text entered into a field of a form, or an empty string if the form has no such field."""
        data: Mapping[str, Any] = self.interaction.data or {}
        return next(("".join(values) for name, values in entered(data.get("components", [])) if name == custom_id), "")

    async def snapshot(self, table_id: int) -> Snapshot:
        """Return a table as it was first read for this interaction. Raises as `fresh` does."""
        return self._tables[table_id] if table_id in self._tables else await self.fresh(table_id)

    async def fresh(self, table_id: int) -> Snapshot:
        """Return the table as it is now; managers see any. Raises NoSuchTable (also if closed to the user) or Quarantined."""
        user_id, manages = self.interaction.user.id, self.interaction.permissions.manage_guild
        try:
            snapshot = await self.core.snapshot(table_id, self.guild_id, user_id)
        except Quarantined as error:
            if manages or error.may_be_told(user_id):
                raise
            raise NoSuchTable(table_id) from error
        if not (manages or snapshot.open_to(user_id)):
            raise NoSuchTable(table_id)
        self._tables[table_id] = snapshot
        return snapshot

    def perspective(self, seat: int | None) -> Perspective:
        """Return the user's perspective from a seat, or a spectator's if None, with the board turned as the user wants it."""
        side = seat if self.settings.turn_board and seat is not None else 0
        return Perspective(seat=seat, side=side, language=self.language, high_contrast=self.settings.high_contrast)

    async def public_language(self, snapshot: Snapshot | None = None) -> Language:
        """Return the language of this server's public texts. A snapshot of one of its tables saves a query."""
        if snapshot is not None and snapshot.server is not None:
            return language(snapshot.server_settings.language)
        return await self.responder.server_language(self.guild_id)

    async def tell(self, words: str) -> None:
        """Send the user a private message."""
        await self.reply.followup(MessageBuilder().text(words))

    async def complain(self, words: str) -> None:
        """Send the user a private message about an error."""
        await self.reply.followup(MessageBuilder(colour=ERROR_COLOUR).text(words))

    async def refuse(self, error: SessionError) -> None:
        """Tell the user privately why something can't be done, and offer the current terms or a button that adds the bot."""
        if isinstance(error, TermsChanged):
            with suppress(SessionError, Unreachable):
                snapshot = await self.fresh(error.table_id)
                return await self.reply.followup(terms_message(snapshot, self.user.id, self.language))
        if isinstance(error, Absent):
            add = link_button(self.language(say("Add me to this server")), error.link)
            return await self.reply.followup(MessageBuilder(colour=ERROR_COLOUR).text(self.language(error.text)).buttons([add]))
        return await self.complain(self.language(error.text, tuple(escape_name(name) for name in error.names)))

    @asynccontextmanager
    async def delivering(self, table_id: int, *, answered: JobKind | None = None, key: str = "") -> AsyncIterator[None]:
        """Update a table's messages while the block answers the interaction. Neither waits for the other.

        The user is told if Discord refuses. If `answered` is given, the answer does the work of the job of this kind and key,
        unless the answer is lost.
        """
        outbox = self.responder.outbox
        with outbox.answering(table_id, answered, key):
            delivery = outbox.deliver_soon(table_id)
            yield
            if answered is not None and not self.reply.lost:
                await outbox.drop_answered(table_id, answered, key)
        if (trouble := await asyncio.shield(delivery)) is not None:
            await self.complain(self.language(trouble))
        if answered is not None and self.reply.lost:
            await self.deliver(table_id)

    def settling(self, table_id: int) -> AbstractAsyncContextManager[None]:
        """Update a table's messages as `delivering` does, when the answer replaces the question that was clicked on."""
        message = self.interaction.message
        assert message is not None, "a question is answered by a click"
        return self.delivering(table_id, answered=JobKind.RETIRE, key=question_key(message.id))

    async def deliver(self, table_id: int) -> None:
        """Update a table's messages after the interaction has been answered. The user is told if Discord refuses."""
        if (trouble := await self.responder.outbox.deliver(table_id)) is not None:
            await self.complain(self.language(trouble))


def responder_of(interaction: Interaction) -> Responder:
    """Return the responder of the client that received an interaction."""
    responder: Responder = interaction.client.responder
    return responder


def respond(interaction: Interaction, **manner: Unpack[Manner]) -> AbstractAsyncContextManager[Context]:
    """Answer an interaction with the responder of its client. See `Responder.answer`."""
    return responder_of(interaction).answer(interaction, **manner)


def person(user: discord.User | discord.Member) -> User:
    """Return a Discord user in the form that the core uses."""
    return User(user.id, clip(" ".join(printable(user.display_name).split()) or "…", NAME_LIMIT))


def people(members: Sequence[discord.User | discord.Member | None]) -> list[User]:
    """Return the users that were named, in order. None, which stands for an empty option, is skipped."""
    return [person(member) for member in members if member is not None]
