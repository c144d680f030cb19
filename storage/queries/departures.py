"""Departures: seats that people have left to stand-ins."""

from collections.abc import Collection

import sqlalchemy as sa

from storage.schema.records import Departure
from storage.schema.tables import departures
from storage.transactions import Reader, Writer


async def of_tables(reader: Reader, table_ids: Collection[int]) -> dict[int, tuple[Departure, ...]]:
    """Return the departures from several tables, in order, by table id, without those that cannot be read."""
    by_table: dict[int, list[Departure]] = {table_id: [] for table_id in table_ids}
    found = sa.select(departures).where(departures.c.table_id.in_(tuple(table_ids)))
    for departure in await reader.readable(Departure, found.order_by(departures.c.table_id, departures.c.number)):
        by_table[departure.table_id].append(departure)
    return {table_id: tuple(gone) for table_id, gone in by_table.items()}


async def put(writer: Writer, departure: Departure) -> None:
    """Store a departure, in place of the one with the same number."""
    writer.put(departures, departure)
