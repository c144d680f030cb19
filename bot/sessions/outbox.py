"""The service's side of the outbox: what is still to be done in Discord, and which messages show a table already."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from bot.sessions.errors import NoSuchTable
from bot.sessions.repository import Repository
from engines.text import say
from storage.records import Ending, Job, JobKind, Table

REPLAY_AFTER: Final = 5.0
"""Seconds after the last board of a game before its replay is drawn, which is in nobody's way then."""


@dataclass(frozen=True, kw_only=True)
class Posted:
    """A board message that was posted.

    Attributes:
        channel_id, message_id: the message.
        version: the version of the game that it shows.
        since: the version after which it tells the events.
        turn: the turn that it belongs to; None for one of an earlier turn.
        at: when it was posted.
    """

    channel_id: int
    message_id: int
    version: int
    since: int
    turn: int | None
    at: float | None


class Outbox:
    """The jobs that are still to be carried out. A job is usually enqueued in the transaction of the change it shows."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def due(self, table_id: int | None = None) -> tuple[Job, ...]:
        """The jobs that are due now, the most urgent first and at most a hundred: those of one table, or of all tables."""
        async with self._repository.reading() as reader:
            return await reader.jobs_due(self._repository.now(), table_id=table_id)

    async def queues(self, busy: Collection[str], limit: int) -> tuple[str, ...]:
        """The queues with jobs that are due now, except the busy ones; see `storage.queues`."""
        async with self._repository.reading() as reader:
            return await reader.queues_due(self._repository.now(), busy=busy, limit=limit)

    async def first(self, place: str) -> Job | None:
        """The job of a queue that is to be carried out first, of those that are due now, or None."""
        async with self._repository.reading() as reader:
            return await reader.first_in_queue(place, self._repository.now())

    async def next_due(self, busy: Collection[str] = ()) -> float | None:
        """When the next job outside of the busy queues is due, in seconds since the epoch; None if there is none."""
        async with self._repository.reading() as reader:
            return await reader.next_job(busy=busy)

    async def waits(self, job: Job) -> bool:
        """Whether a job is still to be done, unchanged since it was read."""
        async with self._repository.reading() as reader:
            return await reader.job(job.id) == job

    async def enqueue(self, table_id: int, kind: JobKind) -> None:
        """Add a job that does not come with a change to the table."""
        async with self._repository.store.write() as writer:
            await self._repository.enqueue(writer, table_id, kind)

    async def share(self, table_id: int, *, channel: int, version: int, user: int) -> None:
        """Have the replay of a game posted in a channel, because a user wants to share it at this version."""
        async with self._repository.store.write() as writer:
            await self._repository.enqueue(
                writer, table_id, JobKind.REPLAY, str(channel), channel=channel, version=version, user=user
            )

    async def finish(self, job: Job) -> None:
        """Delete a job that is done, unless a newer one has taken its place."""
        async with self._repository.store.write() as writer:
            await writer.finish_job(job)

    async def finish_kind(self, table_id: int, kind: JobKind) -> None:
        """Delete the due jobs of one kind at a table, because what they are to show has been shown in another way."""
        async with self._repository.store.write() as writer:
            await writer.finish_jobs(table_id, kind, self._repository.now())

    async def postpone(self, job: Job, seconds: float) -> None:
        """Retry a job after so many seconds, unless a newer one has taken its place."""
        async with self._repository.store.write() as writer:
            await writer.postpone(job.id, self._repository.now() + seconds)

    async def retry(self, guild_id: int) -> bool:
        """Make the failed jobs of a server due now. Returns whether there were any."""
        async with self._repository.store.write() as writer:
            return await writer.retry_jobs(guild_id, self._repository.now()) > 0

    async def note(self, table_id: int, **columns: Any) -> None:
        """Record which messages show a table, and what they show, in fields of `storage.records.Table`.

        Raises NoSuchTable if the table was deleted in the meantime, because the bot was removed from its server.
        """
        async with self._repository.store.write() as writer:
            if await writer.table(table_id) is None:
                raise NoSuchTable(say("There’s no table #{n} here.", n=table_id))
            await writer.change_table(table_id, **columns)

    async def posted(self, table_id: int, board: Posted, *strays: Posted) -> None:
        """Record which message is the newest board of a table, and have the buttons of the one before removed.

        `strays` are board messages that were not recorded when they were posted; they lose their buttons too. The last board of
        a game that was really played is followed by its replay. Raises NoSuchTable if the table was deleted in the meantime.
        """
        async with self._repository.store.write() as writer:
            table = await writer.table(table_id)
            if table is None:
                raise NoSuchTable(say("There’s no table #{n} here.", n=table_id))
            await writer.change_table(
                table_id, board_channel_id=board.channel_id, board_message_id=board.message_id, board_version=board.version,
                board_since=board.since, board_turn=board.turn, board_posted=board.at,
            )  # fmt: skip
            if _is_last(table, board):
                now = self._repository.now()
                replay = Job(table_id=table_id, kind=JobKind.REPLAY, due=now + REPLAY_AFTER, created_at=now)
                await writer.enqueue(replay)
            for old in (*_board_of(table), *strays):
                if old.message_id != board.message_id:
                    await self._repository.enqueue(
                        writer, table_id, JobKind.RETIRE, str(old.message_id),
                        channel=old.channel_id, message=old.message_id, version=old.version, since=old.since,
                    )  # fmt: skip


def _is_last(table: Table, board: Posted) -> bool:
    """Whether a board that was posted is the first one to show the end of a game, and something was played in it."""
    ended = table.outcome
    first = board.turn == table.turn and table.board_turn != table.turn
    return ended is not None and ended.how is not Ending.CLOSED and first and table.version > 1


def _board_of(table: Table) -> tuple[Posted, ...]:
    """The newest board message of a table, if it has one."""
    if table.board_channel_id is None or table.board_message_id is None:
        return ()
    return (
        Posted(
            channel_id=table.board_channel_id, message_id=table.board_message_id, version=table.board_version or 0,
            since=table.board_since or 0, turn=table.board_turn, at=table.board_posted,
        ),
    )  # fmt: skip
