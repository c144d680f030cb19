"""Moving everything from one database to another: from SQLite to PostgreSQL, back, or between two databases of the same kind.

The source is only read. The target gets everything or nothing. With PostgreSQL, this is because a single transaction is used. A
file gets its name only when it is complete.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from storage.connections.addresses import Address, address_of
from storage.connections.connect import (
    Lock,
    damage_in,
    explain_errors,
    harmless,
    make_ready,
    migrate,
    reach,
    reading_engine,
    reason_of,
    refuse_lost,
    writing_engine,
)
from storage.connections.file_connection import answer
from storage.connections.private_files import create, duplicate, share_owner, to_disk
from storage.connections.server import server_engine
from storage.connections.suitability import require_suitable
from storage.connections.versions import require_newest, revisions
from storage.schema.errors import StorageError, Unreachable
from storage.schema.tables import leases
from storage.upkeep import moving_rows
from storage.upkeep.consistency import findings
from storage.upkeep.moving_rows import COUNTING, MOVED

NAMED: Final = 20
"""How many of the rows that cannot be moved are listed by name."""

_BUSY: Final = 5.0

Progress = Callable[[int, int], None]
"""A function that is called with how many rows are done, and how many there are. A row counts twice: copied, and compared."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many rows of each table were moved, and the problems that `check` finds both in the source and in the target."""

    rows: Mapping[str, int]
    findings: tuple[str, ...]


async def move(source: str | Path, target: str | Path, progress: Progress) -> Moved:
    """Copy everything to another, empty database, and compare the two row by row, while no bot can use either.

    The source stays as it is. The target must be a file that doesn't exist yet, or a PostgreSQL database without games.
    `progress` is called after each batch. Raises StorageError, leaving the target as it was, if either database is in use or
    cannot be used, if the source is damaged or of another version, or if the target is not empty or cannot hold some of the
    rows.
    """
    from_address, to_address = address_of(source), address_of(target)
    if from_address == to_address:
        raise StorageError(f"{from_address} cannot be moved to itself.")
    source_of = _server_source(from_address) if from_address.path is None else _file_source(from_address, from_address.path)
    target_of = _server_target(to_address) if to_address.path is None else _file_target(to_address, to_address.path)
    async with source_of as reading, target_of as writing:
        try:
            return _copy(reading, writing, progress)
        except (DBAPIError, OSError) as error:
            raise StorageError(f"The move was broken off: {reason_of(error)}. Nothing was written to {to_address}.") from error


def _copy(source: sa.Connection, target: sa.Connection, progress: Progress) -> Moved:
    """Copy everything, and make sure that it has arrived, without committing anything. Raises StorageError."""
    present = {table.name: moving_rows.count(source, table) for table in MOVED}
    done, total = 0, 2 * sum(present.values())
    refused: list[str] = []
    for table in MOVED:
        for batch in moving_rows.rows(source, table):
            refused += moving_rows.misfits(target, table, batch)
            # Rows that refer to a refused one would be refused too, which would say nothing new.
            if not refused:
                refused += moving_rows.write(target, table, batch)
            if len(refused) > NAMED:
                raise StorageError(_refusal([*refused[:NAMED], "There may be more."]))
            done += len(batch)
            progress(done, total)
    if refused:
        raise StorageError(_refusal(refused))
    for table in COUNTING:
        moving_rows.go_on_after(target, table, moving_rows.last_number(source, table))
    for table in MOVED:
        for difference in moving_rows.differences(source, target, table):
            if difference is not None:
                raise StorageError(f"{difference} Nothing was moved.")
            done += 1
            if not done % moving_rows.BATCH:
                progress(done, total)
    progress(total, total)
    return Moved(present, _found_in_both(source, target))


def _refusal(sentences: list[str]) -> str:
    return "\n".join(["Nothing was moved, because of rows that the other database cannot hold:", *sentences])


def _found_in_both(source: sa.Connection, target: sa.Connection) -> tuple[str, ...]:
    """Return the problems of the rows that were moved. Raises StorageError if any of them is not in the source, too."""
    now = tuple(findings(target))
    before = set(findings(source)) if now else set()
    worse = [sentence for sentence in now if sentence not in before]
    if worse:
        raise StorageError(
            "\n".join(["Nothing was moved, because it would not be sound in the other database:", *worse[:NAMED]])
        )
    return now


