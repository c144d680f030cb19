"""What all outbox jobs need: access to the client, to the core, and to a server's language.

Before a message is sent again, `Access` looks for one that the bot has already sent. For some minutes, Discord does not post
the same nonce twice. Later, only the channel's history tells whether a message was posted, by its mark (`bot.messages.marks`).

A message that pings is created plainly, for the lock screen, and a second call makes it a layout (`bot.messages.notification`).
If the second call fails, the next attempt finds the message and repeats only that call, so nothing is created twice.
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
"""The exceptions of a lost connection, which discord.py passes on unchanged."""

SERVER_ERROR: Final = 500
"""The lowest status with which Discord reports a failure of its own. The request may have been carried out in spite of it."""

TOO_MANY: Final = 429
"""The status with which Discord refuses a request because there were too many."""

TOO_FAST: Final = 40003
"""The code with which Discord refuses to open more direct conversations for now. Its status is that of a lasting refusal."""

TOO_FAST_WAIT: Final = 600.0
"""Seconds until Discord is asked again for a direct conversation that it has refused."""

CLOSED: Final = frozenset({50007, 50278})
"""The codes with which Discord refuses direct messages to a person who accepts none, or shares no server with the bot."""

Handler = Callable[[Snapshot, Job], Awaitable[Shown | None]]
"""Carries out jobs of one kind. Returns what to record. Raises GivenUp, or Discord's error."""


class GivenUp(Exception):
    """A job is dropped without being done. `text` says why, if anything, to the person whose click led to it."""

    def __init__(self, text: Text | None) -> None:
        super().__init__(text)
        self.text = text


