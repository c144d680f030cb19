"""Notices: the jobs that send a message apart from the board. Their texts are in bot/messages/notices.py and the features."""

from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.core.jobs import Shown
from bot.core.reminders import all_asleep
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language as language_called
from bot.messages.lobby import invitation_poster, is_lobby_of
from bot.messages.marks import clicks
from bot.messages.notices import Notice, NoticeBuilder, acceptance, invitation, notice
from bot.outbox.access import SERVER_ERROR, Access, own_messages
from bot.outbox.threads import thread_of
from storage.schema.records import Job, JobKind, OfferKind, Question

ASKING: Final = frozenset({JobKind.OFFER, JobKind.INVITATION})
"""The jobs that post questions."""

log = structlog.get_logger(__name__)


async def send_notice(access: Access, build: NoticeBuilder, snapshot: Snapshot, job: Job) -> Shown | None:
    """Send a notice directly to its person, if they want that and it is possible, or else to the channel."""
    said = notice(build, snapshot, job, access.language(snapshot))
    if said is not None and said.to is not None:
        direct = await _send_directly(access, build, snapshot, job, said.to)
        if direct is not None:
            return Shown(questions=(_question(snapshot, job, direct),)) if said.asks else None
    if said is not None:
        await _let_in(access, snapshot, job)
    return await _send_to_channel(access, snapshot, job, said)


async def send_invitation(access: Access, snapshot: Snapshot, job: Job) -> Shown | None:
    """Send an invitation to the channel, with its table's poster."""
    language = access.language(snapshot)
    said = invitation(snapshot, language, await invitation_poster(snapshot.table, language))
    return await _send_to_channel(access, snapshot, job, said)


async def _send_to_channel(access: Access, snapshot: Snapshot, job: Job, said: Notice | None) -> Shown | None:
    """Send a notice, unless it was sent before or is out of date (None). Returns the questions to record.

    An earlier attempt may have sent a question without recording it. Such a question is found and recorded, even if nothing is
    to be asked any more, so that it loses its buttons later.
    """
    channel, nonce = access.place(snapshot), _nonce(job)
    looks = access.in_doubt(job) and job.kind in ASKING
    found = await own_messages(access.client, channel, job.created_at) if looks else []
    asking = [message for message in found if _asks(message, snapshot.table.id, job)]
    if said is not None:
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in said.pinged])
        # A reminder respects quiet hours by the time at which it is due.
        asleep = job.kind is not JobKind.REMINDER and all_asleep(snapshot, said.pinged, access.core.now())
        sent = await access.send(channel, job, said.builder, nonce, mentions, silent=said.silent or asleep)
        asking += [sent] if said.asks and all(sent.id != message.id for message in asking) else []
    return Shown(questions=tuple(_question(snapshot, job, message) for message in asking))


def _question(snapshot: Snapshot, job: Job, message: discord.Message) -> Question:
    """Return the record of a message that asks something."""
    if job.kind is JobKind.REMINDER:
        seat, turn = snapshot.own_seat(job.payload["user"]), job.payload["turn"]
        return Question(channel_id=message.channel.id, message_id=message.id, seat=seat, turn=turn)
    return Question(offer=_kind(job), channel_id=message.channel.id, message_id=message.id)


def _asks(message: discord.Message, table_id: int, job: Job) -> bool:
    """Whether a message has the buttons of a job's question. An invitation's buttons on a lobby message do not count."""
    if job.kind not in ASKING or is_lobby_of(message, table_id):
        return False
    accepts = acceptance(_kind(job))
    return any((click.verb, click.table) == (accepts, table_id) for click in clicks(message))


def _kind(job: Job) -> OfferKind | None:
    """Return the kind of offer that a job asks about, or None for an invitation."""
    return None if job.kind is JobKind.INVITATION else OfferKind(job.key)


def _nonce(job: Job) -> str:
    """Return a notice's nonce. It includes the time, since a database that was begun anew repeats the numbers of jobs."""
    return f"n{job.id}-{int(job.created_at)}"


async def _send_directly(
    access: Access, build: NoticeBuilder, snapshot: Snapshot, job: Job, user_id: int
) -> discord.Message | None:
    """Send a notice directly, in its person's language. Returns None if they want no direct messages, or Discord refuses."""
    settings = snapshot.settings_of(user_id)
    if settings.notify != "direct":
        return None
    own = access.language(snapshot) if settings.language is None else language_called(settings.language)
    said = notice(build, snapshot, job, own, direct=True)
    assert said is not None, "it was asked for a moment ago"
    if said.builder.notification is not None:  # nobody need be mentioned there
        said.builder.notify(replace(said.builder.notification, mentions=()))
    return await access.write_to(user_id, job, said.builder, _nonce(job), silent=said.silent, urgent=True)


async def _let_in(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Add a person who is offered a seat in a private game to the game's thread, which others cannot see."""
    table = snapshot.table
    offer = table.offers.substitute
    if job.kind is not JobKind.OFFER or job.key != OfferKind.SUBSTITUTE or offer is None:
        return
    if not table.private or table.thread_id is None:
        return
    try:
        thread = await thread_of(access.client, table.thread_id)
        if thread is not None:
            await thread.add_user(discord.Object(offer.to))
    except discord.HTTPException as error:
        if error.status >= SERVER_ERROR:
            raise
        log.warning("not let into the thread", table=table.id, code=error.code, error=error.text)
