"""Access: the client, the core and the language of a server, which all outbox jobs need.

It finds messages that the bot has already sent, before they are sent again. Discord does not post the same nonce twice within
some minutes; later, only the channel's history tells whether a message was posted, by its mark (`bot.messages.marks`).

A message that pings is created plainly, for the lock screen, and a second call makes it a layout (`bot.messages.notification`).
If that call fails, the next attempt finds the message and repeats it: nothing is created twice.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, TypeAlias

import aiohttp
import discord
import structlog

from bot.core.core import Core
from bot.core.direct import Closed, Direct
from bot.core.jobs import Shown
from bot.core.people import Users
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language, ServerLanguage, language
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.marks import all_components, has_mark, mark, marks_of
from bot.outbox.files import KeptFile, files_shown
from bot.outbox.permissions import UNKNOWN_MESSAGE
from bot.runtime.cache import Cache
from engines.text import Text
from storage.schema.records import Job, JobKind

Channel: TypeAlias = discord.abc.Messageable
Mentions: TypeAlias = discord.AllowedMentions

LostConnection: Final = (aiohttp.ClientError, TimeoutError, OSError)
"""The exceptions of a lost connection; discord.py passes them on unchanged."""

SERVER_ERROR: Final = 500
"""The lowest status of a failure of Discord's own. The request may still have been carried out."""

TOO_MANY: Final = 429
"""The status of a request that Discord rations."""

TOO_FAST: Final = 40003
"""The code with which Discord refuses to open more direct conversations for now; its status is a refusal's."""

TOO_FAST_WAIT: Final = 600.0
"""Seconds until it is asked again."""

CLOSED: Final = frozenset({50007, 50278})
"""The codes with which Discord refuses direct messages to a person who takes none, or shares no server with the bot."""

Handler = Callable[[Snapshot, Job], Awaitable[Shown | None]]
"""Carries out jobs of one kind. Returns what to record. Raises GivenUp, or Discord's error."""


class GivenUp(Exception):
    """A job is dropped undone. `text` says why, if anything, to the person whose click it followed."""

    def __init__(self, text: Text | None) -> None:
        super().__init__(text)
        self.text = text


