"""Access: the client, the service and the language of a server, which all jobs of the outbox need."""

from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import discord

from bot.i18n.language import Language, ServerLanguage, language
from bot.messages.builder import MessageBuilder
from bot.outbox.delivery.sent import find_sent, mark
from bot.sessions import Sessions, Snapshot
from bot.sessions.outbox import Shown
from engines.text import Text
from storage.schema.records import Job, JobKind

LostConnection: Final = (aiohttp.ClientError, TimeoutError, OSError)
"""The exceptions raised when a connection is lost; discord.py passes them on unchanged."""

SERVER_ERROR: Final = 500
"""The lowest status of a failure of Discord's own. The request may have been carried out all the same."""

Handler = Callable[[Snapshot, Job], Awaitable[Shown | None]]
"""Carries out the jobs of one kind. Returns what has to be recorded of it. Raises GivenUp, or the error of Discord."""


class GivenUp(Exception):
    """A job is not done, and will not be tried again.

    Attributes:
        text: why, for the person whose click it followed; None: there is nothing to say.
    """

    def __init__(self, text: Text | None) -> None:
        super().__init__(text)
        self.text = text


MOST_DOUBTS: Final = 4096
"""How many jobs are remembered at most whose last attempt may have reached Discord."""

_JobKey = tuple[str, JobKind, str]


class Access:
    """The way to Discord and to the service.

    Args:
        client: the connection to Discord.
        sessions: the service.
        server_language: returns the language of a server's public texts.
    """

    def __init__(self, client: discord.Client, sessions: Sessions, server_language: ServerLanguage) -> None:
        self.client = client
        self.sessions = sessions
        self._server_language = server_language
        self._began: float | None = None
        self._doubtful: dict[_JobKey, None] = {}

    @property
    def own_id(self) -> int:
        """The id of the bot's own user."""
        assert self.client.user is not None, "the client is logged in"
        return self.client.user.id

    def place(self, snapshot: Snapshot) -> discord.PartialMessageable:
        """The channel or thread where a table is played."""
        table = snapshot.table
        return self.client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)

    def message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        """A message by its ids, without asking Discord for it."""
        assert channel_id is not None
        assert message_id is not None
        return self.client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def send(
        self,
        channel: discord.abc.Messageable,
        job: Job,
        builder: MessageBuilder,
        nonce: str,
        mentions: discord.AllowedMentions,
    ) -> discord.Message:
        """Send a message for a job, unless it has been sent before. Returns the message."""
        if self.in_doubt(job):
            found = await find_sent(self.client, channel, nonce, job.created_at)
            if found is not None:
                return found
        return await self.post(channel, builder, nonce, mentions)

    async def post(
        self, channel: discord.abc.Messageable, builder: MessageBuilder, nonce: str, mentions: discord.AllowedMentions
    ) -> discord.Message:
        """Send a message with its mark. Returns the message, or the earlier one if Discord remembers its nonce."""
        builder.mark = mark(nonce)
        return await channel.send(
            view=builder.layout(), files=builder.files(), nonce=nonce, allowed_mentions=mentions
        )  # fmt: skip

    def begin(self) -> None:
        """Remember when this process began to carry out jobs. Later calls change nothing."""
        if self._began is None:
            self._began = self.sessions.now()

    def in_doubt(self, job: Job) -> bool:
        """Whether Discord may have done a job already: an attempt failed on the way, or an earlier process began it."""
        return _key(job) in self._doubtful or self._began is None or job.created_at < self._began

    def doubt(self, job: Job) -> None:
        """Remember that the last attempt of a job may have reached Discord, also for a job that takes its place."""
        self._doubtful[_key(job)] = None
        while len(self._doubtful) > MOST_DOUBTS:
            del self._doubtful[next(iter(self._doubtful))]

    def forget_doubt(self, job: Job) -> None:
        """Forget that a job was in doubt: it is done, or dropped."""
        self._doubtful.pop(_key(job), None)

    def language(self, snapshot: Snapshot) -> Language:
        """The language of the public texts at a table."""
        return language(snapshot.server_settings.language)

    async def language_of(self, guild_id: int | None) -> Language:
        """The language of the public texts on a server; None: the server is not known."""
        return await self._server_language(guild_id or 0)


def _key(job: Job) -> _JobKey:
    return f"{job.guild_id} {job.subject}", job.kind, job.key
