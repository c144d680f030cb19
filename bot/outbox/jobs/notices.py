"""Notices: the jobs that send a message apart from the board, to the channel or to one person.

Their texts are in bot/messages/table/notices.py.
"""

import discord
import structlog

from bot.i18n.language import language as language_called
from bot.messages.builder import NOBODY
from bot.messages.table.lobby import invitation_poster
from bot.messages.table.notices import Notice, invitation, notice
from bot.outbox.delivery.access import SERVER_ERROR, Access
from bot.sessions import Snapshot
from storage.schema.records import Job, JobKind, OfferKind

log = structlog.get_logger(__name__)


async def send_notice(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Send a notice: directly to its person if they want that and it is possible, otherwise to the channel."""
    language = access.language(snapshot)
    said = notice(snapshot, job, language)
    if said is None or (said.to is not None and await _send_directly(access, snapshot, job, said.to)):
        return
    await _let_in(access, snapshot, job)
    await _send_to_channel(access, snapshot, job, said)


async def send_invitation(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Send an invitation to the channel, with the poster of its table."""
    language = access.language(snapshot)
    said = invitation(snapshot, language, await invitation_poster(snapshot.table, language))
    if said is not None:
        await _send_to_channel(access, snapshot, job, said)


async def _send_to_channel(access: Access, snapshot: Snapshot, job: Job, said: Notice) -> None:
    pinged = [discord.Object(user) for user in said.pinged]
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=pinged)
    await access.send(access.place(snapshot), job, said.builder, _nonce(job), mentions)


def _nonce(job: Job) -> str:
    """The nonce of a notice. Another database, begun anew, may count its jobs in the same way at nearly the same time."""
    return f"n{job.id}-{int(job.created_at)}"


async def _send_directly(access: Access, snapshot: Snapshot, job: Job, user_id: int) -> bool:
    """Send a notice directly to its person, in their language. Returns False if they want none, or Discord refuses."""
    settings = snapshot.settings_of(user_id)
    if settings.notify != "direct":
        return False
    own = access.language(snapshot) if settings.language is None else language_called(settings.language)
    said = notice(snapshot, job, own)
    assert said is not None, "it was asked for a moment ago"
    try:
        direct = await access.client.create_dm(discord.Object(user_id))
        await access.send(direct, job, said.builder, _nonce(job), NOBODY)
    except discord.HTTPException as error:
        if error.status >= SERVER_ERROR:
            raise  # it may have been sent, and is tried again
        log.info("direct message not delivered", code=error.code)
        return False
    return True


async def _let_in(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Add a person who is offered a seat of a private game to its thread, which only its members see."""
    table = snapshot.table
    offer = table.offers.substitute
    if job.kind is not JobKind.OFFER or job.key != OfferKind.SUBSTITUTE or offer is None:
        return
    if not table.private or table.thread_id is None:
        return
    try:
        await access.client.http.add_user_to_thread(table.thread_id, offer.to)
    except discord.HTTPException as error:
        if error.status >= SERVER_ERROR:
            raise
        log.warning("not let into the thread", table=table.id, code=error.code, error=error.text)
