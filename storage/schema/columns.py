"""Columns, declared as the fields of a frozen dataclass, with notes in the annotations of the fields.

`@stored` reads the notes, and `make_table` makes the table from them. What checking, exporting, forgetting and moving do
follows from the notes. If a column leaves one of these questions open, an error is raised when its module is imported.
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
    """The type of the column in the database, if it is not the usual one for its Python type."""

    type: Any


@dataclass(frozen=True, slots=True)
class References:
    """The column refers to another one. Its row is deleted together with the row that it refers to."""

    column: str


@dataclass(frozen=True, slots=True)
class Backfilled:
    """The value for rows that were written before the column existed."""

    value: str | sa.ColumnElement[bool]


@dataclass(frozen=True, slots=True)
class Unlimited:
    """The column has no limits (`Field(ge=0)`): `springboard check` accepts every value of its type."""

    why: str


# --- the export ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exported:
    """The column is exported for the person whose row it is, in the named part or in every part with such rows."""

    part: str = ""


EXPORTED: Final = Exported()


@dataclass(frozen=True, slots=True)
class Withheld:
    """The column is exported for nobody."""

    why: str


@dataclass(frozen=True, slots=True)
class ExportedAs:
    """The row is exported for the person in this column, in the part `part`, with all exported columns or `only` these."""

    part: str
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AsText:
    """The number is exported as text, as Discord's ids are, because many programs would round such large numbers."""


# --- forgetting ------------------------------------------------------------------------------------------------------------


class OnForget(Enum):
    """What happens when the person in this column is forgotten."""

    DELETE_ROW = "The row is deleted."
    REPLACE_ID = "The row stays, with a placeholder's id, because the games of others depend on it."
    EMPTY = "The row stays, without the id."


STAYING: Final = (OnForget.REPLACE_ID, OnForget.EMPTY)
"""The cases in which the row stays. Each other column of the row must then say what happens to its value."""


class OnForgetServer(Enum):
    """What happens when the server in this column is forgotten."""

    DELETE_ROW = "The row is deleted."
    EMPTY = "The row stays, without the id."


@dataclass(frozen=True, slots=True)
class Kept:
    """In a row that stays, the value stays too: it does not say who the person is, and games need it."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """In a row that stays, the value is removed.

    The first column of `of` that is not empty has the id of the person whom the value is about. If `of` is empty, the first
    column of the table that has a person's id is meant.
    """

    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """In a row that stays, the name of the person is replaced with that of the placeholder."""


KEPT: Final = Kept()
EMPTIED: Final = Emptied()
RENAMED: Final = Renamed()


@dataclass(frozen=True, slots=True)
class Searched:
    """The value contains people's ids somewhere inside. Exporting finds the person's own, and forgetting removes them."""


SEARCHED: Final = Searched()

# --- the declaration -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column, as its field declares it.

    Attributes:
        name: its name.
        kind: the type of its values, without None and without the notes.
        nullable: whether it may be empty.
        limits: the annotation by which a value is checked, or `Any` if there are no limits.
        notes: the notes by their kind. A note on the field overrides one on the field's domain.
    """

    name: str
    kind: Any
    nullable: bool
    limits: Any
    notes: Mapping[type, Any]

    def note(self, kind: type[Note]) -> Note | None:
        """Return the note of a kind, or None if there is none."""
        return self.notes.get(kind)

    def says(self, *kinds: type) -> bool:
        """Return whether the column has a note of one of these kinds."""
        return any(kind in self.notes for kind in kinds)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A table, as its record declares it.

    Attributes:
        name: its name.
        key: the names of the columns that form its primary key.
        constraints: its indexes and other constraints.
        nobody: why no row is about a person, or "" if rows are about people.
        moves: whether its rows are taken along in a move to another database.
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
"""The type of numbers that the database assigns. SQLite assigns them only to INTEGER columns, which have 64 bits there."""

_USUAL: Final = {int: sa.Integer, float: sa.Double, str: sa.String, bytes: sa.LargeBinary, bool: sa.Boolean}

_LIMITED: Final = frozenset({int, float, str, bytes})
"""The types whose values need limits. Other types have few values, or are checked when they are read."""


def stored(
    name: str, *constraints: sa.schema.SchemaItem, key: Sequence[str], nobody: str = "", moves: bool = True
) -> Callable[[type[Record]], type[Record]]:
    """Declare that the rows of a table are records of a dataclass.

    The constraints include the indexes of the table, and `key` names the columns of its primary key. `nobody` says why no row
    is about a person, and `moves` whether the rows are taken along in a move to another database. Raises TypeError, which names
    the column, if one leaves a question open.
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
    """Make the table for a record. It never reuses a number, even of a deleted row, since people see some numbers."""
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
    """Yield the questions that a column leaves open, and the notes that it cannot have."""
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
    """Yield the parts of the export and the columns that a column refers to although they do not exist."""
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