class Later(Exception):
    """A job has to wait some seconds, though nothing has failed, and nothing else has to wait with it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


MOST_DOUBTS: Final = 4096
"""The most jobs remembered whose last attempt may have reached Discord."""

MOST_FILES: Final = 16_384
"""The most messages whose files are remembered."""

SHARED_ONCE_IN: Final = 3600.0
"""Seconds within which the same thing is shared only once in a channel, however often somebody presses."""

MARGIN: Final = 300.0
"""Seconds by which the machine's clock may be ahead of Discord's."""

LOOKED_AT: Final = 200
"""How many messages since a job was created are looked at; in a busy channel the newest as well."""

NEWEST: Final = 100

_JobKey = tuple[str, JobKind, str]

log = structlog.get_logger(__name__)


class Access:
    """The way to Discord and to the core. `server_language` returns the language of a server's public texts."""

    def __init__(self, client: discord.Client, core: Core, server_language: ServerLanguage) -> None:
        self.client = client
        self.core = core
        self._server_language = server_language
        self._began: float | None = None
        self._doubtful: dict[_JobKey, discord.Message | None] = {}
        self._files = Cache[int, tuple[KeptFile, ...]](MOST_FILES, lambda _: 1)

    @property
    def own_id(self) -> int:
        """The bot's own user id."""
        assert self.client.user is not None, "the client is logged in"
        return self.client.user.id

    def place(self, snapshot: Snapshot) -> discord.PartialMessageable:
        """The channel or thread where a table is played."""
        table = snapshot.table
        return self.client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)

    def message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        """A message by its ids, without asking Discord."""
        assert channel_id is not None
        assert message_id is not None
        return self.client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def send(
        self, channel: Channel, job: Job, builder: MessageBuilder, nonce: str, mentions: Mentions, *, silent: bool = False
    ) -> discord.Message:
        """Send a job's message, unless it was sent before. Returns the message."""
        found = await self._sent(channel, job, builder, nonce)
        if found is None:
            return await self.post(channel, job, builder, nonce, mentions, silent=silent)
        await self._lay_out_if_there(found, job, builder, mentions, nonce)
        return found

    async def post(
        self, channel: Channel, job: Job, builder: MessageBuilder, nonce: str, mentions: Mentions, *, silent: bool = False
    ) -> discord.Message:
        """Send a message with its mark, loudly or not; if Discord remembers its nonce, return the earlier one instead."""
        message = await self.create(channel, builder, nonce, mentions, silent=silent)
        await self._lay_out_if_there(message, job, builder, mentions, nonce)
        return message

    async def _lay_out_if_there(
        self, message: discord.Message, job: Job, builder: MessageBuilder, mentions: Mentions, nonce: str
    ) -> None:
        """Make a plain message a layout, unless somebody has deleted it: it has pinged, and is not posted again."""
        try:
            await self.lay_out(message, job, builder, mentions, nonce)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise

    async def create(
        self, channel: Channel, builder: MessageBuilder, nonce: str, mentions: Mentions, *, silent: bool = False
    ) -> discord.Message:
        """Create a message as `post` does, by one call. One that pings is plain, and may still have to be laid out."""
        builder.mark = mark(nonce) if builder.mark is None else builder.mark
        if builder.notification is None:
            message = await channel.send(
                view=builder.layout(), files=builder.files(), nonce=nonce, allowed_mentions=mentions, silent=silent
            )  # fmt: skip
        else:
            message = await channel.send(
                builder.content(self.core.now()), view=builder.plain_view(), nonce=nonce, allowed_mentions=mentions,
                suppress_embeds=True, silent=silent,
            )  # fmt: skip
        self.core.discord.note(message.id)
        self._remember_files(message)
        return message

    async def lay_out(
        self, message: discord.Message, job: Job, builder: MessageBuilder, mentions: Mentions, nonce: str
    ) -> None:
        """Make a plain message a layout, unless it stays plain or is one. On failure, it is remembered for the next attempt."""
        if builder.notification is None or builder.stays_plain or message.flags.components_v2:
            return
        builder.mark = mark(nonce) if builder.mark is None else builder.mark
        self.doubt(job, message)
        await self.edit(message, builder, mentions)

    async def edit(
        self,
        message: discord.Message | discord.PartialMessage,
        builder: MessageBuilder,
        mentions: Mentions = NOBODY,
        *,
        keeps: Sequence[KeptFile] = (),
    ) -> None:
        """Have a message show the builder's layout, even if it was plain text.

        An edit pings nobody, but removes the message from the inbox of everybody not in `mentions`. `keeps` are the files that
        it goes on showing; otherwise the builder's are uploaded.
        """
        self._files.drop(message.id)  # an edit that seems to fail may have changed them
        files: Any = [*keeps] if keeps else builder.files()
        edited = await message.edit(content=None, view=builder.layout(), attachments=files, allowed_mentions=mentions)
        self._remember_files(edited)

    def files_of(self, message_id: int) -> tuple[KeptFile, ...] | None:
        """The files that a message shows, or None if unknown."""
        return self._files.get(message_id)

    def _remember_files(self, message: discord.Message) -> None:
        """Remember the files of a message that Discord has returned. A plain message has none until it is laid out."""
        if message.flags.components_v2:
            self._files.keep(message.id, files_shown(message))

    async def _sent(self, channel: Channel, job: Job, builder: MessageBuilder, nonce: str) -> discord.Message | None:
        """Return the message that an earlier attempt has created, by its mark (another is another question), or None."""
        if not self.in_doubt(job):
            return None
        known = self.created(job)
        sent = [known] if known is not None else await own_messages(self.client, channel, job.created_at)
        return next(
            (one for one in sent if has_mark(one, nonce) or (not marks_of(one) and builder.stands_in(one))), None
        )  # fmt: skip

    def begin(self) -> None:
        """Remember when this process began to carry out jobs. Later calls change nothing."""
        if self._began is None:
            self._began = self.core.now()

    def in_doubt(self, job: Job) -> bool:
        """Whether Discord may have done a job already: an attempt failed on the way, or an earlier process began it."""
        return _key(job) in self._doubtful or self._began is None or job.created_at < self._began

    def doubt(self, job: Job, message: discord.Message | None = None) -> None:
        """Remember that a job's last attempt may have reached Discord, or has certainly created `message`."""
        self._doubtful[_key(job)] = message or self._doubtful.get(_key(job))
        while len(self._doubtful) > MOST_DOUBTS:
            del self._doubtful[next(iter(self._doubtful))]

    def created(self, job: Job) -> discord.Message | None:
        """The message that an earlier attempt of a job has certainly created, as it was then, or None."""
        return self._doubtful.get(_key(job))

    def forget_doubt(self, job: Job) -> None:
        """Forget that a job was in doubt: it is done, or dropped."""
        self._doubtful.pop(_key(job), None)

    def language(self, snapshot: Snapshot) -> Language:
        """The language of a table's public texts."""
        return language(snapshot.server_settings.language)

    async def write_to(
        self, user_id: int, job: Job, builder: MessageBuilder, nonce: str, *, silent: bool = False, urgent: bool = False
    ) -> discord.Message | None:
        """Send a person a job's direct message, unless it was sent before. Returns None if they do not get it.

        Nothing may depend on it: many people accept no direct messages. Raises Later if the bot has just first written to too
        many people, and errors that are no refusal. An `urgent` message is better said elsewhere than rationed.
        """
        try:
            if wait := await self.core.service(Direct).reserve(user_id, job.guild_id):
                raise Later(wait)
            direct = await self.client.create_dm(discord.Object(user_id))
            return await self.send(direct, job, builder, nonce, NOBODY, silent=silent)
        except Closed:
            return None
        except discord.HTTPException as error:
            if error.code == TOO_FAST:
                raise Later(TOO_FAST_WAIT) from error
            if error.status >= SERVER_ERROR or (error.status == TOO_MANY and not urgent):
                raise  # it may have been sent, or may be sent later, and is tried again
            if error.code in CLOSED:
                await self.core.service(Direct).note_closed(user_id)
            log.info("direct message not delivered", server=job.guild_id, subject=job.subject, code=error.code)
            return None

    async def language_for(self, user_id: int, guild_id: int) -> Language:
        """The language of texts that only this person sees: their choice, or else the server's."""
        settings = await self.core.service(Users).settings(user_id)
        return language(settings.language) if settings.language else await self.language_of(guild_id)

    def server_name(self, guild_id: int) -> str:
        """A server's name, for direct messages about it."""
        guild = self.client.get_guild(guild_id)
        return "…" if guild is None else guild.name

    async def language_of(self, guild_id: int | None) -> Language:
        """The language of public texts on a server, or None for an unknown one."""
        return await self._server_language(guild_id or 0)


