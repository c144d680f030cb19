"""Access: what all jobs of the outbox need in order to show something: the client, the service, and the server's language."""

from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import discord

from bot.i18n.language import Language, ServerLanguage, language
from bot.messages.builder import MessageBuilder
from bot.outbox.sent import find_sent, mark
from bot.sessions import Sessions, Snapshot
from bot.sessions.outbox import Shown
from storage.records import Job, JobKind

LostConnection: Final = (aiohttp.ClientError, TimeoutError, OSError)
"""The exceptions raised when a connection is lost; discord.py passes them on unchanged."""

SERVER_ERROR: Final = 500
"""The lowest status with which Discord says that the failure is its own. What was asked for may have been done."""

Handler = Callable[[Snapshot, Job], Awaitable[Shown | None]]
"""Carries out the jobs of one kind. Returns what has then to be recorded. Raises the error with which Discord refused."""


MOST_DOUBTS: Final = 4096
"""How many jobs are remembered whose last attempt may have reached Discord."""

_JobKey = tuple[int, JobKind, str]


class Access:
    """The way to Discord and to the service.

    Args:
        client: the connection to Discord.
        sessions: the service.
        server_language: returns the language of a server's public texts.

    Attributes:
        stir: has the outbox looked through again, because a job may have led to others.
    """

    def __init__(self, client: discord.Client, sessions: Sessions, server_language: ServerLanguage) -> None:
        self.client = client
        self.sessions = sessions
        self._server_language = server_language
        self.stir: Callable[[], None] = _ignore
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
        """Send a message for a job, unless it has been sent before. Returns it."""
        if self.in_doubt(job):
            found = await find_sent(self.client, channel, nonce, job.created_at)
            if found is not None:
                return found
        return await self.post(channel, builder, nonce, mentions)

    async def post(
        self, channel: discord.abc.Messageable, builder: MessageBuilder, nonce: str, mentions: discord.AllowedMentions
    ) -> discord.Message:
        """Send a message with its mark, whether or not it was sent before, unless Discord remembers its nonce. Returns it."""
        builder.mark = mark(nonce)
        return await channel.send(
            view=builder.layout(), files=builder.files(), nonce=nonce, allowed_mentions=mentions
        )  # fmt: skip

    def begin(self) -> None:
        """Remember when this process began to carry out jobs, unless it has been remembered."""
        if self._began is None:
            self._began = self.sessions.now()

    def in_doubt(self, job: Job) -> bool:
        """Whether Discord may have carried out a job already: an attempt failed on the way, or an earlier process began it."""
        return _key(job) in self._doubtful or self._began is None or job.created_at < self._began

    def doubt(self, job: Job) -> None:
        """Remember that the last attempt of a job may have reached Discord, also for a job that takes its place."""
        self._doubtful[_key(job)] = None
        while len(self._doubtful) > MOST_DOUBTS:
            del self._doubtful[next(iter(self._doubtful))]

    def settled(self, job: Job) -> None:
        """Forget such doubts: the job is done, or dropped."""
        self._doubtful.pop(_key(job), None)

    def language(self, snapshot: Snapshot) -> Language:
        """The language of the public texts at a table."""
        return language(snapshot.server_settings.language)

    async def language_of(self, guild_id: int | None) -> Language:
        """The language of the public texts on a server; None: one that is not known."""
        return await self._server_language(guild_id or 0)


def _ignore() -> None:
    """What is called until somebody wants to know."""


def _key(job: Job) -> _JobKey:
    return job.table_id, job.kind, job.key
