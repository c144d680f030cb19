"""Rows as records, and records as rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from storage.schema.column_types import Unreadable
from storage.schema.errors import UnreadableRow
from storage.schema.jobs import job_faults
from storage.schema.ladder_records import Ladder, LadderBadge, LadderPlace
from storage.schema.puzzle_records import PuzzleAttempt, PuzzleRating, SolverRating, VoidedDay
from storage.schema.records import (
    Analysis,
    Contribution,
    Departure,
    Entry,
    Heartbeat,
    Job,
    Outage,
    Person,
    Ping,
    Plan,
    Post,
    Rating,
    Review,
    Seat,
    Server,
    StoredLease,
    Table,
    Thinking,
    Watch,
)
from storage.schema.seek_records import Avoidance, Seek
from storage.schema.tournament_records import StoredTournament, TournamentEntry

Record = TypeVar("Record")

Keyed: TypeAlias = (
    Seat | Departure | Contribution | Person | Server | Rating | Watch | Plan | Thinking | Review | Analysis | Post
    | PuzzleAttempt | SolverRating | PuzzleRating | VoidedDay | Seek | Avoidance
    | Ladder | LadderPlace | LadderBadge | StoredTournament | TournamentEntry
)  # fmt: skip
"""The records that replace the one with the same key."""

LARGEST: Final = 1e12
"""The largest floating-point number in a row, up or down: some 30,000 years in seconds. A larger one was damaged."""

_FINITE: Final = frozenset({float, int})
"""The types of numbers that a column for floating-point numbers may hold. SQLite keeps whole ones as they were written."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The fields of a kind of record, in the order of its columns.

    Attributes:
        names: the names of the fields.
        allowed: the types that their values may have. SQLite keeps whatever is written into a column; JSON checks itself.
        measured: the positions of floating-point numbers, which must not be beyond LARGEST.
    """

    names: tuple[str, ...]
    allowed: tuple[frozenset[type], ...]
    measured: tuple[int, ...]


def _shape(kind: type) -> _Shape:
    hints = get_type_hints(kind)
    allowed = tuple(_types_of(hint) for hint in hints.values())
    measured = tuple(position for position, types in enumerate(allowed) if float in types)
    return _Shape(tuple(hints), allowed, measured)


def _types_of(hint: Any) -> frozenset[type]:
    """Return the types of the values that an annotation allows: int may stand for float, but not bool for int."""
    parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    types = frozenset(get_origin(part) or part for part in parts)
    return types | _FINITE if float in types else types


_RECORDS: Final = (
    Table, Seat, Departure, Entry, Contribution, Job, Person, Server, Rating, Watch, Ping, Heartbeat, Outage, Plan, Thinking,
    Review, Analysis, Post, PuzzleAttempt, SolverRating, PuzzleRating, VoidedDay, Seek, Avoidance,
    Ladder, LadderPlace, LadderBadge, StoredTournament, TournamentEntry, StoredLease,
)  # fmt: skip
_SHAPES: Final[dict[type, _Shape]] = {kind: _shape(kind) for kind in _RECORDS}


def faults_in(kind: type, values: dict[str, Any]) -> dict[str, str]:
    """Return the columns that keep a row from being a record of the dataclass `kind`, each with the reason."""
    shape, wrong = _SHAPES[kind], {}
    for name, allowed in zip(shape.names, shape.allowed, strict=True):
        value = values[name]
        if isinstance(value, Unreadable):
            wrong[name] = value.reason
        elif type(value) not in allowed or (type(value) is float and not -LARGEST <= value <= LARGEST):
            wrong[name] = f"{value!r:.80} is no {_type_name(allowed)}"
    # A job has JSON whose shape depends on its kind.
    return dict(job_faults(values)) if kind is Job and not wrong else wrong


def _type_name(allowed: frozenset[type]) -> str:
    """Return the word for the values that a column takes, for “… is no {word}”, which an operator reads.

    Of several types, the first of these names the column: a column of floats takes whole numbers too.
    """
    plain = next((one for one in (float, bool, int, str, bytes) if one in allowed), None)
    return plain.__name__ if plain else "value of this column"


def from_row(kind: type[Record], row: Sequence[Any]) -> Record:
    """Return a row, with the columns of the table that mirrors the dataclass `kind`, as a record. Raises UnreadableRow."""
    shape = _SHAPES[kind]
    values = dict(zip(shape.names, row, strict=True))
    if kind is Job or not _fits(shape, row):
        for name, reason in faults_in(kind, values).items():
            raise UnreadableRow(kind, values, name, reason)
    return kind(**values)


def _fits(shape: _Shape, row: Sequence[Any]) -> bool:
    """Return whether nothing is wrong with a row. It runs for every row that is read, and so is quick."""
    for value, allowed in zip(row, shape.allowed, strict=True):
        if value.__class__ not in allowed:
            return False
    return all(row[position] is None or -LARGEST <= row[position] <= LARGEST for position in shape.measured)


def to_row(value: Keyed | Table | Entry | Job) -> dict[str, Any]:
    """Return a record as a row. Unlike with dataclasses.asdict, the JSON in it is not copied."""
    return {name: getattr(value, name) for name in _SHAPES[type(value)].names}
