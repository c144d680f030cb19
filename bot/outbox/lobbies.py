"""Lobbies: the jobs that show a table before its game starts.

``lobby`` updates the lobby message, which is the first one of a table; ``opening`` posts it.
"""

from collections.abc import Mapping
from dataclasses import replace

import discord

from bot.messages.builder import NOBODY
from bot.messages.lobby import lobby_message
from bot.outbox.access import Access, Handler
from bot.outbox.permissions import UNKNOWN_MESSAGE
from bot.sessions import Snapshot
from storage.records import Job, JobKind, Status


class Lobbies:
    """Shows lobby messages.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """The handlers of the kinds of jobs that are carried out here."""
        return {JobKind.LOBBY: self._lobby, JobKind.OPENING: self._opening}

    async def _lobby(self, snapshot: Snapshot, job: Job) -> None:
        """Update the lobby message. If somebody has deleted it, post it again while it is still of use."""
        table = snapshot.table
        if table.lobby_message_id is None:
            return
        builder = lobby_message(snapshot, await self._access.language(snapshot))
        message = self._access.message(table.channel_id, table.lobby_message_id)
        try:
            await message.edit(view=builder.layout(), attachments=[], allowed_mentions=NOBODY)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            if table.status in {Status.OPEN, Status.PLAYING}:
                await self._opening(replace(snapshot, table=replace(table, lobby_message_id=None)), job)

    async def _opening(self, snapshot: Snapshot, job: Job) -> None:
        """Post the lobby message of a table that no command has shown, with a ping for the people who are invited."""
        table = snapshot.table
        if table.lobby_message_id is not None:
            return
        builder = lobby_message(snapshot, await self._access.language(snapshot))
        channel = self._access.client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        invited = [discord.Object(p.user_id) for p in snapshot.invited]
        message = await channel.send(
            view=builder.layout(), nonce=f"t{table.id}-{job.id}",
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=invited),
        )  # fmt: skip
        await self._access.note(snapshot, lobby_message_id=message.id)
