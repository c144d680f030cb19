"""Columns, declared as fields of a frozen dataclass with notes in their annotations.

`@stored` reads the notes, and `make_table` makes the table. Checking, exporting, forgetting and moving follow from the notes. A
column that leaves something open raises an error when its module is imported.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from enum import Enum, StrEnum
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, Union, get_args, get_origin

import sqlalchemy as sa
from pydantic.fields import FieldInfo

from storage.schema.column_types import Structure, Word

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")
Note = TypeVar("Note")

# --- the type, and the limits ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SqlType:
    """The type in the database, where it isn't the usual one for the Python type."""

    type: Any


@dataclass(frozen=True, slots=True)
class References:
    """The column refers to another one, and its row is deleted with the row there."""

    column: str


@dataclass(frozen=True, slots=True)
class Backfilled:
    """The value given to rows that are older than the column."""

    value: str | sa.ColumnElement[bool]


@dataclass(frozen=True, slots=True)
class Unlimited:
    """`springboard check` accepts every value of the type. Limits are pydantic's: `Field(ge=0)`."""

    why: str


# --- the export ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exported:
    """The column is given to the person whose row it is, in the named part of the export or in every part with such rows."""

    part: str = ""


EXPORTED: Final = Exported()


@dataclass(frozen=True, slots=True)
class Withheld:
    """The column is given to nobody."""

    why: str


@dataclass(frozen=True, slots=True)
class ExportedAs:
    """The row is given to the person in this column, in a part of the export: all exported columns, or `only` these."""

    part: str
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AsText:
    """The number is exported as text, like Discord's ids: many programs round such large numbers."""


# --- forgetting ------------------------------------------------------------------------------------------------------------


class OnForget(Enum):
    """What happens when the person in this column is forgotten."""

    DELETE_ROW = "The row is deleted."
    REPLACE_ID = "The row stays, with a placeholder's id, because the games of others depend on it."
    EMPTY = "The row stays, without the id."


STAYING: Final = (OnForget.REPLACE_ID, OnForget.EMPTY)
"""The cases in which the row stays. Each of its other columns then says what becomes of it."""


class OnForgetServer(Enum):
    """What happens when the server in this column is forgotten."""

    DELETE_ROW = "The row is deleted."
    EMPTY = "The row stays, without the id."


@dataclass(frozen=True, slots=True)
class Kept:
    """The value stays in a row that stays: it doesn't say who the person is, and games need it."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """The value is removed from a row that stays; the first non-empty column of `of`, or () for the first, names its person."""

    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """The person's name becomes the placeholder's in a row that stays."""


KEPT: Final = Kept()
EMPTIED: Final = Emptied()
RENAMED: Final = Renamed()


@dataclass(frozen=True, slots=True)
class Searched:
    """People's ids are somewhere inside the value: exporting picks the person's, and forgetting removes them."""


SEARCHED: Final = Searched()

# --- the declaration -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column as its field declares it.

    Attributes:
        name: its name.
        kind: the type of its values, without None and notes.
        nullable: whether it may be empty.
        limits: the annotation by which a value is checked, or `Any` without limits.
        notes: the notes by kind. A field's note overrides its domain's.
    """

    name: str
    kind: Any
    nullable: bool
    limits: Any
    notes: Mapping[type, Any]

    def note(self, kind: type[Note]) -> Note | None:
        """Return the note of a kind, or None."""
        return self.notes.get(kind)

    def says(self, *kinds: type) -> bool:
        """Return whether there is a note of one of these kinds."""
        return any(kind in self.notes for kind in kinds)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A table as its record declares it.

    Attributes:
        name: its name.
        key: the names of its primary key's columns.
        constraints: its indexes and other constraints.
        nobody: why no row is about a person, or "" if rows are.
        moves: whether moving to another database takes its rows along.
        stays: whether a row stays when a person in it is forgotten.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    constraints: tuple[sa.schema.SchemaItem, ...]
    nobody: str
    moves: bool
    stays: bool


DECLARED: Final[dict[type, Declaration]] = {}

