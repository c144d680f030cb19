"""Notices: the jobs that send a message apart from the board, to the channel or to one person.

What they say is in bot/messages/notices.py.
"""

from collections.abc import Mapping

import discord
import structlog

from bot.i18n.language import language
from bot.messages.builder import NOBODY
from bot.messages.notices import BUILDERS, notice
from bot.outbox.access import Access, Handler
from bot.sessions import Snapshot
from storage.records import Job, JobKind

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
        said = notice(snapshot, job, await self._access.language(snapshot))
        if said is None:
            return
        nonce = f"n{job.id}-{job.payload.get('turn', snapshot.table.version)}"
        if said.to is not None and await self._sent_directly(snapshot, job, said.to, nonce):
            return
        pinged = [discord.Object(user) for user in said.pinged]
        await self._access.place(snapshot).send(
            view=said.builder.layout(), nonce=nonce,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=pinged),
        )  # fmt: skip

    async def _sent_directly(self, snapshot: Snapshot, job: Job, user_id: int, nonce: str) -> bool:
        """Send a notice to one person directly, in their language. Returns False if they do not want that or it fails."""
        settings = await self._access.sessions.users.settings(user_id)
        if settings.notify != "direct":
            return False
        own = await self._access.language(snapshot) if settings.language is None else language(settings.language)
        said = notice(snapshot, job, own)
        assert said is not None, "it was asked for a moment ago"
        try:
            direct = await self._access.client.create_dm(discord.Object(user_id))
            await direct.send(view=said.builder.layout(), nonce=nonce, allowed_mentions=NOBODY)
        except discord.HTTPException as error:
            log.info("direct message not delivered", code=error.code)
            return False
        return True
