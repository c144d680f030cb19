"""Notices: the jobs that send a message apart from the board, to the channel or to one person.

Their texts are in bot/messages/table/notices.py.
"""

import discord
import structlog

from bot.i18n.language import language as language_called
from bot.messages.builder import NOBODY
from bot.messages.table.lobby import invitation_poster
from bot.messages.table.notices import notice
from bot.outbox.delivery.access import SERVER_ERROR, Access
from bot.sessions import Snapshot
from storage.schema.records import Job, JobKind, OfferKind

log = structlog.get_logger(__name__)


async def send_notice(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Send a notice: directly to its person if they want that and it is possible, otherwise to the channel."""
    language = access.language(snapshot)
    poster = await invitation_poster(snapshot.table, language) if job.kind is JobKind.INVITATION else None
    said = notice(snapshot, job, language, poster)
    if said is None:
        return
    # Another database, such as one that was begun anew, may count its jobs in the same way at nearly the same time.
    nonce = f"n{job.id}-{int(job.created_at)}"
    if said.to is not None and await _send_directly(access, snapshot, job, said.to, nonce):
        return
    await _let_in(access, snapshot, job)
    pinged = [discord.Object(user) for user in said.pinged]
    mentions = discord.AllowedMentions(everyone=False, roles=False, users=pinged)
    await access.send(access.place(snapshot), job, said.builder, nonce, mentions)


async def _send_directly(access: Access, snapshot: Snapshot, job: Job, user_id: int, nonce: str) -> bool:
    """Send a notice directly to its person, in their language. Returns False if they want none, or Discord refuses."""
    settings = snapshot.settings_of(user_id)
    if settings.notify != "direct":
        return False
    own = access.language(snapshot) if settings.language is None else language_called(settings.language)
    said = notice(snapshot, job, own)
    assert said is not None, "it was asked for a moment ago"
    try:
        direct = await access.client.create_dm(discord.Object(user_id))
        await access.send(direct, job, said.builder, nonce, NOBODY)
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
