"""Checks of a database's content: the limits of every column in every row, and contradictions between columns.

When rows are read, only the types of their values are checked, since that must be fast. These checks include the limits of each
column.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from storage.schema.columns import DECLARED
from storage.schema.errors import UnreadableRow
from storage.schema.rows import faults_in, from_row
from storage.schema.tables import metadata, record_of


@cache
def _model(kind: type) -> type[BaseModel]:
    limited: dict[str, Any] = {column.name: (column.limits, ...) for column in DECLARED[kind].columns}
    strict = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)
    return create_model(f"Row{kind.__name__}", __config__=strict, **limited)


def row_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each column of each row whose value is not as it should be."""
    for table in metadata.tables.values():
        kind = record_of(table)
        for row in connection.execute(_exactly(connection, table)).mappings():
            values = {
                name: bool(value) if isinstance(table.c[name].type, sa.Boolean) and value in (0, 1) else value
                for name, value in ((str(name), value) for name, value in row.items())
            }
            unreadable = faults_in(kind, values)
            said = "cannot be read" if unreadable else "is not as it should be"
            for column, reason in unreadable.items() or _beyond(kind, values):
                yield f"A row of {table.name} {said}: {UnreadableRow(kind, values, column, reason)}."


def _exactly(connection: sa.Connection, table: sa.Table) -> sa.Select[Any]:
    """Return the statement that finds all rows of a table. SQLite stores truth values as numbers, and all but 0 are true."""
    numbers = connection.dialect.name == "sqlite"
    return sa.select(
        *(
            sa.type_coerce(column, sa.types.NullType()).label(column.name)
            if numbers and isinstance(column.type, sa.Boolean)
            else column
            for column in table.c
        )
    )


def _beyond(kind: type, values: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the columns of a readable row whose values exceed their limits or contradict one another."""
    try:
        _model(kind).model_validate(values)
    except ValidationError as error:
        return [(str(found["loc"][0]), f"{found['msg']} ({found['input']!r:.80})") for found in error.errors()]
    return list(kind(**values).contradictions()) if hasattr(kind, "contradictions") else []


def readable(connection: sa.Connection, table: sa.Table, kind: type) -> Iterator[Any]:
    """Yield the readable records of a table."""
    for row in connection.execute(sa.select(table)):
        try:
            yield from_row(kind, row)
        except UnreadableRow:
            continue
