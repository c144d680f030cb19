"""Reading, writing and comparing the rows of a database exactly as they are, whatever they mean."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from storage.connections.connect import reason_of
from storage.schema.column_types import Unreadable
from storage.schema.tables import declaration_of, metadata

Row = tuple[Any, ...]

BATCH: Final = 1000
"""How many rows are read and written at a time."""

MOVED: Final = tuple(table for table in metadata.sorted_tables if declaration_of(table).moves)
"""The tables that are taken along in a move, each of them after those that it refers to."""

COUNTING: Final = tuple(table for table in MOVED if table.dialect_options["sqlite"]["autoincrement"])
"""The tables whose rows are numbered by the database."""

_WORDS: Final[Mapping[type, str]] = {int: "a number", float: "a number with a point", str: "a text", bytes: "bytes"}

_OF_VALUES: Final = ("22", "23")
"""The classes of PostgreSQL's error codes that are about a value or a row, rather than about the server."""


def rows(connection: sa.Connection, table: sa.Table) -> Iterator[Sequence[Row]]:
    """Yield all rows of a table in batches, ordered by their keys. The order is the same in every kind of database."""
    on_server = _on_server(connection)
    columns: list[sa.ColumnElement[Any]] = [
        # On a server, JSON is read as the text that was written.
        sa.cast(column, sa.Text)
        if on_server and _is(column, sa.JSON)
        else sa.type_coerce(column, _plain_type(column) if on_server else sa.types.NullType())
        for column in table.c
    ]
    keys = [column.collate("C") if on_server and _is(column, sa.String) else column for column in table.primary_key]
    found = connection.execute(sa.select(*columns).order_by(*keys), execution_options={"yield_per": BATCH})
    for part in found.partitions():
        yield [tuple(row) for row in part]


def count(connection: sa.Connection, table: sa.Table) -> int:
    """Return the number of rows of a table."""
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def misfits(connection: sa.Connection, table: sa.Table, batch: Sequence[Row]) -> Iterator[str]:
    """Yield a sentence for each value that the connection's database cannot hold. SQLite holds any value in any column."""
    if not _on_server(connection):
        return
    columns = list(table.c)
    for row in batch:
        for column, value in zip(columns, row, strict=True):
            reason = _against(column, value)
            if reason is not None:
                yield f"{row_name(table, row)}: {column.name}: {reason}."


def write(connection: sa.Connection, table: sa.Table, batch: Sequence[Row]) -> list[str]:
    """Write rows and return a sentence for each that is refused, in which case the others are useless. Raises DBAPIError."""
    if _write(connection, table, batch) is None:
        return []
    refused = []
    for row in batch:
        error = _write(connection, table, [row])
        if error is not None:
            refused.append(f"{row_name(table, row)}: {_column_of(connection, table, row)}{reason_of(error)}.")
    return refused or [f"Some rows of {table.name} cannot be written all at once."]


def differences(source: sa.Connection, target: sa.Connection, table: sa.Table) -> Iterator[str | None]:
    """Compare a table in two databases. Yield a sentence for each row that differs, and None for each row that is the same."""
    columns = list(table.c.keys())
    ours, theirs = (chain.from_iterable(rows(connection, table)) for connection in (source, target))
    for mine, other in zip_longest(ours, theirs):
        if mine is None or other is None:
            yield f"{row_name(table, mine or other)} is in one of the two databases only."
            return
        differing = [name for name, one, two in zip(columns, mine, other, strict=True) if not _same(one, two)]
        yield f"{row_name(table, mine)} is not the same in both: {', '.join(differing)}." if differing else None


def last_number(connection: sa.Connection, table: sa.Table) -> int:
    """Return the highest number that a table has ever given to a row, even to a deleted one, or 0."""
    (key,) = table.primary_key
    there = int(connection.execute(sa.select(sa.func.max(key))).scalar() or 0)
    if _on_server(connection):
        last, called = connection.exec_driver_sql(f"SELECT last_value, is_called FROM {_sequence(connection, table)}").one()  # noqa: S608
        return max(there, int(last) if called else int(last) - 1)
    known: sa.Select[Any] = (
        sa.select(sa.column("seq")).select_from(sa.table("sqlite_sequence")).where(sa.column("name") == table.name)
    )
    return max([there, *(number for number in connection.execute(known).scalars() if isinstance(number, int))])


def go_on_after(connection: sa.Connection, table: sa.Table, last: int) -> None:
    """Make a table number new rows from above `last`, and from above all numbers that it has given."""
    last = max(last, last_number(connection, table))
    if last < 1:
        return
    if _on_server(connection):
        connection.execute(sa.select(sa.func.setval(_sequence(connection, table), last)))
        return
    numbers = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
    connection.execute(sa.delete(numbers).where(numbers.c.name == table.name))
    connection.execute(sa.insert(numbers).values(name=table.name, seq=last))


