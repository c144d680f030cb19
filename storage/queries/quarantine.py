"""Tables in quarantine because they cannot be read: queries that work whatever is wrong with a row."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from storage.queries.conditions import IN_ORDER, NEVER, NOT_OVER, OVER, raw
from storage.schema.records import Grace, Status
from storage.schema.tables import outbox, plans, seats, tables, thinking, watches
from storage.transactions import Reader, Writer


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The facts about a table that can be told even if its row cannot be read. A value that is wrong itself is None.

    Attributes:
        id: its number.
        guild_id, channel_id, thread_id: where it is.
        private: whether it is private, or nobody knows whether it is.
        begun: whether its game has begun, or nobody knows whether it has.
        over: whether its game is over, or was closed.
        reason: why it is in quarantine; None for a table that is in order.
        seated: the ids of the users who sit there or are invited.
        known: the ids of the users who may know of it: those too who have left the game.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    thread_id: int | None
    private: bool
    begun: bool
    over: bool
    reason: str | None
    seated: tuple[int, ...]
    known: tuple[int, ...]


async def whereabouts(reader: Reader, table_id: int) -> Whereabouts | None:
    """Return the facts about a table that can be told whatever is wrong with its row; None if there is no such table."""
    columns = ("guild_id", "channel_id", "thread_id", "private", "status", "set_aside")
    columns_as_they_are = [raw(tables.c[name]).label(name) for name in columns]
    row = (await reader.execute(sa.select(*columns_as_they_are).where(tables.c.id == table_id))).mappings().first()
    if row is None:
        return None
    people = [raw(seats.c[name]).label(name) for name in ("user_id", "status")]
    sitting = (await reader.execute(sa.select(*people).where(seats.c.table_id == table_id))).mappings().all()
    there = [(person["user_id"], person["status"]) for person in sitting if _number(person["user_id"]) is not None]
    return Whereabouts(
        id=table_id,
        guild_id=_number(row["guild_id"]),
        channel_id=_number(row["channel_id"]),
        thread_id=_number(row["thread_id"]),
        private=row["private"] not in (0, False),
        begun=row["status"] != Status.OPEN.value,
        over=row["status"] in OVER,
        reason=None if row["set_aside"] is None else str(row["set_aside"]),
        seated=tuple(user for user, status in there if status in ("joined", "invited") and user > 0),
        known=tuple(user for user, status in there if status != "declined"),
    )


async def find(reader: Reader, guild_id: int | None = None, *, over: bool = False) -> list[tuple[int, str]]:
    """Return the numbers of the tables in quarantine, with the reasons: those of one server, or of all.

    Those whose games are over, or were closed, are left out unless `over`.
    """
    found = sa.select(tables.c.id, tables.c.set_aside.label("reason")).where(~IN_ORDER, *reader.own())
    if not over:
        found = found.where(NOT_OVER)
    if guild_id is not None:
        found = found.where(tables.c.guild_id == guild_id)
    rows = (await reader.execute(found.order_by(tables.c.id))).mappings()
    return [(row["id"], str(row["reason"])) for row in rows]


async def put(writer: Writer, table_id: int, reason: str) -> bool:
    """Put a table in quarantine. Returns False if it is there already, or there is no such table."""
    change = sa.update(tables).where(tables.c.id == table_id, IN_ORDER).values(set_aside=reason)
    return await writer.count(change) == 1


async def release(writer: Writer, table_id: int) -> None:
    """Undo `put`."""
    writer.later(sa.update(tables).where(tables.c.id == table_id).values(set_aside=None))


async def close(writer: Writer, table_id: int, now: float, **columns: Any) -> None:
    """Close a table without reading it: change these columns, stop its clock, and delete its jobs, plans and watches.

    Nobody is notified of it any more: nobody knows who may look at a private table that cannot be read.
    """
    for table in (outbox, plans, thinking, watches):
        writer.later(sa.delete(table).where(table.c.table_id == table_id))
    used = sa.case((tables.c.grace == Grace.RUNNING, sa.literal(Grace.USED, tables.c.grace.type)), else_=tables.c.grace)
    ended = {"finished_at": now, "deadline": None, "notice_at": None, "rated": False, "grace": used}
    writer.later(sa.update(tables).where(tables.c.id == table_id).values(**(ended | columns)))


async def dead_jobs(reader: Reader) -> list[int]:
    """Return the ids of the jobs that were put off for ever because they could not be read."""
    dead = sa.select(outbox.c.id).where(outbox.c.due == NEVER, *reader.own(outbox.c.guild_id))
    return list((await reader.execute(dead)).scalars())


async def bury_job(writer: Writer, job_id: int) -> None:
    """Put off for ever a job that cannot be read."""
    writer.later(sa.update(outbox).where(outbox.c.id == job_id).values(due=NEVER))


async def revive_job(writer: Writer, job_id: int, due: float) -> None:
    """Undo `bury_job`."""
    writer.later(sa.update(outbox).where(outbox.c.id == job_id).values(due=due, tries=0))


def _number(value: object) -> int | None:
    return value if type(value) is int else None
