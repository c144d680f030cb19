"""Dismissals: the jobs that take people out of the thread of a private table that is not open to them any more."""

from collections.abc import Mapping

import discord
import structlog

from bot.outbox.access import Access, Handler
from bot.sessions import Snapshot
from storage.records import Job, JobKind

log = structlog.get_logger(__name__)


class Dismissals:
    """Takes people out of private threads.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """The handlers of the kinds of jobs that are carried out here."""
        return {JobKind.DISMISSAL: self._dismiss}

    async def _dismiss(self, snapshot: Snapshot, job: Job) -> None:
        """Take somebody out of the table's thread, unless the table is open to them again.

        If Discord refuses, because they have left by themselves or the thread is gone or locked, that is all that can be done.
        """
        user, thread_id = job.payload["user"], snapshot.table.thread_id
        if thread_id is None or snapshot.open_to(user):
            return
        client = self._access.client
        try:
            thread = client.get_channel(thread_id) or await client.fetch_channel(thread_id)
            if isinstance(thread, discord.Thread) and thread.is_private():
                if thread.archived and not thread.locked:
                    thread = await thread.edit(archived=False)
                await thread.remove_user(discord.Object(user))
        except discord.HTTPException as error:
            if error.status >= 500 or error.status == 429:
                raise
            log.warning("not taken out of the thread", table=snapshot.table.id, code=error.code, error=error.text)
