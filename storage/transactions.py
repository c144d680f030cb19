"""A transaction, as queries get it. A `Reader` sees the database at one moment, and a `Writer` can also change it.

The queries themselves are plain functions in `storage.queries`: `await queries.jobs.due(reader, now)`.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from typing_extensions import override

from storage.connections.database_connection import DatabaseConnection
from storage.connections.timeouts import TIME_LIMIT
from storage.schema.errors import LeaseLost, UnreadableRow
from storage.schema.records import Entry, Person, Watch
from storage.schema.rows import from_row, to_row
from storage.schema.tables import leases, tables

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from sqlalchemy.dialects import postgresql

Record = TypeVar("Record")
Result = TypeVar("Result")
Insert: TypeAlias = "sqlite.Insert | postgresql.Insert"

_BITS: Final = sa.literal_column("22", sa.Integer)
"""How many low bits of a server's id do not count for its shard, since they only distinguish ids of the same millisecond."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShardFilter:
    """The servers of one shard, given by the number of the shard, counted from 0, and the number of shards."""

    shard: int
    of: int

    def covers(self, guild_id: int) -> bool:
        """Return whether this server belongs to the shard."""
        return (guild_id >> 22) % self.of == self.shard

    def condition(self, guild_id: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
        """Return `covers()` as a condition in SQL."""
        return guild_id.bitwise_rshift(_BITS) % self.of == self.shard


class Reader:
    """A view of the database at one moment, in which later changes are invisible.

    A statement that is used often is built once, with parameters. SQLAlchemy then neither compiles it again, nor has to find
    out that it has been compiled already.

    Attributes:
        dialect: SQLAlchemy's name for the kind of database.
        shard_filter: the servers of this process, or None for all. Queries about all tables or servers find only its own.
        unreadable: the rows that were left out of lists because they cannot be read.
        people: settings known from earlier questions, by person. `forget_people` empties both this and `watches`.
        watches: watches known from earlier questions, by table.
    """

    _locks: ClassVar[bool] = False

    def __init__(self, connection: DatabaseConnection, shard_filter: ShardFilter | None = None) -> None:
        self._connection = connection
        self._time_limit = None if connection.dialect == "sqlite" else TIME_LIMIT
        self.dialect = connection.dialect
        self.shard_filter = shard_filter
        self.unreadable: list[UnreadableRow] = []
        self.people: dict[int, Person] = {}
        self.watches: dict[int, tuple[Watch, ...]] = {}

    async def run(self, work: Callable[[sa.Connection], Result]) -> Result:
        """Return the result of a function that is called with the connection, within this transaction."""
        return await self._connection.run(work, self._time_limit)

    async def end(self) -> None:
        """End the transaction, in which nothing was written."""
        await self._connection.rollback(self._time_limit)

    def covers(self, guild_id: int) -> bool:
        """Return whether a server belongs to this process."""
        return self.shard_filter is None or self.shard_filter.covers(guild_id)

    def own(self, guild_id: sa.ColumnElement[Any] = tables.c.guild_id) -> tuple[sa.ColumnElement[bool], ...]:
        """Return the condition that a server belongs to this process, or no condition if all servers do."""
        return () if self.shard_filter is None else (self.shard_filter.condition(guild_id),)

    def locked(self, found: sa.Select[Any], of: sa.Table = tables) -> sa.Select[Any]:
        """Return the statement for finding one row of `of`, changed so that a writer locks the row.

        SQLite has only one writer, and leaves the clause out. Every compiled statement is kept, so there must be few of them.
        """
        return _for_update(found, of) if self._locks else found

    def forget_people(self) -> None:
        """Forget what is known about people's settings and watches, because it is about to change."""
        self.people.clear()
        self.watches.clear()

    async def execute(self, statement: sa.Executable, parameters: Mapping[str, Any] | None = None) -> sa.Result[Any]:
        """Return the result of a statement. A result without rows still tells how many rows were changed."""
        return await self.run(partial(_all_rows, statement, parameters))

    async def rows(self, statement: sa.Executable, **parameters: Any) -> Sequence[sa.Row[Any]]:
        """Return the rows that a statement finds."""
        return await self.run(lambda connection: connection.execute(statement, parameters).all())

    async def row(self, statement: sa.Executable, **parameters: Any) -> sa.Row[Any] | None:
        """Return the first row that a statement finds, or None."""
        return await self.run(lambda connection: connection.execute(statement, parameters).first())

    async def record(self, kind: type[Record], statement: sa.Executable, **parameters: Any) -> Record | None:
        """Return the record in the first row that a statement finds, or None. Raises UnreadableRow."""
        row = await self.row(statement, **parameters)
        return None if row is None else from_row(kind, row)

    async def records(self, kind: type[Record], statement: sa.Select[Any], **parameters: Any) -> tuple[Record, ...]:
        """Return the records in all rows that a statement finds. Raises UnreadableRow."""
        return tuple(from_row(kind, row) for row in await self.rows(statement, **parameters))

    async def readable(self, kind: type[Record], statement: sa.Select[Any], **parameters: Any) -> tuple[Record, ...]:
        """Return the records in all rows that can be read, so that one bad row does not spoil a whole list."""
        found = (self.read_row(kind, row) for row in await self.rows(statement, **parameters))
        return tuple(record for record in found if record is not None)

    def read_row(self, kind: type[Record], row: Sequence[Any]) -> Record | None:
        """Return the record in a row. If it cannot be read, note it in `unreadable`, and return None."""
        try:
            return from_row(kind, row)
        except UnreadableRow as error:
            log.warning("left out of a list: %s", error)
            self.unreadable.append(error)
            return None


class Writer(Reader):
    """A transaction. It sees its own changes, and others see either all of them once it has been committed, or none.

    A query that returns nothing is sent together with the next question or with the commit, which saves a round trip. Its
    errors are raised by whatever it was sent with.

    Attributes:
        appended: the entries that it has appended to logs.
        soonest: the earliest time that this transaction has set for a table, be it a deadline, a reminder or the time for a
            computer to think, in seconds since the epoch, or None. Changes to all tables at once don't count.
    """

    _locks = True

    def __init__(self, connection: DatabaseConnection, shard_filter: ShardFilter | None = None) -> None:
        super().__init__(connection, shard_filter)
        self.appended: tuple[Entry, ...] = ()
        self.soonest: float | None = None
        self._buffered: list[Callable[[sa.Connection], object]] = []
        self._lost: LeaseLost | None = None

    def require(self, name: str, fence: int) -> None:
        """Raise LeaseLost unless a lease still has this fencing number, and keep it from changing hands until the end."""

        def require_fence(connection: sa.Connection) -> None:
            if connection.execute(_FENCE, {"lease": name, "held": fence}).first() is None:
                self._lost = LeaseLost(name)
                raise self._lost

        self.run_later(require_fence)

    def run_later(self, work: Callable[[sa.Connection], object]) -> None:
        """Run a function together with the next question or the commit."""
        self._buffered.append(work)

    def later(self, statement: sa.Executable, parameters: Mapping[str, Any] | list[dict[str, Any]] | None = None) -> None:
        """Execute a statement together with the next question or the commit, once for each row of parameters."""
        self.run_later(lambda connection: connection.execute(statement, parameters))

    def put(self, into: sa.Table, value: "DataclassInstance") -> None:
        """Insert a record, or replace the one with the same key."""
        self.later(_upsert(self.dialect, into), to_row(value))

    async def count(self, statement: sa.Executable, parameters: Mapping[str, Any] | None = None) -> int:
        """Execute a statement, and return how many rows it changed."""
        number: int = await self.run(lambda connection: connection.execute(statement, parameters).rowcount)
        return number

    async def lock(self, key: int) -> None:
        """Wait until no other process has the lock with this key, then hold it to the end. A file has one writer anyway."""
        if self.dialect != "sqlite":
            await self.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.literal(key, sa.BigInteger))))

    def note_times(self, *times: object) -> None:
        """Note the earliest of these times in `soonest`, ignoring values that are not numbers."""
        for time in times:
            if isinstance(time, int | float) and (self.soonest is None or time < self.soonest):
                self.soonest = time

    @override
    async def run(self, work: Callable[[sa.Connection], Result]) -> Result:
        flush = self._flush()
        if flush is None:
            return await self._connection.run(work, self._time_limit)

        def flush_and_work(connection: sa.Connection) -> Result:
            flush(connection)
            return work(connection)

        return await self._connection.run(flush_and_work, self._time_limit)

    @override
    async def end(self) -> None:
        """Commit, after which everything is on the disk. Raises the errors of changes that are sent with the commit."""
        await self._connection.commit(self._flush(), self._time_limit)

    def _flush(self) -> Callable[[sa.Connection], None] | None:
        """Return a function that sends what is buffered, or None if nothing is. Raises LeaseLost if the lease is lost."""
        if self._lost is not None:
            raise self._lost
        if not self._buffered:
            return None
        buffered, self._buffered = self._buffered, []

        def flush(connection: sa.Connection) -> None:
            for work in buffered:
                work(connection)

        return flush


