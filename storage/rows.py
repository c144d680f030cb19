"""Rows as records: what every query of the store is made with."""

import logging
import math
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Final, TypeVar, get_args, get_type_hints

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.errors import UnreadableRow
from storage.patience import PATIENCE, complete
from storage.records import Contribution, Entry, Job, Person, Rating, Seat, Server, Table, Watch
from storage.tables import Unreadable

Record = TypeVar("Record")

log = logging.getLogger(__name__)

_PLAIN: Final[dict[type, Callable[[Any], bool]]] = {
    bool: lambda value: type(value) is bool,
    int: lambda value: type(value) is int,
    float: lambda value: type(value) in {int, float} and math.isfinite(value),
    str: lambda value: type(value) is str,
    bytes: lambda value: type(value) is bytes,
}
"""How the values of plain types are recognised. SQLite keeps whatever is written into a column; JSON checks itself."""


@cache
def _checks(kind: type) -> dict[str, tuple[str, bool, Callable[[Any], bool]]]:
    """For each field of a record: the name of its type, whether it may be None, and the check."""
    found = {}
    for name, hint in get_type_hints(kind).items():
        parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        plain = next((part for part in parts if part in _PLAIN), None)
        fits = _PLAIN[plain] if plain else _is_there
        found[name] = (plain.__name__ if plain else "value of this column", type(None) in parts, fits)
    return found


def _is_there(value: Any) -> bool:
    return value is not None


def faults_in(kind: type, values: dict[str, Any]) -> dict[str, str]:
    """What keeps a row from being a record of the dataclass `kind`: the reason for each column that is wrong."""
    wrong = {name: value.reason for name, value in values.items() if isinstance(value, Unreadable)}
    for name, (plain, optional, fits) in _checks(kind).items():
        value = values[name]
        if name not in wrong and not (fits(value) or (optional and value is None)):
            wrong[name] = f"{value!r:.80} is no {plain}"
    return wrong


def from_row(kind: type[Record], row: sa.RowMapping) -> Record:
    """The record of the dataclass `kind` in a row of the table that mirrors it. Raises UnreadableRow."""
    values = {str(name): value for name, value in row.items()}
    for name, reason in faults_in(kind, values).items():
        raise UnreadableRow(kind, values, name, reason)
    return kind(**values)


def to_row(value: Table | Seat | Entry | Contribution | Job | Person | Server | Rating | Watch) -> dict[str, Any]:
    """A record as a row. Unlike with dataclasses.asdict, the JSON in it is not copied."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


class Rows:
    """A connection within a transaction, and what was found there that cannot be read.

    Attributes:
        unreadable: the rows that lists have left out.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._patience = None if connection.dialect.name == "sqlite" else PATIENCE
        self.unreadable: list[UnreadableRow] = []

    async def _do(self, statement: sa.Executable) -> sa.CursorResult[Any]:
        return await complete(self._connection.execute(statement), self._patience)

    async def _all(self, kind: type[Record], statement: sa.Select[Any]) -> tuple[Record, ...]:
        return tuple(from_row(kind, row) for row in (await self._do(statement)).mappings())

    async def _readable(self, kind: type[Record], statement: sa.Select[Any]) -> tuple[Record, ...]:
        """The records of all rows except those that cannot be read, so that one bad row does not spoil a whole list."""
        found = []
        for row in (await self._do(statement)).mappings():
            try:
                found.append(from_row(kind, row))
            except UnreadableRow as error:
                self._leave_out(error)
        return tuple(found)

    async def _one(self, kind: type[Record], statement: sa.Select[Any]) -> Record | None:
        row = (await self._do(statement)).mappings().first()
        return None if row is None else from_row(kind, row)

    def _leave_out(self, error: UnreadableRow) -> None:
        log.warning("left out of a list: %s", error)
        self.unreadable.append(error)
