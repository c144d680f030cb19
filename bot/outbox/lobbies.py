"""The lobby message, the first message of a table. The job ``lobby`` updates it."""

from collections.abc import Mapping

import discord

from bot.core.places import Places
from bot.core.reminders import all_asleep
from bot.core.table.snapshot import Snapshot
from bot.messages.builder import MessageBuilder
from bot.messages.lobby import invitation_notification, is_lobby_of, lobby_message, names_people
from bot.outbox.access import Access, Handler, own_messages
from bot.outbox.permissions import UNKNOWN_MESSAGE
from storage.schema.records import Job, JobKind, Status


class Lobbies:
    """Shows lobby messages."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """Return the handlers of the jobs that are carried out here."""
        return {JobKind.LOBBY: self._lobby}

    async def _lobby(self, snapshot: Snapshot, job: Job) -> None:
        """Update the lobby message. If it was deleted, post it again as long as it is of use."""
        table = snapshot.table
        if table.lobby_message_id is None:
            return  # the job that opens the table shows it as it is by then
        try:
            await self._edit(snapshot, table.lobby_message_id)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            if table.status in {Status.OPEN, Status.PLAYING}:
                await self.post(snapshot, job, again=True)

    async def post(self, snapshot: Snapshot, job: Job, *, again: bool = False) -> Snapshot:
        """Post a table's lobby message, unless it is there already. Returns the table as it is then.

        The first such message pings the invited people, if it names them. A message posted `again`, after a deletion, pings
        nobody. The answer to the command may be the lobby message without being on record, so it is looked for first.
        """
        table = snapshot.table
        sure = job.kind is JobKind.OPENING and not job.payload.get("answered") and not self._access.in_doubt(job)
        if not sure:
            found = await self._find(snapshot, self._access.created(job), again=again)
            if found is not None:
                return found
        builder = await self._builder(snapshot)
        channel = self._access.client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        invites = names_people(table) and not again
        pinged = [p.user_id for p in snapshot.invited] if invites else []
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in pinged])
        if pinged:
            builder.notify(invitation_notification(snapshot, self._access.language(snapshot)))
        silent = all_asleep(snapshot, pinged, self._access.core.now())
        message = await self._access.post(channel, job, builder, f"t{table.id}-{job.id}", mentions, silent=silent)
        return await self._access.core.service(Places).record_lobby_message(table.id, message.id, invites=invites)

    async def _find(self, snapshot: Snapshot, created: discord.Message | None, *, again: bool) -> Snapshot | None:
        """Find the lobby message unless it is `created`, update it and record it. Returns the table, or None if not found."""
        table = snapshot.table
        channel = self._access.client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        sent = [created] if created is not None else await own_messages(self._access.client, channel, table.created_at)
        message = next((message for message in sent if is_lobby_of(message, table.id)), None)
        if message is None:
            return None
        await self._edit(snapshot, message.id)
        # The answer to a command has pinged nobody.
        invites = names_people(table) and message.interaction_metadata is None and not again
        return await self._access.core.service(Places).record_lobby_message(table.id, message.id, invites=invites)

    async def _edit(self, snapshot: Snapshot, message_id: int) -> None:
        message = self._access.message(snapshot.table.channel_id, message_id)
        await self._access.edit(message, await self._builder(snapshot))

    async def _builder(self, snapshot: Snapshot) -> MessageBuilder:
        return await lobby_message(snapshot, self._access.language(snapshot))
