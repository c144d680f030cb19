"""The outbox, which contains the jobs that are still to be done in Discord."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.sql.dml import ReturningInsert

from storage.queries.row_conditions import JOB_HERE, NEVER, SPEAKABLE
from storage.schema.column_types import as_text
from storage.schema.job_records import OF_NO_SERVER
from storage.schema.jobs import FIRST, IDLE, server_subject
from storage.schema.records import Job, JobKind
from storage.schema.rows import to_row
from storage.schema.tables import outbox, tables
from storage.transactions import Insert, Reader, ShardFilter, Writer, insert_into

# A job's table, under a name of its own: conditions on jobs refer to tables too.
_home = tables.alias("home")


def _words(*parts: Any) -> sa.ColumnElement[str]:
    joined: sa.ColumnElement[str] = sa.literal("")
    for number, part in enumerate(parts):
        text = sa.literal(part) if isinstance(part, str) else sa.cast(part, sa.String)
        joined = text if number == 0 else joined.concat(" ").concat(text)
    return joined


def _is_one_of(kinds: Collection[JobKind]) -> sa.ColumnElement[bool]:
    """Return the condition that a job is of one of these kinds, which SQLAlchemy need not write out for every statement."""
    return outbox.c.kind.in_([sa.literal(kind, outbox.c.kind.type) for kind in kinds])


_QUEUE: Final = sa.case(
    (outbox.c.place.is_not(None), outbox.c.place),
    (outbox.c.kind == JobKind.WATCH, _words("person", outbox.c.key)),
    (outbox.c.kind == JobKind.REMINDER, _words("reminder", outbox.c.table_id, outbox.c.key)),
    # A replay takes long to draw, and nothing else should have to wait for it.
    (outbox.c.kind == JobKind.REPLAY, _words("replay", outbox.c.table_id, outbox.c.key)),
    (outbox.c.kind == JobKind.LETTER, _words("letter", outbox.c.table_id, outbox.c.key)),
    (_is_one_of((JobKind.LOBBY, JobKind.OPENING)), _words("channel", sa.func.coalesce(_home.c.channel_id, 0))),
    else_=_words("channel", sa.func.coalesce(_home.c.thread_id, _home.c.channel_id, 0)),
)
"""The queue that a job belongs to. `storage.schema.jobs` explains queues."""

_URGENCY: Final = sa.case(
    *((_is_one_of(kinds), number) for number, kinds in enumerate(FIRST)),
    (_is_one_of(IDLE), len(FIRST) + 1),
    else_=len(FIRST),
)
_URGENT_FIRST: Final = (_URGENCY, outbox.c.due, outbox.c.id)
"""The order in which jobs are carried out."""


@cache
def _deliverable(shard_filter: ShardFilter | None) -> sa.ColumnElement[bool]:
    """Return the condition that a job can be done, and that its server belongs to this process."""
    own = () if shard_filter is None else (shard_filter.condition(outbox.c.guild_id),)
    return sa.and_(JOB_HERE, SPEAKABLE, *own)


@cache
def _waiting(shard_filter: ShardFilter | None) -> sa.Select[Any]:
    """Return the statement of `waiting`, which finds jobs with their queues. Its parameters are the arguments of `waiting`."""
    turn = sa.func.row_number().over(partition_by=_QUEUE, order_by=_URGENT_FIRST)
    found = sa.select(outbox, _QUEUE.label("queue"), _URGENCY.label("urgency"), turn.label("turn"))
    is_due = (outbox.c.due <= sa.bindparam("now"), _deliverable(shard_filter))
    due = found.join_from(outbox, _home, isouter=True).where(*is_due).subquery()
    columns = [due.c[column.name] for column in outbox.c]
    free = due.c.queue.not_in(sa.bindparam("busy", expanding=True))
    wanted = sa.select(*columns, due.c.queue).where(due.c.turn <= sa.bindparam("each"), free)
    return wanted.order_by(due.c.urgency, due.c.due, due.c.id).limit(sa.bindparam("limit"))


@cache
def _next_due(shard_filter: ShardFilter | None) -> sa.Select[Any]:
    return sa.select(sa.func.min(outbox.c.due)).where(outbox.c.due > sa.bindparam("after"), _deliverable(shard_filter))


_JOB: Final = sa.select(outbox).where(outbox.c.id == sa.bindparam("job_id"))
_OF_TABLE: Final = (
    sa.select(outbox).where(outbox.c.table_id == sa.bindparam("table_id"), _deliverable(None)).order_by(*_URGENT_FIRST)
)
_FINISHED: Final = sa.delete(outbox).where(outbox.c.id == sa.bindparam("job_id"))


async def due(reader: Reader, now: float, *, table_id: int | None = None, limit: int = 100) -> tuple[Job, ...]:
    """Return the jobs, of one table or of all, that can be done and are due by `now`, the most urgent and oldest first."""
    found = sa.select(outbox).where(outbox.c.due <= now, _deliverable(reader.shard_filter))
    if table_id is not None:
        found = found.where(outbox.c.table_id == table_id)
    return await reader.readable(Job, found.order_by(*_URGENT_FIRST).limit(limit))


async def waiting(
    reader: Reader, now: float, *, busy: Collection[str] = (), each: int, limit: int
) -> tuple[tuple[str, Job], ...]:
    """Return the jobs that are due by `now`, each with its queue, in the order in which they are carried out.

    Queues in `busy` are left out. At most `each` jobs come from one queue, so that a long queue does not hide the others.
    """
    rows = await reader.rows(_waiting(reader.shard_filter), now=now, busy=list(busy), each=each, limit=limit)
    found = [(row.queue, reader.read_row(Job, row[:-1])) for row in rows]
    return tuple((queue, job) for queue, job in found if job is not None)


async def of_table(reader: Reader, table_id: int) -> tuple[Job, ...]:
    """Return a table's jobs, due or not, urgent and oldest first. In quarantine, return only the jobs that announce it."""
    return await reader.readable(Job, _OF_TABLE, table_id=table_id)