# It keeps others from claiming the lease, but not this process from renewing it.
_FENCE: Final = (
    sa.select(leases.c.fence)
    .where(leases.c.name == sa.bindparam("lease"), leases.c.fence == sa.bindparam("held"))
    .with_for_update(read=True, key_share=True)
)


def insert_into(dialect: str, into: sa.Table) -> Insert:
    """Return an INSERT that can have an ON CONFLICT clause. Each dialect has a class of its own for it."""
    if dialect == "sqlite":
        return sqlite.insert(into)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - 4 MB, which a process with a file does not need

    return postgresql.insert(into)


@cache
def _upsert(dialect: str, into: sa.Table) -> Insert:
    insert, key = insert_into(dialect, into), [column.name for column in into.primary_key]
    rest = {column.name: insert.excluded[column.name] for column in into.columns if column.name not in key}
    return insert.on_conflict_do_update(index_elements=key, set_=rest)


@cache
def _for_update(found: sa.Select[Any], of: sa.Table) -> sa.Select[Any]:
    return found.with_for_update(of=of)


def _all_rows(statement: sa.Executable, parameters: Mapping[str, Any] | None, connection: sa.Connection) -> sa.Result[Any]:
    """Return the result of a statement with all its rows, so that it can be read without the connection."""
    result = connection.execute(statement, parameters)
    return result.freeze()() if result.returns_rows else result
