"""Opening a database: the engines, the pragmas, the lock file beside a SQLite file, and the migrations."""

import asyncio
import errno
import fcntl
import importlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from storage.connections.addresses import Address, driver
from storage.connections.file_connection import answer, file_engine
from storage.connections.private_files import create, make_folder, open_private, tighten
from storage.connections.server import server_engine
from storage.connections.suitability import require_suitable
from storage.connections.timeouts import first_line
from storage.connections.versions import NEWEST, refuse_strange, revisions
from storage.schema.errors import StorageError

# The key of the advisory lock that makes processes starting together on one PostgreSQL migrate one after another. Any number
# will do that no other program uses.
MIGRATING = 0x5350_5249_4E47

# How SQLite's messages about values that their columns don't allow begin.
_BAD_VALUES = ("CHECK constraint failed", "NULL value", "NUMERIC value", "TEXT value", "non-INT", "non-REAL")

# The application id in a SQLite file's header: "Sprb".
MARK = 0x5370_7262


class Lock:
    """A lock that keeps other processes away from a SQLite file. The kernel releases it however the process ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock of the database at `path`. Raises StorageError if another process has it or its file can't be made."""
        beside = path.with_name(path.name + ".lock")
        try:
            self._file = open_private(beside)
        except OSError as error:
            raise StorageError(f"The file {beside} cannot be written: {reason_of(error)}. {_remedy(error)}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 32, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            if error.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
                raise StorageError(f"The file {beside} cannot be locked: {reason_of(error)}.") from error
            process = f" (process {holder})" if holder else ""
            raise StorageError(
                f"Another Springboard{process} is using the database {path}. "
                "Stop it first, or give this one a database of its own."
            ) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Release the lock. Its file stays, because otherwise two processes could lock two files of the same name."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def _remedy(error: BaseException) -> str:
    if (isinstance(error, OSError) and error.errno in _FULL) or "disk is full" in reason_of(error):
        return "Make space there, or choose another place."
    return "Give the user that Springboard runs as the right to write there, or choose another place."


def reach(path: Path) -> None:
    """Create the folder of a database if it is missing, so that only this user can enter it. Raises StorageError."""
    if path.is_dir():
        raise StorageError(f"{path} is a folder. The address of the database must name a file, like {path / 'springboard.db'}.")
    try:
        make_folder(path.parent)
    except OSError as error:
        raise StorageError(f"The folder {path.parent} cannot be made: {reason_of(error)}. {_remedy(error)}") from error


def refuse_lost(path: Path) -> None:
    """Raise StorageError for a write-ahead log without its database, since SQLite would discard the log's newest actions."""
    log = path.with_name(path.name + "-wal")
    if _size(log) and not _size(path):
        raise StorageError(
            f"The database {path} is missing, but its log {log} is there, so it seems to have been moved or emptied. "
            "Put it back beside its log, or restore a backup (springboard restore)."
        )


def keep_private(path: Path) -> None:
    """Take all other users' rights to a database, and to the files that SQLite keeps beside it. Raises StorageError.

    A missing database is created empty. SQLite would create it according to the umask, and gives its other files the same
    permissions.
    """
    try:
        if not path.exists():
            create(path)
    except OSError as error:
        raise StorageError(f"The database {path} cannot be made: {reason_of(error)}. {_remedy(error)}") from error
    for end in ("", "-wal", "-shm", "-journal", ".lock"):
        tighten(path.with_name(path.name + end))


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def reason_of(error: BaseException) -> str:
    """Return the reason that the database or the operating system gives for an error, as a sentence without a full stop."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return first_line(error)


def writing_engine(address: Address, busy_timeout: float, **more: object) -> sa.Engine:
    """Return the engine of the one connection that writes. When a commit returns, the changes are on the disk."""
    wait = {"busy_timeout": int(busy_timeout * 1000)}
    durable = {"synchronous": "FULL", "foreign_keys": "ON", **more}
    return file_engine(_path(address), begin="BEGIN IMMEDIATE", pragmas=wait | durable)


def reading_engine(address: Address, busy_timeout: float) -> sa.Engine:
    """Return an engine that cannot write. In WAL mode, each transaction sees the database as it was at its first read."""
    pragmas = {"busy_timeout": int(busy_timeout * 1000), "query_only": "ON"}
    return file_engine(_path(address), begin="BEGIN", pragmas=pragmas)


def _path(address: Address) -> Path:
    assert address.path is not None
    return address.path


async def make_ready(address: Address, busy_timeout: float) -> None:
    """Migrate the database to the current schema in a single transaction. Raises StorageError as `migrate` does."""
    with explain_errors(address):
        if address.path is not None:
            await asyncio.to_thread(_make_file_ready, address, busy_timeout)
        else:
            await asyncio.to_thread(_make_server_ready, address)


def _make_file_ready(address: Address, busy_timeout: float) -> None:
    # A migration that copies a table must not delete the rows that refer to it. Foreign keys can be switched off only outside a
    # transaction, so migrations have a connection of their own.
    engine = writing_engine(address, busy_timeout, foreign_keys="OFF")
    with engine.begin() as connection:
        migrate(connection)
    with engine.connect() as connection:
        if answer(connection, "journal_mode=WAL") != "wal":
            raise StorageError(
                f"SQLite cannot keep a write-ahead log beside {address}; network folders often do not allow it. "
                "Choose a folder on a local disk."
            )


def _make_server_ready(address: Address) -> None:
    require_suitable(address)
    with server_engine(address, reading=False, migrating=True).begin() as connection:
        migrate(connection)


@contextmanager
def explain_errors(address: Address) -> Iterator[None]:
    """Turn errors that occur when a database is opened into StorageError, with advice for the operator."""
    try:
        yield
    except errors_of(address) as error:
        raise StorageError(_advice(address, error)) from error


def errors_of(address: Address) -> tuple[type[Exception], ...]:
    """Return the exceptions that mean trouble with a database, including those SQLAlchemy does not wrap while connecting."""
    if address.path is not None:
        return (DBAPIError, OSError, sqlite3.Error)
    return (DBAPIError, OSError, driver().Error)


def _advice(address: Address, error: BaseException) -> str:
    reason = reason_of(error)
    if address.path is None:
        return f"The database {address} cannot be used: {reason}. Check the address, and that the server is running."
    if "not a database" in reason or "malformed" in reason:
        return (
            f"The file {address} is damaged, or is no database at all ({reason}). It was left as it is. "
            "Restore a backup (springboard restore), or name another file."
        )
    if "locked" in reason:
        return f"The database {address} is locked by another program ({reason}). Close it and start again."
    return f"The database {address} cannot be opened: {reason}. {_remedy(error)}"


def migrate(connection: sa.Connection) -> None:
    """Migrate a database in the open transaction. Raises StorageError if it is damaged, too new or not Springboard's."""
    on_sqlite = connection.dialect.name == "sqlite"
    if on_sqlite:
        _refuse_damaged(connection)
    else:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
    present = revisions(connection)
    refuse_strange(connection, present)
    if on_sqlite:
        # Always written: SQLite begins a write transaction even on a read-only file, and fails at the first change.
        connection.exec_driver_sql(f"PRAGMA application_id={MARK}")
    if present == {NEWEST}:
        return
    importlib.import_module("storage.migrations.applying").upgrade(connection)
    if on_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise StorageError(
            "The database could not be brought up to date: some rows would refer to nothing. It was left as it is."
        )


def damage_in(connection: sa.Connection, pragma: str = "integrity_check") -> list[str]:
    """Return the damage that SQLite finds in a database file."""
    return [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {pragma}") if row[0] != "ok"]


def harmless(damage: str) -> bool:
    """Return whether only a value in some row is damaged, rather than the file."""
    return damage.startswith(_BAD_VALUES)


def _refuse_damaged(connection: sa.Connection) -> None:
    found = damage_in(connection, "quick_check")
    if any(not harmless(damage) for damage in found):
        raise StorageError(
            f"The database is damaged ({found[0]}). It was left as it is. "
            "Restore a backup (springboard restore), or name another file."
        )
