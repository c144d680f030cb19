"""Rows that are alike: if one of them can be read, all can, so that one of each kind tells whether anything is wrong at all."""

from typing import Any, Final

import sqlalchemy as sa

from storage.aside import IN_ORDER, NOT_OVER, AsideReader
from storage.tables import Structure, Word, departures, seats, tables

_RAW: Final = sa.types.NullType()

_CHOSEN: Final = frozenset({"wanted", "rules"})
"""Columns of tables with numbers that not every game has."""

_LARGEST: Final = 1e308
"""A number so large that hardly any is larger but the infinite."""


def _likeness(kind: sa.Table, dialect: str, without: frozenset[str] = frozenset()) -> list[sa.ColumnElement[Any]]:
    """What the rows of a table are told apart by: what stands in columns of words, and else only the type of a value.

    Only SQLite keeps values of other types than a column has. Infinite numbers are no numbers, wherever they are.
    """
    found: list[sa.ColumnElement[Any]] = []
    for column in kind.c:
        if column.name in without:
            continue
        raw = sa.type_coerce(column, _RAW)
        if dialect == "sqlite":
            found.append(sa.func.typeof(raw))
        if isinstance(column.type, sa.Double):
            found.append(sa.func.abs(raw) > _LARGEST)
        elif isinstance(column.type, Word | Structure | sa.String | sa.Boolean) or column.name in _CHOSEN:
            found.append(sa.cast(raw, sa.String))
    return found


class AlikeReader(AsideReader):
    """Finds out of which kinds the rows are, of the tables that this process looks after."""

    async def samples(self) -> list[int]:
        """The numbers of some tables whose games are not over, one of each kind, and of some with one of each kind of seats.

        So with departures. If all these tables can be read with both, and `names_are_text`, then so can all others.
        """
        live, dialect = (IN_ORDER, NOT_OVER, *self._own()), self._line.dialect
        of_tables = sa.select(sa.func.min(tables.c.id)).where(*live).group_by(*_likeness(tables, dialect))
        seated = sa.select(sa.func.min(seats.c.table_id)).join_from(seats, tables).where(*live)
        of_seats = seated.group_by(*_likeness(seats, dialect, frozenset({"name"})))
        left = sa.select(sa.func.min(departures.c.table_id)).join_from(departures, tables).where(*live)
        of_departures = left.group_by(*_likeness(departures, dialect, frozenset({"name"})))
        found = [await self._rows(statement, {}) for statement in (of_tables, of_seats, of_departures)]
        return sorted({row[0] for rows in found for row in rows})

    async def names_are_text(self) -> bool:
        """Whether the names of those who sit or sat at these tables can be read. In SQLite they may consist of any bytes."""
        live = (IN_ORDER, NOT_OVER, *self._own())
        names = [sa.select(kind.c.name).distinct().join_from(kind, tables).where(*live) for kind in (seats, departures)]
        found = [row[0] for statement in names for row in await self._rows(statement, {})]
        return all(type(name) is str for name in found)
