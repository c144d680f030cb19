"""Statements for pending decisions of computers. These wait while their table is in quarantine or the bot is off its server."""

from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import HERE, IN_ORDER
from storage.schema.records import Status, Thinking
from storage.schema.tables import tables, thinking
from storage.transactions import Reader, Writer

_ONE: Final = sa.select(thinking).where(thinking.c.table_id == sa.bindparam("table_id"))
_GOING_ON: Final = (tables.c.id == thinking.c.table_id, tables.c.status == Status.PLAYING, IN_ORDER, HERE)


async def get(reader: Reader, table_id: int) -> Thinking | None:
    """Return the pending decision of a table's computers, or None if there is none or it cannot be read."""
    return next(iter(await reader.readable(Thinking, _ONE, table_id=table_id)), None)


async def due(reader: Reader, now: float, limit: int = 100, *, without: Collection[int] = ()) -> tuple[int, ...]:
    """Return the tables where a computer has to be asked by `now`, longest waiting first. Tables in `without` are ignored."""
    found = sa.select(thinking.c.table_id).where(thinking.c.due <= now, *_waiting(reader, without))
    return tuple((await reader.execute(found.order_by(thinking.c.due, thinking.c.table_id).limit(limit))).scalars())


async def next_due(reader: Reader, *, without: Collection[int] = ()) -> float | None:
    """Return when a computer has to be asked next, in seconds since the epoch, or None. Tables in `without` are ignored."""
    found = sa.select(sa.func.min(thinking.c.due)).where(*_waiting(reader, without))
    moment = (await reader.execute(found)).scalar()
    return moment if isinstance(moment, float) else None


def _waiting(reader: Reader, without: Collection[int]) -> list[sa.ColumnElement[bool]]:
    """Return the conditions under which a decision counts: it can be carried out now, and its table is not in `without`."""
    others = [thinking.c.table_id.not_in(tuple(without))] if without else []
    return [sa.exists().where(*_GOING_ON, *reader.own()), *others]


async def put(writer: Writer, decision: Thinking) -> None:
    """Store the pending decision of a table's computers, replacing the previous one."""
    writer.note_times(decision.due)
    writer.put(thinking, decision)


async def remove(writer: Writer, table_id: int) -> None:
    """Delete the pending decision of a table's computers, if there is one."""
    writer.later(sa.delete(thinking).where(thinking.c.table_id == table_id))
