"""JobRunner: carries out the jobs of the outbox, kind by kind.

A job only says *that* something has to be shown ("the board of table 12"). What to show is read when the job is carried out, so
several changes in a short time take a single message. What each kind does is in a module of its own: `boards`, `lobbies`,
`openings`, `notices`, `letters`, `dismissals`, `replays`.
"""

from collections.abc import Mapping
from typing import Final

import discord

from bot.outbox.access import Access, Handler
from bot.outbox.aside import AsideNotice
from bot.outbox.boards import Boards
from bot.outbox.dismissals import Dismissals
from bot.outbox.letters import Letters
from bot.outbox.lobbies import Lobbies
from bot.outbox.notices import Notices
from bot.outbox.openings import UNPLACED, Openings
from bot.outbox.permissions import UNKNOWN_CHANNEL
from bot.outbox.replays import Replays, shares
from bot.sessions import Snapshot
from bot.sessions.outbox import Shown
from storage.records import Job, JobKind


class JobRunner:
    """Carries out jobs.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._aside = AsideNotice(access)
        lobbies = Lobbies(access)
        self._openings = Openings(access, lobbies)
        self._handlers: Final[Mapping[JobKind, Handler]] = {
            **Boards(access).handlers(),
            **lobbies.handlers(),
            **self._openings.handlers(),
            **Letters(access).handlers(),
            **Notices(access).handlers(),
            **Dismissals(access).handlers(),
            **Replays(access).handlers(),
        }

    async def announce(self, job: Job) -> None:
        """Carry out the job that tells that a table has been set aside, and so cannot be read for it."""
        await self._aside.announce(job)

    async def carry_out(self, snapshot: Snapshot, job: Job) -> Shown | None:
        """Carry out a job, once the table has its place. Returns what has then to be recorded.

        Raises GivenUp, or the error with which Discord refused it.

        If the thread of a table has been deleted, its game continues in the channel, unless it is private.
        """
        try:
            return await self._carry_out(snapshot, job)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or snapshot.table.thread_id is None or job.kind in UNPLACED or shares(job):
                raise
            return await self._carry_out(await self._access.sessions.places.thread_gone(job.table_id), job)

    async def _carry_out(self, snapshot: Snapshot, job: Job) -> Shown | None:
        placed = await self._openings.placed(snapshot, job)
        if placed is not snapshot:
            self._access.stir()
        if job.kind is JobKind.INVITATION and not await self._access.sessions.outbox.waits(job):
            return None
        return await self._handlers[job.kind](placed, job)