class Later(Exception):
    """A job has to wait some seconds, though nothing has failed. No other job has to wait with it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


MOST_DOUBTS: Final = 4096
"""The most jobs that are remembered because their last attempt may have reached Discord."""

MOST_FILES: Final = 16_384
"""The most messages whose files are remembered."""

SHARED_ONCE_IN: Final = 3600.0
"""Seconds within which the same thing is shared only once in a channel, however often people press the button."""

MARGIN: Final = 300.0
"""Seconds by which the machine's clock may be ahead of Discord's."""

LOOKED_AT: Final = 200
"""How many messages are searched, from a job's creation on. If a channel has more, the newest are searched as well."""

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
        """Return the channel or thread where a table is played."""
        table = snapshot.table
        return self.client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)

    def message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        """Return a message by its ids, without asking Discord."""
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
        """Send a message with its mark, without sound if `silent`. If Discord knows its nonce, return the earlier message."""
        message = await self.create(channel, builder, nonce, mentions, silent=silent)
        await self._lay_out_if_there(message, job, builder, mentions, nonce)
        return message

    async def _lay_out_if_there(
        self, message: discord.Message, job: Job, builder: MessageBuilder, mentions: Mentions, nonce: str
    ) -> None:
        """Make a plain message a layout. If somebody has deleted it, it is not posted again, since it has already pinged."""
        try:
            await self.lay_out(message, job, builder, mentions, nonce)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise

    async def create(
        self, channel: Channel, builder: MessageBuilder, nonce: str, mentions: Mentions, *, silent: bool = False
    ) -> discord.Message:
        """Create a message with a single call. If it pings, it is plain, and may still have to be made a layout."""
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
        """Make a plain message a layout, unless it stays plain or is one. If this fails, the message is kept for a retry."""
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
        """Make a message show the builder's layout, even if it was plain text.

        An edit pings nobody, but removes the message from the inbox of everybody not in `mentions`. `keeps` are the files that
        the message goes on showing. Without them, the builder's files are uploaded.
        """
        self._files.drop(message.id)  # an edit that seems to fail may have changed them
        files: Any = [*keeps] if keeps else builder.files()
        edited = await message.edit(content=None, view=builder.layout(), attachments=files, allowed_mentions=mentions)
        self._remember_files(edited)

    def files_of(self, message_id: int) -> tuple[KeptFile, ...] | None:
        """Return the files that a message shows, or None if they are not known."""
        return self._files.get(message_id)

    def _remember_files(self, message: discord.Message) -> None:
        """Remember the files of a message that Discord has returned. A plain message has no files until it is laid out."""
        if message.flags.components_v2:
            self._files.keep(message.id, files_shown(message))

    async def _sent(self, channel: Channel, job: Job, builder: MessageBuilder, nonce: str) -> discord.Message | None:
        """Return the message that an earlier attempt has created, recognised by its mark, or None."""
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
        """Whether Discord may have done a job already: an attempt failed halfway, or an earlier process began the job."""
        return _key(job) in self._doubtful or self._began is None or job.created_at < self._began

    def doubt(self, job: Job, message: discord.Message | None = None) -> None:
        """Remember that a job's last attempt may have reached Discord, or has certainly created `message`."""
        self._doubtful[_key(job)] = message or self._doubtful.get(_key(job))
        while len(self._doubtful) > MOST_DOUBTS:
            del self._doubtful[next(iter(self._doubtful))]

    def created(self, job: Job) -> discord.Message | None:
        """Return the message that an earlier attempt of a job has certainly created, as it was then, or None."""
        return self._doubtful.get(_key(job))

    def forget_doubt(self, job: Job) -> None:
        """Forget that a job was in doubt, because it is done or dropped."""
        self._doubtful.pop(_key(job), None)

    def language(self, snapshot: Snapshot) -> Language:
        """Return the language of a table's public texts."""
        return language(snapshot.server_settings.language)

    async def write_to(
        self, user_id: int, job: Job, builder: MessageBuilder, nonce: str, *, silent: bool = False, urgent: bool = False
    ) -> discord.Message | None:
        """Send a person a job's direct message, unless it was sent before. Returns None if they do not get it.

        Nothing may depend on this message, since many people accept no direct messages. Raises Later if the bot has recently
        written to too many people for the first time. Also raises errors that are no refusal. If Discord has had too many
        requests, an `urgent` message is not put off, since it is better sent elsewhere at once.
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
                raise  # it may have been sent, or can be sent later, so it is tried again
            if error.code in CLOSED:
                await self.core.service(Direct).note_closed(user_id)
            log.info("direct message not delivered", server=job.guild_id, subject=job.subject, code=error.code)
            return None

    async def language_for(self, user_id: int, guild_id: int) -> Language:
        """Return the language of texts that only this person sees, which is their own choice, or else the server's language."""
        settings = await self.core.service(Users).settings(user_id)
        return language(settings.language) if settings.language else await self.language_of(guild_id)

    def server_name(self, guild_id: int) -> str:
        """Return a server's name, for direct messages about it."""
        guild = self.client.get_guild(guild_id)
        return "…" if guild is None else guild.name

    async def language_of(self, guild_id: int | None) -> Language:
        """Return the language of public texts on a server, where the id None stands for an unknown server."""
        return await self._server_language(guild_id or 0)


def _key(job: Job) -> _JobKey:
    return f"{job.guild_id} {job.subject}", job.kind, job.key


# --- messages that were sent ----------------------------------------------------------------------------------------------


def shown_texts(message: discord.Message) -> list[str]:
    """Return the texts of a message, from top to bottom."""
    return [part.content for part in all_components(message.components) if isinstance(part, discord.TextDisplay)]


async def own_messages(client: discord.Client, channel: Channel, since: float) -> list[discord.Message]:
    """Return the bot's messages in a channel since a time, oldest first, or none if it may not read the channel's history."""
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
    """Return the bot's message with a nonce, sent since `since`, or None if there is none or the history may not be read."""
    sent = await own_messages(client, channel, since)
    return next((message for message in sent if has_mark(message, nonce)), None)


def shared_nonce(table_id: int, version: int, channel_id: int, page: int | None = None, *, card: bool = False) -> str:
    """Return the nonce (at most 25 characters) of a shared replay, card or page, the same each time in the same channel."""
    what = f"{table_id}-{version}-{channel_id}" + ("" if page is None else f"-{page}") + ("-card" if card else "")
    return f"s{sha256(what.encode()).hexdigest()[:20]}"