def row_name(table: sa.Table, row: Row) -> str:
    """Return the name of a row, as shown to the operator: "The row of actions (table_id 7, number 12)" for example."""
    values = dict(zip(table.c.keys(), row, strict=True))
    key = ", ".join(f"{column.name} {values[column.name]!r:.40}" for column in table.primary_key)
    return f"The row of {table.name} ({key})"


def _on_server(connection: sa.Connection) -> bool:
    return connection.dialect.name != "sqlite"


def _plain_type(column: sa.Column[Any]) -> sa.types.TypeEngine[Any]:
    return column.type.impl_instance if isinstance(column.type, sa.types.TypeDecorator) else column.type


def _is(column: sa.Column[Any], kind: type[sa.types.TypeEngine[Any]]) -> bool:
    return isinstance(_plain_type(column), kind)


def _against(column: sa.Column[Any], value: Any) -> str | None:
    """Return why PostgreSQL cannot hold a value in a column, or None if it can, as far as the types show."""
    if value is None:
        return None if column.nullable else "there is no value"
    if isinstance(value, Unreadable):
        return value.reason
    kind = _plain_type(column)
    if isinstance(kind, sa.Integer):
        return _against_number(value, 64 if isinstance(kind, sa.BigInteger) else 32)
    match kind, value:
        case (sa.Boolean(), 0 | 1) | (sa.Double(), int() | float()) | (sa.LargeBinary(), bytes()):
            return None
        case (sa.String() | sa.JSON(), str()):
            return "it contains the character NUL, which PostgreSQL does not take" if "\0" in value else None
    return f"it is {_WORDS.get(type(value), 'something')}, which this column does not take"


def _against_number(value: Any, bits: int) -> str | None:
    if not isinstance(value, int):
        return f"it is {_WORDS.get(type(value), 'something')}, and no whole number"
    return None if -(2 ** (bits - 1)) <= value < 2 ** (bits - 1) else f"it has more than {bits} bits"


def _write(connection: sa.Connection, table: sa.Table, batch: Sequence[Row]) -> DBAPIError | None:
    """Write rows. If one of them is refused, write none, and return the error."""
    try:
        with connection.begin_nested():
            usual = [row for row in batch if not any(isinstance(value, Unreadable) for value in row)]
            if usual:
                connection.execute(_insertion(connection, table), [_parameters(table, row) for row in usual])
            for row in batch:
                strange = {name for name, value in zip(table.c.keys(), row, strict=True) if isinstance(value, Unreadable)}
                if strange:
                    connection.execute(_insertion(connection, table, strange), _parameters(table, row))
    except DBAPIError as error:
        if isinstance(error, IntegrityError) or str(getattr(error.orig, "sqlstate", None) or "").startswith(_OF_VALUES):
            return error
        raise
    return None


def _parameters(table: sa.Table, row: Row) -> dict[str, Any]:
    values = zip(table.c, row, strict=True)
    return {_parameter(column): value.raw if isinstance(value, Unreadable) else value for column, value in values}


def _parameter(column: sa.Column[Any]) -> str:
    # A parameter that has the name of its column would get the type of the column.
    return f"given_{column.name}"


def _insertion(connection: sa.Connection, table: sa.Table, undecoded: set[str] | frozenset[str] = frozenset()) -> sa.Insert:
    """Return the statement that writes values as they are. Values of `undecoded` columns are the bytes of a text."""
    on_server = _on_server(connection)
    # The columns have no types here, since these would change a value before it is written.
    untyped = sa.table(table.name, *(sa.column(column.name) for column in table.c))
    return sa.insert(untyped).values(
        {column.name: _expression(column, on_server, column.name in undecoded) for column in table.c}
    )


def _expression(column: sa.Column[Any], on_server: bool, undecoded: bool) -> sa.ColumnElement[Any]:
    if not on_server:
        value: sa.ColumnElement[Any] = sa.bindparam(_parameter(column), type_=sa.types.NullType())
        return sa.cast(value, sa.Text) if undecoded else value
    if _is(column, sa.JSON):
        return sa.cast(sa.bindparam(_parameter(column), type_=sa.Text), sa.JSON)
    if _is(column, sa.Boolean):
        return sa.cast(sa.bindparam(_parameter(column), type_=sa.Integer), sa.Boolean)
    return sa.bindparam(_parameter(column), type_=_plain_type(column))


def _column_of(connection: sa.Connection, table: sa.Table, row: Row) -> str:
    """Return the JSON column because of which a server has refused a row, with a colon, or "" if it was not a JSON column."""
    if not _on_server(connection):
        return ""
    for column, value in zip(table.c, row, strict=True):
        if _is(column, sa.JSON):
            try:
                with connection.begin_nested():
                    connection.execute(sa.select(sa.cast(sa.literal(value, sa.Text), sa.JSON)))
            except DBAPIError:
                return f"{column.name}: "
    return ""


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


def _sequence(connection: sa.Connection, table: sa.Table) -> str:
    (key,) = table.primary_key
    return str(connection.execute(sa.select(sa.func.pg_get_serial_sequence(table.name, key.name))).scalar_one())
