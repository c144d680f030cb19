"""Watches: who wants to be notified about a table without playing there."""

from typing import Final

import sqlalchemy as sa

from storage.schema.records import Watch
from storage.schema.tables import watches
from storage.transactions import Reader, Writer

_WATCHERS: Final = sa.select(watches).where(watches.c.table_id == sa.bindparam("table_id")).order_by(watches.c.user_id)


async def of_table(reader: Reader, table_id: int) -> tuple[Watch, ...]:
    """Return the watches of a table."""
    if table_id not in reader.watches:
        reader.watches[table_id] = await reader.readable(Watch, _WATCHERS, table_id=table_id)
    return reader.watches[table_id]


async def of_user(reader: Reader, user_id: int) -> tuple[Watch, ...]:
    """Return the watches of a person."""
    return await reader.readable(Watch, sa.select(watches).where(watches.c.user_id == user_id).order_by(watches.c.table_id))


async def put(writer: Writer, watch: Watch) -> None:
    """Store a watch, replacing the person's previous one at this table."""
    writer.forget_people()
    writer.put(watches, watch)


async def remove(writer: Writer, table_id: int, user_id: int) -> None:
    """Delete a person's watch of a table."""
    writer.forget_people()
    writer.later(sa.delete(watches).where(watches.c.table_id == table_id, watches.c.user_id == user_id))
