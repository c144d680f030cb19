"""A dump of a whole database as text."""

from typing import Any

import sqlalchemy as sa

from storage.schema import tables
from storage.store import Store


async def everything(store: Store) -> dict[str, list[tuple[str | None, ...]]]:
    """Every row of every table, column by column, as text. Bytes are hexadecimal."""
    found = {}
    async with store.read() as reader:
        for table in tables.metadata.sorted_tables:
            columns = [_as_text(column) for column in table.columns]
            rows = await reader.execute(sa.select(*columns).order_by(*table.primary_key.columns))
            found[table.name] = [tuple(value.hex() if isinstance(value, bytes) else value for value in row) for row in rows]
    return found


def _as_text(column: sa.Column[Any]) -> sa.ColumnElement[str | None]:
    if isinstance(column.type, sa.LargeBinary):
        return column
    raw: sa.ColumnElement[Any] = sa.type_coerce(column, sa.types.NullType())
    return sa.cast(raw, sa.Text)


def where(found: dict[str, list[tuple[str | None, ...]]], *words: str) -> list[str]:
    """The tables and columns that contain one of these words, with their values."""
    return [
        f"{table}.{tables.metadata.tables[table].columns.keys()[number]}: {value}"
        for table, rows in found.items()
        for row in rows
        for number, value in enumerate(row)
        if value is not None and any(word in value for word in words)
    ]
