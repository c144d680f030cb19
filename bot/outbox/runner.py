"""JobRunner: carries out the jobs of the outbox, kind by kind.

A job only says *that* something has to be shown ("the board of table 12"). The table is read when the job is carried out, so
several changes in a short time take a single message. Each kind of job has a module of its own: `boards`, `lobbies`,
`openings`, `notices`, `direct_messages`, `dismissals`, `replays`.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import discord

from bot.messages.table.notices import BUILDERS
from bot.outbox.delivery.access import Access, Handler
from bot.outbox.delivery.permissions import UNKNOWN_CHANNEL
from bot.outbox.jobs.boards import Boards
from bot.outbox.jobs.direct_messages import send_direct_message
from bot.outbox.jobs.dismissals import dismiss
from bot.outbox.jobs.lobbies import Lobbies
from bot.outbox.jobs.notices import send_notice
from bot.outbox.jobs.openings import UNPLACED, Openings
from bot.outbox.jobs.quarantine import announce_quarantine
from bot.outbox.jobs.replays import post_replay, shares
from bot.sessions import Snapshot
from bot.sessions.outbox import Shown
from storage.schema.records import Job, JobKind


class JobRunner:
    """Carries out jobs.

    Args:
        access: the way to Discord and to the service.

    Attributes:
        without_table: carry out the jobs that are about no table, by their kind, as the handlers of tables do.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        lobbies = Lobbies(access)
        self._openings = Openings(access, lobbies)
        self._handlers: Final[Mapping[JobKind, Handler]] = {
            **Boards(access).handlers(),
            **lobbies.handlers(),
            **self._openings.handlers(),
            **dict.fromkeys(BUILDERS, partial(send_notice, access)),
            JobKind.LETTER: partial(send_direct_message, access),
            JobKind.DISMISSAL: partial(dismiss, access),
            JobKind.REPLAY: partial(post_replay, access),
        }
        self.without_table: dict[JobKind, Callable[[Job], Awaitable[None]]] = {}

    async def announce_quarantine(self, job: Job) -> None:
        """Carry out the job that tells players that their table is in quarantine: the table cannot be read for it."""
        await announce_quarantine(self._access, job)

    async def carry_out_alone(self, job: Job) -> None:
        """Carry out a job that is about no table. Raises LookupError if no handler is known, and what `carry_out` raises."""
        await self.without_table[job.kind](job)

    async def carry_out(self, snapshot: Snapshot, job: Job) -> Shown | None:
        """Carry out a job, once the table has its place. Returns what has to be recorded of it.

        Raises GivenUp, or the error with which Discord refused it.

        If the thread of a table has been deleted, its game continues in the channel, unless it is private.
        """
        try:
            return await self._carry_out(snapshot, job)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL or snapshot.table.thread_id is None or job.kind in UNPLACED or shares(job):
                raise
            return await self._carry_out(await self._access.sessions.places.record_lost_thread(job.table_number), job)

    async def _carry_out(self, snapshot: Snapshot, job: Job) -> Shown | None:
        placed = await self._openings.give_place(snapshot, job)
        if job.kind is JobKind.INVITATION and not await self._access.sessions.outbox.waits(job):
            return None
        return await self._handlers[job.kind](placed, job)
