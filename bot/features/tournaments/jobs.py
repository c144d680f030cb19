"""The jobs of tournaments.

``event`` posts or edits a tournament's message. ``event-call`` notifies all players, and ``event-ask`` asks somebody to take
over. ``event-left`` tells a player that they are out, and ``event-unseen`` tells the organiser who could not see a call.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.core.table.audience import Unseen
from bot.core.table.errors import Refused, SessionError
from bot.core.table.snapshot import Snapshot
from bot.features.tournaments.messages import (
    Announcement,
    farewell,
    last_call,
    question,
    tournament_call,
    tournament_message,
    unseen_call,
)
from bot.features.tournaments.pictures import best_table
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from bot.messages.builder import NOBODY, MessageBuilder
from bot.outbox.access import Access
from bot.outbox.jobs import Jobs
from bot.outbox.permissions import NO_PLACE, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from storage.schema.kinds import TournamentActor, TournamentStatus
from storage.schema.records import Job, JobKind


async def _show(access: Access, job: Job) -> None:
    """Post or edit a tournament's message. A deleted message is posted again, unless the tournament is cancelled."""
    view = await _view(access, job)
    if view is None or (view.row.message_id is None and view.row.status is TournamentStatus.CANCELLED):
        return
    row, builder = view.row, await tournament_message(view, await access.language_of(job.guild_id))
    message_id = row.message_id
    if message_id is None or not await _edit(access, row.channel_id, message_id, builder):
        channel = access.client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        message_id = (await access.send(channel, job, builder, f"e{job.id}-{int(job.created_at)}", NOBODY)).id
        await access.core.service(Tournaments).record_message(row.id, message_id)
    if row.podium_id is not None:  # after the end, the podium changes only when a player is forgotten
        call = await _made(access, view, last_call(view), job)
        if call is not None:
            await _edit(access, row.thread_id or row.channel_id, row.podium_id, call.builder)


async def _edit(access: Access, channel_id: int, message_id: int, builder: MessageBuilder) -> bool:
    """Edit a tournament's message, and return whether it was still there."""
    message = access.message(channel_id, message_id)
    try:
        await access.edit(message, builder)
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise
        return False
    return True


async def _call(access: Access, job: Job) -> None:
    """Notify a tournament's players who are still on the server, unless they already were or the call is out of date."""
    view, number = await _view(access, job), job.payload["number"]
    if view is None or view.row.told >= number:
        return
    unseen = await access.core.service(Tournaments).unseen(view)
    view = replace(view, former={*view.former, *(one for one, why in unseen.items() if why is Unseen.LEFT)})
    call, message_id = await _made(access, view, number, job), None
    if call is not None:
        message_id = await _post_call(access, view, job, call, f"c{view.row.id}-{number}")
    podium_id = message_id if view.row.status is TournamentStatus.FINISHED else None
    reaches_all = call is None or not unseen
    await access.core.service(Tournaments).record_call(view.row.id, number, podium_id, unseen=not reaches_all)


async def _made(access: Access, view: TournamentView, number: int, job: Job) -> Announcement | None:
    return await tournament_call(view, number, await access.language_of(job.guild_id), await _best_game(access, view))


async def _best_game(access: Access, view: TournamentView) -> Snapshot | None:
    """Return the best game of a finished tournament, or None if there is none that can be shown."""
    table_id = best_table(view) if view.row.status is TournamentStatus.FINISHED else None
    if table_id is None:
        return None
    try:
        return await access.core.snapshot(table_id)
    except SessionError:
        return None


async def _ask(access: Access, job: Job) -> None:
    """Ask a person whether they take over from a player, if the invitation still stands."""
    view, number = await _view(access, job), job.payload["entry"]
    if view is None or not view.is_on:
        return
    entry = next((one for one in view.everybody if one.number == number and one.asked_id == job.payload["to"]), None)
    if entry is not None:
        call = question(view, entry, await access.language_of(job.guild_id))
        await _post_call(access, view, job, call, f"q{job.id}-{int(job.created_at)}")


async def _post_call(access: Access, view: TournamentView, job: Job, call: Announcement, nonce: str) -> int:
    """Post a call, and return the id of its message."""
    row = view.row
    users = [discord.Object(user_id) for user_id in call.pinged]
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
    place = row.thread_id or row.channel_id
    try:
        channel = access.client.get_partial_messageable(place, guild_id=row.guild_id)
        return (await access.send(channel, job, call.builder, nonce, mentions)).id
    except discord.NotFound as error:
        if error.code != UNKNOWN_CHANNEL or row.thread_id is None:
            raise
        await access.core.service(Tournaments).record_lost_thread(row.id)
        channel = access.client.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        return (await access.send(channel, job, call.builder, nonce, mentions)).id


async def _tell_left(access: Access, job: Job) -> None:
    """Tell a player that a tournament goes on without them, if they take direct messages and have not come back."""
    view, to = await _view(access, job), job.payload["to"]
    entry = None if view is None else view.entry_of(to)
    if view is None or entry is None or not entry.has_left:
        return
    own = await access.language_for(to, job.guild_id)
    builder = farewell(view, access.server_name(job.guild_id), own)
    await access.write_to(to, job, builder, f"l{job.id}-{int(job.created_at)}")


async def _tell_unseen(access: Access, job: Job) -> None:
    """Tell a tournament's organiser who cannot see where it is played, unless everybody can by now or it is over."""
    view, to = await _view(access, job), job.payload["to"]
    unseen = {} if view is None else await access.core.service(Tournaments).unseen(view)
    if view is None or not unseen:
        return
    own = await access.language_for(to, job.guild_id)
    builder = unseen_call(view, unseen, access.server_name(job.guild_id), own)
    await access.write_to(to, job, builder, f"u{job.id}-{int(job.created_at)}")


async def _view(access: Access, job: Job) -> TournamentView | None:
    try:
        return await access.core.service(Tournaments).get(job.payload["event"], job.guild_id)
    except Refused:
        return None


async def _cancel(access: Access, job: Job, snapshot: Snapshot | None, code: int) -> None:
    del snapshot
    if code in NO_PLACE:
        with suppress(SessionError):  # the tournament is already over
            await access.core.service(Tournaments).cancel(job.payload["event"], job.guild_id, TournamentActor.BOT)


JOBS: Final = Jobs(
    about_none={
        JobKind.EVENT: _show,
        JobKind.EVENT_CALL: _call,
        JobKind.EVENT_ASK: _ask,
        JobKind.EVENT_LEFT: _tell_left,
        JobKind.EVENT_UNSEEN: _tell_unseen,
    },
    refused=dict.fromkeys((JobKind.EVENT, JobKind.EVENT_CALL, JobKind.EVENT_ASK), _cancel),
)
