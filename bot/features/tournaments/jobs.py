"""The jobs of events: ``event``, ``event-call``, ``event-ask``, ``event-left`` and ``event-unseen``.

The first posts the message of an event, or edits it as it is now; the second tells its players of the check-in, of a round or
of the end, once each; the third asks a person whether they play on in the place of a player; the fourth tells a person directly
that the event goes on without them, and the last one the organiser who could not see that it goes on.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import discord

from bot.core.table.audience import Unseen
from bot.core.table.errors import Refused, SessionError
from bot.core.table.snapshot import Snapshot
from bot.features.tournaments.messages import Call, event_call, event_message, farewell, last_call, question, unseen_call
from bot.features.tournaments.pictures import best_table
from bot.features.tournaments.service import Events
from bot.features.tournaments.view import EventView
from bot.messages.builder import NOBODY, MessageBuilder
from bot.outbox.access import Access
from bot.outbox.permissions import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from storage.schema.kinds import EventStatus
from storage.schema.records import Job, JobKind


class TournamentJobs:
    """Posts and edits the messages of events.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Callable[[Job], Awaitable[None]]]:
        """The handlers of the kinds of jobs that are carried out here."""
        return {
            JobKind.EVENT: self._show, JobKind.EVENT_CALL: self._call, JobKind.EVENT_ASK: self._ask,
            JobKind.EVENT_LEFT: self._tell_left, JobKind.EVENT_UNSEEN: self._tell_unseen,
        }  # fmt: skip

    async def _show(self, job: Job) -> None:
        """Post the message of an event, or edit it. One that was deleted is posted anew; of one that is off, none is."""
        view, access = await self._view(job), self._access
        if view is None or (view.row.message_id is None and view.row.status is EventStatus.CANCELLED):
            return
        row, builder = view.row, await event_message(view, await access.language_of(job.guild_id))
        message_id = row.message_id
        if message_id is None or not await self._edit(row.channel_id, message_id, builder):
            channel = access.client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
            message_id = (await access.send(channel, job, builder, f"e{job.id}-{int(job.created_at)}", NOBODY)).id
            await access.core.service(Events).record_message(row.id, message_id)
        if row.podium_id is not None:  # after its end the message changes when a player is forgotten
            call = await self._made(view, last_call(view), job)
            if call is not None:
                await self._edit(row.thread_id or row.channel_id, row.podium_id, call.builder)

    async def _edit(self, channel_id: int, message_id: int, builder: MessageBuilder) -> bool:
        """Edit the message of an event. Returns False if it was deleted."""
        message = self._access.message(channel_id, message_id)
        try:
            await self._access.edit(message, builder)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return False
        return True

    async def _call(self, job: Job) -> None:
        """Tell the players of an event of something, unless they were told, or it is over by now.

        It is told beside the event's message, or in the one thread of an event that was opened by an earlier version. Who
        cannot see it there is looked up first: whoever has left the server is not mentioned.
        """
        view, number = await self._view(job), job.payload["number"]
        if view is None or view.row.told >= number:
            return
        unseen = await self._access.core.service(Events).unseen(view)
        view = replace(view, former={*view.former, *(one for one, why in unseen.items() if why is Unseen.LEFT)})
        call, message_id = await self._made(view, number, job), None
        if call is not None:
            message_id = await self._post_call(view, job, call, f"c{view.row.id}-{number}")
        podium_id = message_id if view.row.status is EventStatus.FINISHED else None
        reaches_all = call is None or not unseen
        await self._access.core.service(Events).record_call(view.row.id, number, podium_id, unseen=not reaches_all)

    async def _made(self, view: EventView, number: int, job: Job) -> Call | None:
        return await event_call(view, number, await self._access.language_of(job.guild_id), await self._best_game(view))

    async def _best_game(self, view: EventView) -> Snapshot | None:
        """Return the best game of an event that is over; None if there is none, or it cannot be shown."""
        table_id = best_table(view) if view.row.status is EventStatus.FINISHED else None
        if table_id is None:
            return None
        try:
            return await self._access.core.snapshot(table_id)
        except SessionError:
            return None

    async def _ask(self, job: Job) -> None:
        """Ask a person whether they play on in the place of a player, if they are still asked."""
        view, number = await self._view(job), job.payload["entry"]
        if view is None or not view.is_on:
            return
        entry = next((one for one in view.everybody if one.number == number and one.asked_id == job.payload["to"]), None)
        if entry is not None:
            call = question(view, entry, await self._access.language_of(job.guild_id))
            await self._post_call(view, job, call, f"q{job.id}-{int(job.created_at)}")

    async def _post_call(self, view: EventView, job: Job, call: Call, nonce: str) -> int:
        """Post a call. Returns the id of its message."""
        row = view.row
        users = [discord.Object(user_id) for user_id in call.pinged]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        place = row.thread_id or row.channel_id
        try:
            channel = self._access.client.get_partial_messageable(place, guild_id=row.guild_id)
            return (await self._access.send(channel, job, call.builder, nonce, mentions)).id
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or row.thread_id is None:
                raise
            await self._access.core.service(Events).record_lost_thread(row.id)
            channel = self._access.client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
            return (await self._access.send(channel, job, call.builder, nonce, mentions)).id

    async def _tell_left(self, job: Job) -> None:
        """Tell a person that an event goes on without them, unless they are back. Whoever takes no messages sees it there."""
        view, to = await self._view(job), job.payload["to"]
        entry = None if view is None else view.entry_of(to)
        if view is None or entry is None or not entry.has_left:
            return
        own = await self._access.language_for(to, job.guild_id)
        builder = farewell(view, self._access.server_name(job.guild_id), own)
        await self._access.write_to(to, job, builder, f"l{job.id}-{int(job.created_at)}")

    async def _tell_unseen(self, job: Job) -> None:
        """Tell the organiser of an event who cannot see where it is played, unless all can by now, or it is over."""
        view, to = await self._view(job), job.payload["to"]
        unseen = {} if view is None else await self._access.core.service(Events).unseen(view)
        if view is None or not unseen:
            return
        own = await self._access.language_for(to, job.guild_id)
        builder = unseen_call(view, unseen, self._access.server_name(job.guild_id), own)
        await self._access.write_to(to, job, builder, f"u{job.id}-{int(job.created_at)}")

    async def _view(self, job: Job) -> EventView | None:
        """Return the event of a job; None if it is not there any more, or cannot be read."""
        try:
            return await self._access.core.service(Events).get(job.payload["event"], job.guild_id)
        except Refused:
            return None