async def reminders(reader: Reader) -> tuple[Job, ...]:
    """Return the reminders that have not been sent yet, including those that wait for the end of quiet hours."""
    unsent = (outbox.c.kind == JobKind.REMINDER, outbox.c.due < NEVER)
    found = sa.select(outbox).where(*unsent, *reader.own(outbox.c.guild_id))
    return await reader.readable(Job, found.order_by(outbox.c.id))


async def refused_boards(reader: Reader, table_ids: Collection[int]) -> dict[int, int]:
    """Return those of these tables whose boards Discord refuses to show, each with the code of Discord's error."""
    boards = (outbox.c.kind == JobKind.BOARD, outbox.c.table_id.in_(tuple(table_ids)))
    found = await reader.readable(Job, sa.select(outbox).where(*boards))
    return {job.table_number: job.payload["refused"] for job in found if "refused" in job.payload}


async def unfinished(reader: Reader) -> tuple[Job, ...]:
    """Return all jobs, due or not, oldest first."""
    found = sa.select(outbox).where(*reader.own(outbox.c.guild_id))
    return await reader.readable(Job, found.order_by(outbox.c.id))


async def is_readable(reader: Reader, job_id: int) -> bool:
    """Return whether this job exists and can be read."""
    return bool(await reader.readable(Job, sa.select(outbox).where(outbox.c.id == job_id)))


async def get(reader: Reader, job_id: int) -> Job | None:
    """Return the job with this id, or None if it has been done or replaced."""
    return await reader.record(Job, _JOB, job_id=job_id)


async def next_due(reader: Reader, after: float = 0.0) -> float | None:
    """Return when the first job after a moment is due, in seconds since the epoch, or None if there is none."""
    moment = (await reader.execute(_next_due(reader.shard_filter), {"after": after})).scalar()
    return moment if isinstance(moment, float) else None


async def enqueue(writer: Writer, job: Job) -> Job:
    """Put a job into the outbox and return it with a new id. If it replaces another job, it takes over its time of creation."""
    stored = await writer.row(_enqueue_known(writer.dialect), **_new(job))
    assert stored is not None, "it was inserted, or has replaced another"
    filled_in = {"id": stored.id, "guild_id": stored.guild_id, "subject": stored.subject}
    return replace(job, tries=stored.tries, created_at=stored.created_at, **filled_in)


async def enqueue_later(writer: Writer, job: Job) -> None:
    """Put a job into the outbox as `enqueue` does, together with the next question or the commit."""
    writer.later(_enqueue(writer.dialect), _new(job))


async def release(writer: Writer, table_id: int, now: float) -> None:
    """Make due now those jobs of a table that have not been tried yet."""
    untried = (outbox.c.table_id == table_id, outbox.c.tries == 0, outbox.c.due > now)
    writer.later(sa.update(outbox).where(*untried).values(due=now))


async def postpone(writer: Writer, job_id: int, due: float) -> None:
    """Try a job again at `due`, in seconds since the epoch, unless a newer job, with its own time, has replaced it."""
    again = sa.update(outbox).where(outbox.c.id == job_id)
    writer.later(again.values(due=due, tries=outbox.c.tries + 1))


async def note_refusal(writer: Writer, job_id: int, due: float, payload: Mapping[str, Any]) -> None:
    """Postpone a job, and give it a payload in which Discord's refusal is noted."""
    again = sa.update(outbox).where(outbox.c.id == job_id)
    writer.later(again.values(due=due, tries=outbox.c.tries + 1, payload=dict(payload)))


async def finish(writer: Writer, job: Job) -> bool:
    """Delete a job that has been done. Returns False if it had already been deleted or replaced."""
    return await writer.count(_FINISHED, {"job_id": job.id}) == 1