def _key(job: Job) -> _JobKey:
    return f"{job.guild_id} {job.subject}", job.kind, job.key


# --- messages that were sent ----------------------------------------------------------------------------------------------


def shown_texts(message: discord.Message) -> list[str]:
    """Return the texts of a message, from top to bottom."""
    return [part.content for part in all_components(message.components) if isinstance(part, discord.TextDisplay)]


async def own_messages(client: discord.Client, channel: Channel, since: float) -> list[discord.Message]:
    """Return the bot's messages in a channel since a moment, oldest first; none if it may not read the channel's history."""
    moment = datetime.fromtimestamp(max(since - MARGIN, discord.utils.DISCORD_EPOCH / 1000), UTC)
    after = discord.Object(discord.utils.time_snowflake(moment))
    try:
        found = [message async for message in channel.history(limit=LOOKED_AT, after=after, oldest_first=True)]
        if len(found) == LOOKED_AT:
            known = {message.id for message in found}
            newest = [message async for message in channel.history(limit=NEWEST) if message.id not in known]
            found += reversed(newest)
    except (discord.Forbidden, discord.NotFound):
        return []
    assert client.user is not None, "the bot is logged in while it works"
    return [message for message in found if message.author.id == client.user.id]


async def find_sent(client: discord.Client, channel: Channel, nonce: str, since: float) -> discord.Message | None:
    """Return the bot's message with a nonce since a moment, or None, also if it may not read the channel's history."""
    sent = await own_messages(client, channel, since)
    return next((message for message in sent if has_mark(message, nonce)), None)


def shared_nonce(table_id: int, version: int, channel_id: int, page: int | None = None, *, card: bool = False) -> str:
    """Return the nonce (at most 25 characters) of a shared replay, card or page, equal for the same in the same channel."""
    what = f"{table_id}-{version}-{channel_id}" + ("" if page is None else f"-{page}") + ("-card" if card else "")
    return f"s{sha256(what.encode()).hexdigest()[:20]}"
