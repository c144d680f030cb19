"""Seats: who sits at a table or is invited there, who has left a seat to a substitute, and who watches."""

from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from storage.schema.records import Departure, Seat, Watch
from storage.schema.tables import departures, seats, watches
from storage.transactions import Reader, Writer

_IN_ORDER: Final = (seats.c.place, seats.c.asked_at, seats.c.user_id)
_SEATS: Final = sa.select(seats).where(seats.c.table_id == sa.bindparam("table_id")).order_by(*_IN_ORDER)
_WATCHERS: Final = sa.select(watches).where(watches.c.table_id == sa.bindparam("table_id")).order_by(watches.c.user_id)


async def of_table(reader: Reader, table_id: int) -> tuple[Seat, ...]:
    """Return all seats and invitations at a table, including declined ones, ordered by place. Raises UnreadableRow."""
    return await reader.records(Seat, _SEATS, table_id=table_id)


async def of_tables(reader: Reader, table_ids: Collection[int]) -> dict[int, tuple[Seat, ...]]:
    """Return the seats, which may be none, of each of these tables by its id. A table with an unreadable seat is left out."""
    by_table: dict[int, list[Seat]] = {table_id: [] for table_id in table_ids}
    found = sa.select(seats).where(seats.c.table_id.in_(tuple(table_ids))).order_by(*_IN_ORDER)
    for row in await reader.execute(found):
        seat = reader.read_row(Seat, row)
        if seat is None:
            by_table.pop(row.table_id, None)
        elif seat.table_id in by_table:
            by_table[seat.table_id].append(seat)
    return {table_id: tuple(there) for table_id, there in by_table.items()}


async def put(writer: Writer, seat: Seat) -> None:
    """Store a seat, replacing the one that the person had at this table."""
    writer.put(seats, seat)


async def remove(writer: Writer, table_id: int, user_id: int) -> None:
    """Delete a person's seat or invitation."""
    writer.later(sa.delete(seats).where(seats.c.table_id == table_id, seats.c.user_id == user_id))


async def departures_of_tables(reader: Reader, table_ids: Collection[int]) -> dict[int, tuple[Departure, ...]]:
    """Return the readable departures from several tables by table id, in order."""
    by_table: dict[int, list[Departure]] = {table_id: [] for table_id in table_ids}
    found = sa.select(departures).where(departures.c.table_id.in_(tuple(table_ids)))
    for departure in await reader.readable(Departure, found.order_by(departures.c.table_id, departures.c.number)):
        by_table[departure.table_id].append(departure)
    return {table_id: tuple(gone) for table_id, gone in by_table.items()}


async def put_departure(writer: Writer, departure: Departure) -> None:
    """Store a departure, replacing one with the same number."""
    writer.put(departures, departure)


async def watches_of_table(reader: Reader, table_id: int) -> tuple[Watch, ...]:
    """Return the watches of a table."""
    if table_id not in reader.watches:
        reader.watches[table_id] = await reader.readable(Watch, _WATCHERS, table_id=table_id)
    return reader.watches[table_id]


async def watches_of_user(reader: Reader, user_id: int) -> tuple[Watch, ...]:
    """Return the watches of a person."""
    return await reader.readable(Watch, sa.select(watches).where(watches.c.user_id == user_id).order_by(watches.c.table_id))


async def put_watch(writer: Writer, watch: Watch) -> None:
    """Store a watch, replacing the one that the person had at this table."""
    writer.forget_people()
    writer.put(watches, watch)


async def remove_watch(writer: Writer, table_id: int, user_id: int) -> None:
    """Delete the watch that a person has at a table."""
    writer.forget_people()
    writer.later(sa.delete(watches).where(watches.c.table_id == table_id, watches.c.user_id == user_id))
