"""Letters: the jobs that tell one person something directly, and nobody else. What they say is in bot/messages/letters.py."""

from collections.abc import Mapping

import discord
import structlog

from bot.i18n.language import language
from bot.messages.builder import NOBODY, MessageBuilder
from bot.messages.letters import letter_text, read_letter
from bot.outbox.access import SERVER_ERROR, Access, Handler
from bot.sessions import Snapshot
from storage.records import Job, JobKind

log = structlog.get_logger(__name__)


class Letters:
    """Sends letters.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    def handlers(self) -> Mapping[JobKind, Handler]:
        """The handlers of the kinds of jobs that are carried out here."""
        return {JobKind.LETTER: self._letter}

    async def _letter(self, snapshot: Snapshot, job: Job) -> None:
        """Send a letter. Somebody who takes no direct messages does not get it: nothing may depend on it."""
        to = job.payload["to"]
        settings = snapshot.settings_of(to)
        own = self._access.language(snapshot) if settings.language is None else language(settings.language)
        builder = MessageBuilder().text(own(letter_text(snapshot, read_letter(job.payload))))
        try:
            direct = await self._access.client.create_dm(discord.Object(to))
            await self._access.send(direct, job, builder, f"l{job.id}-{int(job.created_at)}", NOBODY)
        except discord.HTTPException as error:
            if error.status >= SERVER_ERROR:
                raise  # it may have been sent, and is tried again
            log.info("letter not delivered", table=job.table_id, code=error.code)