async def finish_later(writer: Writer, job: Job) -> None:
    """Delete a job that has been done, together with the next question or the commit."""
    writer.later(_FINISHED, {"job_id": job.id})


async def drop(writer: Writer, guild_id: int, subject: str, kind: JobKind) -> None:
    """Delete the jobs of one kind about one of a server's subjects, due or not, because there is nothing left to do."""
    same = (outbox.c.guild_id == guild_id, outbox.c.subject == subject, outbox.c.kind == kind)
    writer.later(sa.delete(outbox).where(*same))


async def finish_due(writer: Writer, table_id: int, kind: JobKind, now: float, key: str = "") -> None:
    """Delete the due job with this kind and key at a table, because something else has already shown the same."""
    same = (outbox.c.table_id == table_id, outbox.c.kind == kind, outbox.c.key == key)
    writer.later(sa.delete(outbox).where(*same, outbox.c.due <= now))


async def retry(writer: Writer, guild_id: int, now: float) -> int:
    """Make a server's failed jobs due now, as if they had never been tried. Returns how many there were."""
    failed = (outbox.c.guild_id == guild_id, outbox.c.tries > 0, outbox.c.due > now)
    return await writer.count(sa.update(outbox).where(*failed).values(due=now, tries=0))


async def move_reminder(writer: Writer, job_id: int, due: float) -> None:
    """Change the time of a reminder, in seconds since the epoch."""
    writer.later(sa.update(outbox).where(outbox.c.id == job_id, outbox.c.kind == JobKind.REMINDER).values(due=due))


def _new(job: Job) -> dict[str, Any]:
    if job.table_id is None and not (job.place and (job.guild_id or job.kind in OF_NO_SERVER)):
        raise ValueError(f"a job that is about no table needs a server and a place: {job}")
    row = to_row(job) | {"tries": 0}
    del row["id"]
    row["subject"] = job.subject or (server_subject(job.guild_id) if job.table_id is None else f"table {job.table_id}")
    return row | {"at_table": job.table_id, "at_server": row.pop("guild_id")}


_REFUSED: Final = sa.and_(_is_one_of((JobKind.BOARD, JobKind.POST)), as_text(outbox.c.payload).like('%"refused"%'))
"""The condition that Discord has refused a board or a post which is still owed."""


def _with_refusal(dialect: str, payload: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """Return a new payload with the old one's notes on Discord's refusal: its code, and the turn whose players were told."""
    old = outbox.c.payload
    if dialect == "sqlite":
        refused, told = sa.func.json_extract(old, "$.refused"), sa.func.json_extract(old, "$.told")
        merged = sa.func.json_patch(payload, sa.func.json_object("refused", refused, "told", told))
        return sa.type_coerce(sa.case((sa.func.json_valid(old) == 1, merged), else_=payload), old.type)
    from sqlalchemy.dialects.postgresql import JSONB  # noqa: PLC0415 - not needed with a file: see `insert_into`

    known = sa.cast(old, JSONB)
    refusal = sa.func.jsonb_build_object("refused", known.op("->")("refused"), "told", known.op("->")("told"))
    return sa.cast(sa.cast(payload, JSONB).concat(sa.func.jsonb_strip_nulls(refusal)), sa.JSON)


@cache
def _enqueue(dialect: str) -> Insert:
    """Return the statement that inserts a job, or replaces the one with the same subject, kind and key.

    The job of a table is on the table's server. The time since which it has been owed is kept. A board or post that Discord has
    refused stays refused, and a newer one does not add to its tries.
    """
    # Whatever is wrong with a table's row, a job can report it: in SQLite, a server's id that is no number becomes 0.
    at_table, given = (sa.bindparam(name, type_=sa.BigInteger) for name in ("at_table", "at_server"))
    server = sa.select(sa.cast(tables.c.guild_id, sa.BigInteger)).where(tables.c.id == at_table)
    insert = insert_into(dialect, outbox).values(guild_id=sa.func.coalesce(server.scalar_subquery(), given))
    earlier = sa.case((outbox.c.created_at < insert.excluded.created_at, outbox.c.created_at), else_=insert.excluded.created_at)
    newest = {name: insert.excluded[name] for name in ("id", "due", "tries", "place")} | {"created_at": earlier}
    newest["payload"] = sa.case((_REFUSED, _with_refusal(dialect, insert.excluded.payload)), else_=insert.excluded.payload)
    newest["tries"] = sa.case((_REFUSED, outbox.c.tries), else_=insert.excluded.tries)
    return insert.on_conflict_do_update(index_elements=["guild_id", "subject", "kind", "key"], set_=newest)


@cache
def _enqueue_known(dialect: str) -> ReturningInsert[Any]:
    """Return the same statement, which also returns what the store fills in, and since when the job has been owed."""
    return _enqueue(dialect).returning(outbox.c.id, outbox.c.guild_id, outbox.c.subject, outbox.c.created_at, outbox.c.tries)