@asynccontextmanager
async def _file_source(address: Address, path: Path) -> AsyncIterator[sa.Connection]:
    _refuse_missing(path)
    with _lock(path), TemporaryDirectory(prefix="springboard-move-") as folder:
        # A copy: SQLite writes to what it only reads, since closing a database merges the log.
        copy = Path(folder) / "copy.sqlite3"
        try:
            for end in ("", "-wal"):
                if _beside(path, end).exists():
                    duplicate(_beside(path, end), _beside(copy, end))
        except OSError as error:
            raise StorageError(f"The database {path} cannot be copied to {folder}: {reason_of(error)}.") from error
        with explain_errors(address):
            connection = reading_engine(address_of(copy), _BUSY).connect()
        with closing(connection):
            with explain_errors(address):
                found = next((damage for damage in damage_in(connection) if not harmless(damage)), None)
                if found is not None:
                    raise StorageError(f"The database {address} is damaged ({found}). Restore a backup (springboard restore).")
                _require_present(address, connection)
            yield connection


@asynccontextmanager
async def _server_source(address: Address) -> AsyncIterator[sa.Connection]:
    """Open a server's store for reading. Raises StorageError if the server has no store, or if a bot is using the store."""
    with _connect(address, reading=True) as server:
        with explain_errors(address):
            _require_present(address, server)
            _refuse_leased(address, server)
        yield server


@asynccontextmanager
async def _file_target(address: Address, path: Path) -> AsyncIterator[sa.Connection]:
    reach(path)
    with _lock(path):
        _refuse_there(path)
        partial_file = _beside(path, ".moving")
        _remove(partial_file)
        try:
            with explain_errors(address):
                create(partial_file)
                await make_ready(address_of(partial_file), _BUSY)
            with closing(writing_engine(address_of(partial_file), _BUSY).connect()) as connection:
                connection.begin()
                yield connection
                with explain_errors(address):
                    connection.commit()
                    answer(connection, "wal_checkpoint(TRUNCATE)")
            with explain_errors(address):
                _put_in_place(partial_file, path)
        finally:
            _remove(partial_file)


@asynccontextmanager
async def _server_target(address: Address) -> AsyncIterator[sa.Connection]:
    with _connect(address, reading=False) as server:
        with explain_errors(address):
            migrate(server)
            filled = [table.name for table in MOVED if moving_rows.count(server, table)]
            if filled:
                raise StorageError(
                    f"The database {address} is not empty: it has rows in {', '.join(filled)}. It was left as it is."
                )
            _refuse_leased(address, server)
        yield server
        try:
            server.commit()
        except (DBAPIError, OSError) as error:
            raise StorageError(
                f"Whether {address} has kept the move is not known: {reason_of(error)}. "
                "Move again: that is refused if everything is there."
            ) from error


@contextmanager
def _connect(address: Address, *, reading: bool) -> Iterator[sa.Connection]:
    """Connect to PostgreSQL in a transaction that may take its time, while no other Springboard is using the database."""
    try:
        with explain_errors(address):
            require_suitable(address, writing=not reading)
            server = server_engine(address, reading=reading, alone=True, migrating=True).connect()
    except Unreachable as error:
        raise StorageError(f"{address}: {error}") from error
    with closing(server):
        server.begin()
        yield server


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    lock = Lock(path)
    try:
        yield
    finally:
        lock.release()


def _refuse_missing(path: Path) -> None:
    if not path.is_file():
        raise StorageError(f"There is no database {path}.")
    refuse_lost(path)


def _refuse_there(path: Path) -> None:
    refuse_lost(path)
    if path.exists() and path.stat().st_size:
        raise StorageError(f"The file {path} is there already. Name one that is not, or put it elsewhere first.")


def _require_present(address: Address, connection: sa.Connection) -> None:
    """Raise StorageError unless the database has the current schema."""
    if not revisions(connection) and not sa.inspect(connection).get_table_names():
        raise StorageError(f"There is nothing in {address}.")
    try:
        require_newest(connection)
    except StorageError as error:
        raise StorageError(f"{address} cannot be moved. {error}") from None


def _refuse_leased(address: Address, connection: sa.Connection) -> None:
    """Raise StorageError if a bot has used the database just now. It may only have lost its connection for a moment."""
    now = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Double)
    held = sa.select(leases.c.name).where(leases.c.owner.is_not(None), leases.c.expires > now)
    if connection.execute(held).first() is not None:
        raise StorageError(f"{address}: a Springboard was using the database some seconds ago. Stop it, and wait a minute.")


def _put_in_place(file: Path, path: Path) -> None:
    """Give a complete database its name, and make sure that the name is on the disk too."""
    to_disk(file)
    for end in ("-wal", "-shm"):
        _beside(path, end).unlink(missing_ok=True)
    share_owner(file)
    file.replace(path)
    to_disk(path.parent)


def _remove(path: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        _beside(path, end).unlink(missing_ok=True)


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
