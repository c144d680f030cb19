"""Dismissals: the jobs that remove people from the thread of a private table that is no longer open to them."""

import discord
import structlog

from bot.core.table.snapshot import Snapshot
from bot.outbox.access import SERVER_ERROR, TOO_MANY, Access
from bot.outbox.threads import thread_of
from storage.schema.records import Job

log = structlog.get_logger(__name__)


async def dismiss(access: Access, snapshot: Snapshot, job: Job) -> None:
    """Remove a person from a thread that is not open to them; nothing can be done if it is gone or they have left."""
    user, thread_id = job.payload["user"], snapshot.table.thread_id
    if thread_id is None or snapshot.open_to(user):
        return
    try:
        thread = await thread_of(access.client, thread_id)
        if thread is not None and thread.is_private():
            await thread.remove_user(discord.Object(user))
    except discord.HTTPException as error:
        if error.status >= SERVER_ERROR or error.status == TOO_MANY:
            raise
        log.warning("not taken out of the thread", table=snapshot.table.id, code=error.code, error=error.text)
