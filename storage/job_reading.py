"""JobReader: what is still to be done in Discord."""

from collections.abc import Collection
from functools import cache
from typing import Any

import sqlalchemy as sa

from storage import queues
from storage.aside import HERE, SPEAKABLE, at_own
from storage.records import Job, JobKind
from storage.share import Share, within
from storage.tables import outbox, tables
from storage.thinking import ThinkingReader


@cache
def _deliverable(share: Share | None) -> sa.ColumnElement[bool]:
    """The condition that a job can be done."""
    own = within(share, tables.c.guild_id)
    return sa.and_(sa.exists().where(tables.c.id == outbox.c.table_id, HERE, *own), SPEAKABLE)


# What is asked often, see `Rows`.
_JOB = sa.select(outbox).where(outbox.c.id == sa.bindparam("job_id"))
_OF_TABLE = queues.of_table(_deliverable(None))


@cache
def _waiting(share: Share | None) -> sa.Select[Any]:
    return queues.waiting(_deliverable(share))


@cache
def _next_job(share: Share | None) -> sa.Select[Any]:
    return queues.next_due(_deliverable(share))


class JobReader(ThinkingReader):
    """Reads the outbox."""

    async def jobs_due(self, now: float, *, table_id: int | None = None, limit: int = 100) -> tuple[Job, ...]:
        """The jobs that are due by `now`, the most urgent and oldest first: those of one table, or of all tables.

        Nothing is done on servers that the bot was removed from, nor at tables that are set aside.
        """
        found = sa.select(outbox).where(outbox.c.due <= now, _deliverable(self._share))
        if table_id is not None:
            found = found.where(outbox.c.table_id == table_id)
        return await self._readable(Job, found.order_by(*queues.urgent_first()).limit(limit))

    async def jobs_waiting(
        self, now: float, *, busy: Collection[str] = (), each: int, limit: int
    ) -> tuple[tuple[str, Job], ...]:
        """The jobs that are due by `now`, each with its queue, in the order in which they are carried out.

        See `storage.queues.waiting` for the arguments.
        """
        wanted = {"now": now, "busy": list(busy), "each": each, "limit": limit}
        read = [(row.place, self._read(Job, row[:-1])) for row in await self._rows(_waiting(self._share), wanted)]
        return tuple((place, job) for place, job in read if job is not None)

    async def jobs_of(self, table_id: int) -> tuple[Job, ...]:
        """The jobs of a table, due or not, the most urgent and oldest first. Of one that is set aside, those that tell it."""
        return await self._readable(Job, _OF_TABLE, table_id=table_id)

    async def reminders(self) -> tuple[Job, ...]:
        """The reminders that are still to be sent, also those that wait for the end of somebody's quiet hours."""
        found = sa.select(outbox).where(outbox.c.kind == JobKind.REMINDER, *at_own(self._share, outbox.c.table_id))
        return await self._readable(Job, found.order_by(outbox.c.id))

    async def jobs(self) -> tuple[Job, ...]:
        """All jobs in the order in which they were made, due or not."""
        found = sa.select(outbox).where(*at_own(self._share, outbox.c.table_id))
        return await self._readable(Job, found.order_by(outbox.c.id))

    async def readable_job(self, job_id: int) -> bool:
        """Whether there is such a job, and it can be read."""
        return bool(await self._readable(Job, sa.select(outbox).where(outbox.c.id == job_id)))

    async def job(self, job_id: int) -> Job | None:
        """The job with this id; None if it is done, or a newer one has taken its place."""
        return await self._one(Job, _JOB, job_id=job_id)

    async def next_job(self, after: float = 0.0) -> float | None:
        """When the first job is due that is due after a moment, in seconds since the epoch; None if there is none."""
        moment = (await self._do(_next_job(self._share), {"after": after})).scalar()
        return moment if isinstance(moment, float) else None
