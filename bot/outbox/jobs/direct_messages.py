"""The jobs that send one person a direct message. Their texts are in bot/messages/table/direct_messages.py."""

import discord
import structlog

from bot.i18n.language import language
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.game.players import names
from bot.messages.table.direct_messages import direct_message_text, out_of_date, read_direct_message
from bot.outbox.delivery.access import SERVER_ERROR, Access
from bot.outbox.delivery.permissions import explain_unshown
from bot.sessions import Snapshot
from storage.schema.records import Job

log = structlog.get_logger(__name__)


async def send_direct_message(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Send a direct message. A person who takes none does not get it: nothing may depend on it."""
    to, letter = job.payload["to"], read_direct_message(job.payload)
    if out_of_date(snapshot, letter, to):
        return
    unshown = explain_unshown(access.client, snapshot, letter.code)
    settings = snapshot.settings_of(to)
    own = access.language(snapshot) if settings.language is None else language(settings.language)
    builder = MessageBuilder().text(own(direct_message_text(snapshot, letter, to, unshown), names(snapshot)))
    try:
        direct = await access.client.create_dm(discord.Object(to))
        await access.send(direct, job, builder, f"l{job.id}-{int(job.created_at)}", NOBODY)
    except discord.HTTPException as error:
        if error.status >= SERVER_ERROR:
            raise  # it may have been sent, and is tried again
        log.info("letter not delivered", table=job.table_id, code=error.code)
