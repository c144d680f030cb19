"""Openings: the ``opening`` jobs, which give a table its place in Discord, namely its lobby message and its thread.

Each step is recorded once it is done. A step that was done but not recorded is found again, since the job may be cut off at any
moment. All other jobs of a table wait until it has its place.
"""

import asyncio
from collections.abc import Mapping
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.core.places import Places
from bot.core.table.snapshot import Snapshot
from bot.messages.direct_messages import news_text, no_place, played_here
from bot.outbox.access import Access, GivenUp, Handler
from bot.outbox.lobbies import Lobbies
from bot.outbox.permissions import UNKNOWN_MESSAGE
from bot.outbox.threads import NoThread, TableThreads
from storage.schema.records import Job, JobKind, Status

UNPLACED: Final = frozenset({JobKind.LOBBY, JobKind.OPENING, JobKind.RETIRE, JobKind.LETTER, JobKind.DISMISSAL})
"""The jobs that show nothing where a table is played."""

log = structlog.get_logger(__name__)


class Openings:
    """Gives tables their places."""

    def __init__(self, access: Access, lobbies: Lobbies) -> None:
        self._access = access
        self._lobbies = lobbies
        self._threads = TableThreads(access)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def handlers(self) -> Mapping[JobKind, Handler]:
        """Return the handlers of the jobs that are carried out here."""
        return {JobKind.OPENING: self._opening}

    async def _opening(self, snapshot: Snapshot, job: Job) -> None:
        await self._open(snapshot, job)

    async def give_place(self, snapshot: Snapshot, job: Job) -> Snapshot:
        """Give a table the place that a job needs. Raises GivenUp if a private table has none, to show nothing in public."""
        table = snapshot.table
        if job.kind in UNPLACED:
            return snapshot
        if lacks_place(snapshot, job):
            try:
                snapshot = await self._open(snapshot, job)
            except GivenUp:
                snapshot = await self._access.core.snapshot(table.id)
        if snapshot.table.private and not await self._threads.is_private(snapshot.table):
            await self._access.core.service(Places).record_lost_thread(table.id)
            raise GivenUp(no_place(snapshot) if snapshot.table.status is Status.PLAYING else None)
        return snapshot

    async def _open(self, snapshot: Snapshot, job: Job) -> Snapshot:
        """Take the remaining steps to open a table, in one attempt at a time. Raises GivenUp if its thread is impossible."""
        lock = self._locks.setdefault(snapshot.table.id, asyncio.Lock())
        async with lock:
            snapshot = await self._access.core.snapshot(snapshot.table.id)
            table = snapshot.table
            # A game may be over before its thread is there. Its last board is owed all the same.
            over_unseen = table.status is Status.FINISHED and table.threaded and table.thread_id is None
            if table.status not in {Status.OPEN, Status.PLAYING} and not over_unseen:
                return snapshot
            if snapshot.table.lobby_message_id is None:
                snapshot = await self._lobbies.post(snapshot, job)
            if snapshot.table.thread_id is None and (snapshot.table.threaded or snapshot.table.private):
                snapshot = await self._with_thread(snapshot, job)
            return snapshot

    async def _with_thread(self, snapshot: Snapshot, job: Job) -> Snapshot:
        """Give a table its thread. If that is impossible, a private table is closed, and any other is played in the channel."""
        table, places = snapshot.table, self._access.core.service(Places)
        try:
            thread_id = await self._make_thread(snapshot, job)
        except NoThread as error:
            log.warning("no thread", table=table.id, why=error.letter)
            if table.private:
                await places.close_private(table.id, error.letter)
                raise GivenUp(news_text(snapshot, error.letter)) from error
            await places.record_thread(table.id, None)
            raise GivenUp(played_here(error.letter)) from error
        return await places.record_thread(table.id, thread_id)

    async def _make_thread(self, snapshot: Snapshot, job: Job) -> int:
        """Make the thread, from the lobby message or beside it. Returns its id. Raises NoThread."""
        # An earlier attempt may have made it.
        sure = job.kind is JobKind.OPENING and not self._access.in_doubt(job)
        if snapshot.table.private:
            self._access.doubt(job)  # the thread exists before everybody is let in, and is found again if that fails
            return await self._threads.private(snapshot, anew=sure)
        try:
            return await self._threads.public(snapshot)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        return await self._threads.public(await self._lobbies.post(snapshot, job, again=True))


def lacks_place(snapshot: Snapshot, job: Job) -> bool:
    """Whether a table still lacks the place that a job needs: a thread, or in the case of an invitation a lobby message."""
    if job.kind in UNPLACED:
        return False
    table = snapshot.table
    unannounced = job.kind is JobKind.INVITATION and table.lobby_message_id is None
    return unannounced or (table.threaded and table.thread_id is None)
