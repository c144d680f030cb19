"""Rows as records: what every query of the store is made with."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import UnionType
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

import sqlalchemy as sa
from typing_extensions import override

from storage.errors import LeaseLost, UnreadableRow
from storage.lease import StoredLease
from storage.lines import Line
from storage.patience import PATIENCE
from storage.records import (
    Contribution,
    Departure,
    Entry,
    Heartbeat,
    Job,
    Person,
    Ping,
    Plan,
    Rating,
    Review,
    Seat,
    Server,
    Table,
    Thinking,
    Watch,
)
from storage.share import Share, within
from storage.tables import Unreadable, leases, tables

Record = TypeVar("Record")
Result = TypeVar("Result")

log = logging.getLogger(__name__)

_FINITE: Final = frozenset({float, int})
"""The types of numbers that a column for floating-point numbers may hold. SQLite keeps whole ones as they were written."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a row of a kind of record must look like, in the order of its columns.

    Attributes:
        names: the names of the fields.
        allowed: the types that their values may have. SQLite keeps whatever is written into a column; JSON checks itself.
        measured: the positions of floating-point numbers, which have to be finite.
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
    """The types of the values that an annotation allows: int may stand for float, but not bool for int."""
    parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    types = frozenset(get_origin(part) or part for part in parts)
    return types | _FINITE if float in types else types


_RECORDS: Final = (
    Table, Seat, Departure, Entry, Contribution, Job, Person, Server, Rating, Watch, Ping, Heartbeat, Plan, Thinking,
    Review, StoredLease,
)  # fmt: skip
_SHAPES: Final[dict[type, _Shape]] = {kind: _shape(kind) for kind in _RECORDS}


def faults_in(kind: type, values: dict[str, Any]) -> dict[str, str]:
    """What keeps a row from being a record of the dataclass `kind`: the reason for each column that is wrong."""
    shape, wrong = _SHAPES[kind], {}
    for name, allowed in zip(shape.names, shape.allowed, strict=True):
        value = values[name]
        if isinstance(value, Unreadable):
            wrong[name] = value.reason
        elif type(value) not in allowed or (type(value) is float and not math.isfinite(value)):
            wrong[name] = f"{value!r:.80} is no {_wanted(allowed)}"
    return wrong


def _wanted(allowed: frozenset[type]) -> str:
    """The name of a type, as far as it says something to an operator."""
    plain = next((one for one in (float, bool, int, str, bytes) if one in allowed), None)
    return plain.__name__ if plain else "value of this column"


def from_row(kind: type[Record], row: Sequence[Any]) -> Record:
    """The record of the dataclass `kind` in a row with the columns of the table that mirrors it. Raises UnreadableRow."""
    shape = _SHAPES[kind]
    values = dict(zip(shape.names, row, strict=True))
    if not _fits(shape, row):
        for name, reason in faults_in(kind, values).items():
            raise UnreadableRow(kind, values, name, reason)
    return kind(**values)


def _fits(shape: _Shape, row: Sequence[Any]) -> bool:
    """Whether nothing is wrong with a row, found out quickly."""
    for value, allowed in zip(row, shape.allowed, strict=True):
        if value.__class__ not in allowed:
            return False
    return all(row[position] is None or math.isfinite(row[position]) for position in shape.measured)


def to_row(
    value: Table | Seat | Departure | Entry | Contribution | Job | Person | Server | Rating | Watch | Plan | Thinking | Review,
) -> dict[str, Any]:
    """A record as a row. Unlike with dataclasses.asdict, the JSON in it is not copied."""
    return {name: getattr(value, name) for name in _SHAPES[type(value)].names}