COUNTED: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""Numbers assigned by the database. SQLite assigns them only to a column declared INTEGER, which has 64 bits there."""

_USUAL: Final = {int: sa.Integer, float: sa.Double, str: sa.String, bytes: sa.LargeBinary, bool: sa.Boolean}

_LIMITED: Final = frozenset({int, float, str, bytes})
"""Types whose values need limits. Others have few values, or check themselves when read."""


def stored(
    name: str, *constraints: sa.schema.SchemaItem, key: Sequence[str], nobody: str = "", moves: bool = True
) -> Callable[[type[Record]], type[Record]]:
    """Declare that the rows of a table are records of a dataclass.

    The constraints include its indexes, and `key` names the columns of its primary key. `nobody` says why no row is about a
    person, and `moves` whether moving to another database takes its rows along. Raises TypeError, naming it, for a column that
    leaves something open.
    """

    def declare(record: type[Record]) -> type[Record]:
        columns = tuple(_declared(field) for field in fields(record))
        stays = any(column.note(OnForget) in STAYING for column in columns)
        declaration = Declaration(name, columns, tuple(key), constraints, nobody, moves, stays)
        if missing := [f"{name}.{column.name}: {what}" for column in columns for what in _left_open(declaration, column)]:
            raise TypeError("; ".join(missing))
        if not nobody and not any(column.says(OnForget, Searched) for column in columns):
            raise TypeError(f"{name}: no column has a person's id (OnForget, Searched), and `nobody` does not say why")
        DECLARED[record] = declaration
        return record

    return declare


def make_table(record: type, metadata: sa.MetaData) -> sa.Table:
    """Make the table of a record. It never reuses a number, even after its row is gone: people see some of them."""
    declared = DECLARED[record]
    columns = [_sql(column) for column in declared.columns]
    counts = any(column.type is COUNTED for column in columns)
    return sa.Table(
        declared.name, metadata, *columns, sa.PrimaryKeyConstraint(*declared.key), *declared.constraints,
        info={"record": record}, sqlite_autoincrement=counts,
    )  # fmt: skip


def _declared(field: Field[Any]) -> Column:
    notes: dict[type, Any] = {}
    nullable, kind = False, field.type
    while True:
        if get_origin(kind) is Annotated:
            kind, *more = get_args(kind)
            notes = {type(note): note for note in more} | notes
        elif get_origin(kind) in {Union, UnionType} and NoneType in get_args(kind):
            nullable = True
            (kind,) = (each for each in get_args(kind) if each is not NoneType)
        else:
            break
    limited = FieldInfo in notes or _is_limited(kind)
    return Column(field.name, _plain(kind), nullable, field.type if limited else Any, notes)


def _plain(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    return get_origin(hint)[tuple(map(_plain, get_args(hint)))] if get_args(hint) else hint


def _is_limited(hint: Any) -> bool:
    return isinstance(hint, FieldInfo) or any(map(_is_limited, (*get_args(hint), *getattr(hint, "__metadata__", ()))))


def _left_open(table: Declaration, column: Column) -> Iterator[str]:
    """Yield what a column leaves open, and which of its notes are impossible."""
    if column.kind in _LIMITED and column.limits is Any and not column.says(Unlimited):
        yield "its limits are missing (Field, Unlimited)"
    if column.name == "guild_id" and not column.says(OnForgetServer):
        yield "what happens when its server is forgotten is missing (OnForgetServer)"
    emptied = column.note(OnForget) is OnForget.EMPTY or column.note(OnForgetServer) is OnForgetServer.EMPTY
    if (emptied or column.says(Emptied)) and not column.nullable:
        yield "it is to be emptied, but is never empty"
    if table.nobody:
        if column.says(Exported, ExportedAs, OnForget, Searched):
            yield f"it is about a person, though the table is not ({table.nobody})"
        return
    yield from _not_there(table, column)
    person = column.says(OnForget)
    if not column.says(ExportedAs if person else Exported, Withheld, Searched):
        yield f"whether it is exported is missing ({'ExportedAs' if person else 'EXPORTED'}, Withheld)"
    if table.stays and not person and not column.says(Kept, Emptied, Renamed, Searched):
        yield "what becomes of it when its person is forgotten is missing (KEPT, EMPTIED, RENAMED)"
    if not table.stays and column.says(Emptied, Renamed):
        yield "it says what becomes of it in a row that stays, but no row does"


def _not_there(table: Declaration, column: Column) -> Iterator[str]:
    """Yield the parts of the export and the columns that a column names although they don't exist."""
    named, exported, emptied = column.note(ExportedAs), column.note(Exported), column.note(Emptied)
    names = {each.name for each in table.columns}
    for name in (*(named.only if named else ()), *(emptied.of if emptied else ())):
        if name not in names:
            yield f"it names {name!r}, which is no column"
    if exported and exported.part:
        parts = [said for each in table.columns if (said := each.note(ExportedAs)) and said.part == exported.part]
        if not any(column.name in part.only for part in parts):
            yield f"no part of the export is {exported.part!r} and has it"


def _sql(column: Column) -> sa.Column[Any]:
    said, references, filled = column.note(SqlType), column.note(References), column.note(Backfilled)
    kind = said.type if said else _USUAL.get(column.kind)
    if kind is None:
        words = isinstance(column.kind, type) and issubclass(column.kind, StrEnum)
        kind = Word(column.kind) if words else Structure(column.kind)
    return sa.Column(
        column.name,
        kind,
        *([sa.ForeignKey(references.column, ondelete="CASCADE")] if references else []),
        nullable=column.nullable,
        autoincrement="auto" if kind is COUNTED else False,
        server_default=filled.value if filled else None,
        info={"column": column},
    )
