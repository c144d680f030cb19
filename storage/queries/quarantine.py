"""Tables that are in quarantine because they cannot be read. The queries work whatever is wrong with a row.

Unreadable tables are found by the types of their values. If one row with each combination of types can be read, so can all the
others.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from storage.queries.row_conditions import IN_ORDER, NEVER, NOT_OVER, OVER, raw
from storage.schema.column_types import Structure, Word
from storage.schema.records import Grace, Status
from storage.schema.tables import departures, outbox, plans, seats, tables, thinking, watches
from storage.transactions import Reader, Writer

_CHOSEN: Final = frozenset({"wanted", "rules"})
"""The columns of tables with numbers that may be valid in one game and not in another."""

_LARGEST: Final = 1e308
"""A number so large that almost nothing but infinity exceeds it."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What can be said about a table even if its row cannot be read. A value that is itself wrong is None.

    Attributes:
        private: whether the table is private, or may be.
        solo: whether nothing about the game is shown in a channel.
        begun: whether the game has begun, or may have.
        over: whether the game is over, or the table was closed.
        reason: why the table is in quarantine, or None if it is not.
        seated: the ids of the users who sit there or are invited.
        known: the ids of the users who may know about the table, including those who have left the game.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    thread_id: int | None
    private: bool
    solo: bool
    begun: bool
    over: bool
    reason: str | None
    seated: tuple[int, ...]
    known: tuple[int, ...]


async def samples(reader: Reader) -> list[int]:
    """Return unfinished tables, one for each combination of types in a table's row, its seats or its departures.

    If all of them can be read with their seats and departures, and `names_are_text` is true, then all other tables can be read
    too.
    """
    live, dialect = (IN_ORDER, NOT_OVER, *reader.own()), reader.dialect
    of_tables = sa.select(sa.func.min(tables.c.id)).where(*live).group_by(*_types(tables, dialect))
    seated = sa.select(sa.func.min(seats.c.table_id)).join_from(seats, tables).where(*live)
    of_seats = seated.group_by(*_types(seats, dialect, frozenset({"name"})))
    left = sa.select(sa.func.min(departures.c.table_id)).join_from(departures, tables).where(*live)
    of_departures = left.group_by(*_types(departures, dialect, frozenset({"name"})))
    found = [await reader.rows(statement) for statement in (of_tables, of_seats, of_departures)]
    return sorted({row[0] for rows in found for row in rows})


async def names_are_text(reader: Reader) -> bool:
    """Return whether the names of all who sit or sat at unfinished tables are text. In SQLite, they may be any bytes."""
    live = (IN_ORDER, NOT_OVER, *reader.own())
    names = [sa.select(table.c.name).distinct().join_from(table, tables).where(*live) for table in (seats, departures)]
    found = [row[0] for statement in names for row in await reader.rows(statement)]
    return all(type(name) is str for name in found)


async def whereabouts(reader: Reader, table_id: int) -> Whereabouts | None:
    """Return what can be said about a table, whatever is wrong with its row, or None if the table doesn't exist."""
    columns = ("guild_id", "channel_id", "thread_id", "private", "solo", "status", "set_aside")
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
        solo=row["solo"] in (1, True),
        begun=row["status"] != Status.OPEN.value,
        over=row["status"] in OVER,
        reason=None if row["set_aside"] is None else str(row["set_aside"]),
        seated=tuple(user for user, status in there if status in ("joined", "invited") and user > 0),
        known=tuple(user for user, status in there if status != "declined"),
    )


async def find(reader: Reader, guild_id: int | None = None, *, finished: bool = False) -> list[tuple[int, str]]:
    """Return the tables in quarantine, with the reasons, on one server or on all. Finished ones are included if `finished`."""
    found = sa.select(tables.c.id, tables.c.set_aside.label("reason")).where(~IN_ORDER, *reader.own())
    if not finished:
        found = found.where(NOT_OVER)
    if guild_id is not None:
        found = found.where(tables.c.guild_id == guild_id)
    rows = (await reader.execute(found.order_by(tables.c.id))).mappings()
    return [(row["id"], str(row["reason"])) for row in rows]


async def put(writer: Writer, table_id: int, reason: str) -> bool:
    """Put a table into quarantine. Returns False if it is already there or doesn't exist."""
    change = sa.update(tables).where(tables.c.id == table_id, IN_ORDER).values(set_aside=reason)
    return await writer.count(change) == 1


async def release(writer: Writer, table_id: int) -> None:
    """Take a table out of quarantine."""
    writer.later(sa.update(tables).where(tables.c.id == table_id).values(set_aside=None))


async def close(writer: Writer, table_id: int, now: float, **columns: Any) -> None:
    """Close a table without reading it: change these columns, stop its clock, and delete its jobs, plans and watches.

    From then on, nobody is notified about the table, because nobody knows who may look at a private table that cannot be read.
    """
    for table in (outbox, plans, thinking, watches):
        writer.later(sa.delete(table).where(table.c.table_id == table_id))
    used = sa.case((tables.c.grace == Grace.RUNNING, sa.literal(Grace.USED, tables.c.grace.type)), else_=tables.c.grace)
    ended = {"finished_at": now, "deadline": None, "notice_at": None, "rated": False, "grace": used}
    writer.later(sa.update(tables).where(tables.c.id == table_id).values(**(ended | columns)))


async def dead_jobs(reader: Reader) -> list[int]:
    """Return the ids of the jobs that have been put off for ever because they could not be read."""
    dead = sa.select(outbox.c.id).where(outbox.c.due == NEVER, *reader.own(outbox.c.guild_id))
    return list((await reader.execute(dead)).scalars())


async def bury_job(writer: Writer, job_id: int) -> None:
    """Put off an unreadable job for ever."""
    writer.later(sa.update(outbox).where(outbox.c.id == job_id).values(due=NEVER))


async def revive_job(writer: Writer, job_id: int, due: float) -> None:
    """Make a job that was put off by `bury_job` due again."""
    writer.later(sa.update(outbox).where(outbox.c.id == job_id).values(due=due, tries=0))


def _number(value: object) -> int | None:
    return value if type(value) is int else None


@cache
def _types(table: sa.Table, dialect: str, without: frozenset[str] = frozenset()) -> list[sa.ColumnElement[Any]]:
    """Return what distinguishes the rows of a table: the words in columns of words, and otherwise only the types of the values.

    Only SQLite stores values of other types than that of the column. Infinity counts as something other than a number
    everywhere.
    """
    found: list[sa.ColumnElement[Any]] = []
    for column in table.c:
        if column.name in without:
            continue
        value = raw(column)
        if dialect == "sqlite":
            found.append(sa.func.typeof(value))
        if isinstance(column.type, sa.Double):
            found.append(sa.func.abs(value) > _LARGEST)
        elif isinstance(column.type, Word | Structure | sa.String | sa.Boolean) or column.name in _CHOSEN:
            found.append(sa.cast(value, sa.String))
    return found
