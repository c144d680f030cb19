"""Conversion of rows to records and of records to rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_origin

from storage.schema.column_types import Unreadable
from storage.schema.columns import Column
from storage.schema.domains import LARGEST
from storage.schema.errors import UnreadableRow
from storage.schema.job_records import Job
from storage.schema.jobs import job_faults
from storage.schema.tables import declaration_of, metadata, record_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record")

_FINITE: Final = frozenset({float, int})
"""The types that a value in a floating-point column may have, since SQLite keeps integers as written. A bool is refused."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The fields of one kind of record, in the order of its columns.

    Attributes:
        names: the names of the fields.
        allowed: the types that their values may have, since SQLite stores anything in any column. JSON is checked when
            it is read.
        measured: the positions of floating-point numbers, whose size must not exceed LARGEST.
    """

    names: tuple[str, ...]
    allowed: tuple[frozenset[type], ...]
    measured: tuple[int, ...]


def _shape(columns: Sequence[Column]) -> _Shape:
    types = ({get_origin(column.kind) or column.kind, *([NoneType] if column.nullable else [])} for column in columns)
    allowed = tuple(frozenset(one | _FINITE if float in one else one) for one in types)
    measured = tuple(position for position, one in enumerate(allowed) if float in one)
    return _Shape(tuple(column.name for column in columns), allowed, measured)


_SHAPES: Final[dict[type, _Shape]] = {
    record_of(table): _shape(declaration_of(table).columns) for table in metadata.tables.values()
}


def faults_in(kind: type, values: dict[str, Any]) -> dict[str, str]:
    """Return the columns that prevent a row from being a record of `kind`, each with the reason."""
    shape, wrong = _SHAPES[kind], {}
    for name, allowed in zip(shape.names, shape.allowed, strict=True):
        value = values[name]
        if isinstance(value, Unreadable):
            wrong[name] = value.reason
        elif type(value) not in allowed or (type(value) is float and not -LARGEST <= value <= LARGEST):
            # Of several types, the first of these names the column: a column of floats takes integers too.
            plain = next((one.__name__ for one in (float, bool, int, str, bytes) if one in allowed), "value of this column")
            wrong[name] = f"{value!r:.80} is no {plain}"
    # A job has JSON whose shape depends on its kind.
    return dict(job_faults(values)) if kind is Job and not wrong else wrong


def from_row(kind: type[Record], row: Sequence[Any]) -> Record:
    """Return a row as a record of the dataclass `kind`, whose fields mirror the columns. Raises UnreadableRow."""
    shape = _SHAPES[kind]
    values = dict(zip(shape.names, row, strict=True))
    if kind is Job or not _fits(shape, row):
        for name, reason in faults_in(kind, values).items():
            raise UnreadableRow(kind, values, name, reason)
    return kind(**values)


def _fits(shape: _Shape, row: Sequence[Any]) -> bool:
    """Return whether a row has no faults. This runs for every row that is read, so it has to be fast."""
    for value, allowed in zip(row, shape.allowed, strict=True):
        if value.__class__ not in allowed:
            return False
    return all(row[position] is None or -LARGEST <= row[position] <= LARGEST for position in shape.measured)


def to_row(value: "DataclassInstance") -> dict[str, Any]:
    """Return a record as a row. Unlike dataclasses.asdict, this does not copy the JSON in it."""
    return {name: getattr(value, name) for name in _SHAPES[type(value)].names}
