"""The types of what stands in rows: if one row of each combination of types can be read, so can all the others."""

from typing import Any, Final

import sqlalchemy as sa

from storage.queries.conditions import IN_ORDER, NOT_OVER, raw
from storage.schema.tables import Structure, Word, departures, seats, tables
from storage.transactions import Reader

_CHOSEN: Final = frozenset({"wanted", "rules"})
"""Columns of tables with numbers that not every game has."""

_LARGEST: Final = 1e308
"""A number so large that hardly any is larger but the infinite."""


async def samples(reader: Reader) -> list[int]:
    """Return some tables whose games are not over: one for each combination of types in its row, its seats or its departures.

    If all these tables can be read with their seats and departures, and `names_are_text`, then so can all others.
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
    """Return whether the names of those who sit or sat at these tables are text. In SQLite they may consist of any bytes."""
    live = (IN_ORDER, NOT_OVER, *reader.own())
    names = [sa.select(table.c.name).distinct().join_from(table, tables).where(*live) for table in (seats, departures)]
    found = [row[0] for statement in names for row in await reader.rows(statement)]
    return all(type(name) is str for name in found)


def _types(table: sa.Table, dialect: str, without: frozenset[str] = frozenset()) -> list[sa.ColumnElement[Any]]:
    """Return what the rows of a table are told apart by: the words in columns of words, and else only the types of values.

    Only SQLite keeps values of other types than a column has. Infinite numbers are no numbers, wherever they are.
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
