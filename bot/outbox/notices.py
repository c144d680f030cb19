"""Notices: the jobs that send a message apart from the board, to the channel or to one person.

What they say is in bot/messages/notices.py.
"""

from collections.abc import Mapping

import discord
import structlog

from bot.i18n.language import language
from bot.messages.builder import NOBODY
from bot.messages.notices import BUILDERS, notice
from bot.outbox.access import SERVER_ERROR, Access, Handler
from bot.sessions import Snapshot
from storage.records import Job, JobKind, OfferKind

log = structlog.get_logger(__name__)


class Notices:
    """Sends notices.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """The handlers of the kinds of jobs that are carried out here."""
        return dict.fromkeys(BUILDERS, self._notice)

    async def _notice(self, snapshot: Snapshot, job: Job) -> None:
        """Send a notice: to one person directly if they want that and it is possible, otherwise to the channel."""
        said = notice(snapshot, job, self._access.language(snapshot))
        if said is None:
            return
        # Another database, such as one that was begun anew, may count its jobs in the same way at nearly the same time.
        nonce = f"n{job.id}-{int(job.created_at)}"
        if said.to is not None and await self._sent_directly(snapshot, job, said.to, nonce):
            return
        await self._let_in(snapshot, job)
        pinged = [discord.Object(user) for user in said.pinged]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=pinged)
        await self._access.send(self._access.place(snapshot), job, said.builder, nonce, mentions)

    async def _sent_directly(self, snapshot: Snapshot, job: Job, user_id: int, nonce: str) -> bool:
        """Send a notice to one person directly, in their language. Returns False if they do not want it or Discord refuses."""
        settings = snapshot.settings_of(user_id)
        if settings.notify != "direct":
            return False
        own = self._access.language(snapshot) if settings.language is None else language(settings.language)
        said = notice(snapshot, job, own)
        assert said is not None, "it was asked for a moment ago"
        try:
            direct = await self._access.client.create_dm(discord.Object(user_id))
            await self._access.send(direct, job, said.builder, nonce, NOBODY)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise  # it may have been sent, and is tried again
            log.info("direct message not delivered", code=error.code)
            return False
        return True

    async def _let_in(self, snapshot: Snapshot, job: Job) -> None:
        """Add whoever is offered a seat of a private game to its thread, which only its members see."""
        table = snapshot.table
        offer = table.offers.substitute
        if job.kind is not JobKind.OFFER or job.key != OfferKind.SUBSTITUTE or offer is None:
            return
        if not table.private or table.thread_id is None:
            return
        try:
            await self._access.client.http.add_user_to_thread(table.thread_id, offer.to)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise
            log.warning("not let into the thread", table=table.id, code=error.code, error=error.text)