class Rows:
    """A line within a transaction, and what was found there that cannot be read.

    What is asked often is a statement made once, with parameters: SQLAlchemy then need not compile it
    again, nor find out that it need not.

    Attributes:
        unreadable: the rows that lists have left out.
    """

    def __init__(self, line: Line, share: Share | None = None) -> None:
        self._line = line
        self._share = share
        self._patience = None if line.dialect == "sqlite" else PATIENCE
        self.unreadable: list[UnreadableRow] = []

    async def run(self, work: Callable[[sa.Connection], Result]) -> Result:
        """What a function finds that asks the database itself, within this transaction."""
        return await self._line.run(work, self._patience)

    def covers(self, guild_id: int) -> bool:
        """Whether this process looks after a server, and not another one."""
        return self._share is None or self._share.covers(guild_id)

    def _own(self, guild_id: sa.ColumnElement[Any] = tables.c.guild_id) -> tuple[sa.ColumnElement[bool], ...]:
        """The condition that this process looks after a server; no condition if it looks after all."""
        return within(self._share, guild_id)

    async def end(self) -> None:
        """End the transaction; nothing was written in it."""
        await self._line.rollback(self._patience)

    async def _do(self, statement: sa.Executable, parameters: Mapping[str, Any] | None = None) -> sa.Result[Any]:
        """The result of a statement. That of a statement without rows only knows their number."""
        return await self.run(partial(_kept, statement, parameters))

    async def _count(self, statement: sa.Executable, parameters: Mapping[str, Any] | None = None) -> int:
        """How many rows a statement has changed."""
        number: int = await self.run(lambda connection: connection.execute(statement, parameters).rowcount)
        return number

    async def _all(self, kind: type[Record], statement: sa.Select[Any], **parameters: Any) -> tuple[Record, ...]:
        return tuple(from_row(kind, row) for row in await self._rows(statement, parameters))

    async def _readable(self, kind: type[Record], statement: sa.Select[Any], **parameters: Any) -> tuple[Record, ...]:
        """The records of all rows except those that cannot be read, so that one bad row does not spoil a whole list."""
        read = (self._read(kind, row) for row in await self._rows(statement, parameters))
        return tuple(record for record in read if record is not None)

    async def _one(self, kind: type[Record], statement: sa.Executable, **parameters: Any) -> Record | None:
        row = await self._row(statement, parameters)
        return None if row is None else from_row(kind, row)

    async def _rows(self, statement: sa.Executable, parameters: Mapping[str, Any]) -> Sequence[sa.Row[Any]]:
        return await self.run(lambda connection: connection.execute(statement, parameters).all())

    async def _row(self, statement: sa.Executable, parameters: Mapping[str, Any]) -> sa.Row[Any] | None:
        return await self.run(lambda connection: connection.execute(statement, parameters).first())

    def _read(self, kind: type[Record], row: Sequence[Any]) -> Record | None:
        """The record in a row; None if it cannot be read, of which a note is made."""
        try:
            return from_row(kind, row)
        except UnreadableRow as error:
            self._leave_out(error)
            return None

    def _read_part(self, kind: type[Record], part: Sequence[Any]) -> tuple[Record, ...]:
        """The record in a part of a row; none if a join has found nothing for it, or it cannot be read."""
        record = None if part[0] is None else self._read(kind, part)
        return () if record is None else (record,)

    def _leave_out(self, error: UnreadableRow) -> None:
        log.warning("left out of a list: %s", error)
        self.unreadable.append(error)


class WritingRows(Rows):
    """The same for a transaction that writes."""

    def __init__(self, line: Line, share: Share | None = None) -> None:
        super().__init__(line, share)
        self._owed: list[Callable[[sa.Connection], object]] = []
        self._lost: LeaseLost | None = None

    def require(self, name: str, fence: int) -> None:
        """Have nothing written unless a lease still has this fencing number, and does not change hands before the end.

        Whatever is asked raises LeaseLost otherwise.
        """

        def still_held(connection: sa.Connection) -> None:
            if connection.execute(_HELD, {"lease": name, "held": fence}).first() is None:
                self._lost = LeaseLost(name)
                raise self._lost

        self._owe(still_held)

    @property
    def _dialect(self) -> str:
        return self._line.dialect

    async def _keep_to_oneself(self, key: int) -> None:
        """Wait until no other process does what has this key, and let none do it until the end of the transaction.

        What is not on a server has one writer anyway.
        """
        if self._dialect != "sqlite":
            await self._do(sa.select(sa.func.pg_advisory_xact_lock(sa.literal(key, sa.BigInteger))))

    def _owe(self, work: Callable[[sa.Connection], object]) -> None:
        """Have something done together with what is asked next, or with the commit."""
        self._owed.append(work)

    def _later(self, statement: sa.Executable, parameters: Mapping[str, Any] | list[dict[str, Any]] | None = None) -> None:
        """The same for a statement whose result nobody needs; with several rows of parameters it is carried out for each."""
        self._owe(lambda connection: connection.execute(statement, parameters))

    def _settling(self) -> Callable[[sa.Connection], None] | None:
        """What does all that is owed; None if nothing is. Raises LeaseLost if that was found out before."""
        if self._lost is not None:
            raise self._lost
        owed, self._owed = self._owed, []
        return partial(_each, owed) if owed else None

    @override
    async def run(self, work: Callable[[sa.Connection], Result]) -> Result:
        settle = self._settling()
        return await super().run(work if settle is None else partial(_after, settle, work))

    @override
    async def end(self) -> None:
        """Commit: afterwards everything is on the disk. Raises what the database says of what is still to be written."""
        await self._line.commit(self._settling(), self._patience)


# It excludes whoever wants to claim the lease, but not the process that renews it meanwhile.
_HELD: Final = (
    sa.select(leases.c.fence)
    .where(leases.c.name == sa.bindparam("lease"), leases.c.fence == sa.bindparam("held"))
    .with_for_update(read=True, key_share=True)
)


def _each(owed: Sequence[Callable[[sa.Connection], object]], connection: sa.Connection) -> None:
    for work in owed:
        work(connection)


def _after(
    settle: Callable[[sa.Connection], None], work: Callable[[sa.Connection], Result], connection: sa.Connection
) -> Result:
    settle(connection)
    return work(connection)


def _kept(statement: sa.Executable, parameters: Mapping[str, Any] | None, connection: sa.Connection) -> sa.Result[Any]:
    """The result of a statement with all its rows, for those who come after its connection."""
    result = connection.execute(statement, parameters)
    return result.freeze()() if result.returns_rows else result
