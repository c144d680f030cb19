"""Access: what all jobs of the outbox need in order to show something: the client, the service, and the server's language."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
import discord

from bot.i18n.language import Language, ServerLanguage
from bot.sessions import Sessions, Snapshot
from storage.records import Job

LostConnection: Final = (aiohttp.ClientError, TimeoutError, OSError)
"""The exceptions raised when a connection is lost; discord.py passes them on unchanged."""

Handler = Callable[[Snapshot, Job], Awaitable[None]]
"""Carries out the jobs of one kind. Raises the error with which Discord refused."""


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

    def place(self, snapshot: Snapshot) -> discord.PartialMessageable:
        """The channel or thread where a table is played."""
        table = snapshot.table
        return self.client.get_partial_messageable(table.thread_id or table.channel_id, guild_id=table.guild_id)

    def message(self, channel_id: int | None, message_id: int | None) -> discord.PartialMessage:
        """A message by its ids, without asking Discord for it."""
        assert channel_id is not None
        assert message_id is not None
        return self.client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def note(self, snapshot: Snapshot, **columns: Any) -> None:
        """Record what Discord shows now. Raises NoSuchTable if the bot was removed from the server in the meantime."""
        await self.sessions.outbox.note(snapshot.table.id, **columns)

    async def language(self, snapshot: Snapshot) -> Language:
        """The language of the public texts at a table."""
        return await self._server_language(snapshot.table.guild_id)
