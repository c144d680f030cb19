"""What an operator can do to maintain a SQLite database: back it up, restore it, and check it."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from storage.connections.addresses import address_of
from storage.connections.connect import Lock, damage_in, harmless, reach, reason_of
from storage.connections.places import full_path
from storage.connections.private_files import create, duplicate, share_owner, to_disk
from storage.connections.versions import NEWEST, refuse_strange, revisions
from storage.schema import column_types, tables
from storage.schema.errors import StorageError
from storage.upkeep.consistency import findings, log_faults
from storage.upkeep.moving_rows import MOVED, differences


@dataclass(frozen=True, slots=True)
class Summary:
    """How many games have begun, and when a game was last played or a table last opened, in seconds since the epoch."""

    games: int
    newest: float | None


def backup(url_or_path: str | Path, to: Path, *, overwrite: bool = False) -> None:
    """Copy a database to the single file `to`, as a checked and consistent snapshot. The database may be in use.

    The file appears only once the copy is complete. It replaces an existing file only if `overwrite` is true. Raises
    StorageError if the database is missing or damaged, or if the copy cannot be written.
    """
    path = _file_of(url_or_path)
    to = full_path(to)
    if to == path:
        raise StorageError(f"{to} is the database itself. Give the backup another name.")
    if to.exists() and not overwrite:
        raise StorageError(f"The file {to} is there already. Give the backup another name.")
    _copy(path, to)


def restore(source: Path, url_or_path: str | Path, *, force: bool = False) -> Path | None:
    """Replace a database with a backup, keeping the previous database under another name. The database must not be in use.

    If `force` is true, this is done even if the existing database has something that the backup lacks, or does not belong to
    Springboard. Returns the path of the previous database, or None if there was none. Raises StorageError if the backup is not
    sound, another process is using the database, or `force` is needed.
    """
    source = _file_of(source)
    path = _address(url_or_path)
    if source == path:
        raise StorageError(f"{source} is the database itself.")
    reach(path)
    lock = Lock(path)
    try:
        return _replace(source, path, force=force)
    except OSError as error:
        raise StorageError(f"The database {path} cannot be restored: {reason_of(error)}.") from error
    finally:
        lock.release()


def summary(url_or_path: str | Path) -> Summary:
    """Return a summary of a database, which may be in use. Raises StorageError if the database cannot be read."""
    path = _file_of(url_or_path)
    try:
        with _read_only_transaction(path) as connection:
            present = revisions(connection)
            refuse_strange(connection, present)
            begun = sa.select(sa.func.count()).select_from(tables.tables).where(tables.tables.c.started_at.is_not(None))
            return Summary(connection.execute(begun).scalar_one() if present else 0, _newest(connection) or None)
    except (DBAPIError, sqlite3.Error) as error:
        raise StorageError(f"The file {path} is damaged, or is no database at all: {reason_of(error)}.") from error


def damage(url_or_path: str | Path) -> list[str]:
    """Return why a database, perhaps in use, cannot be backed up or restored. Raises StorageError if there is no database."""
    return list(_problems(_file_of(url_or_path), log_faults))


def check(url_or_path: str | Path) -> Iterator[str]:
    """Check a database, perhaps in use, and yield a sentence for each problem. Raises StorageError if there is no database."""
    return _problems(_file_of(url_or_path), findings)


def _problems(path: Path, content: Callable[[sa.Connection], Iterator[str]]) -> Iterator[str]:
    """Yield a sentence for each problem with the file, with its schema, and with its rows as far as `content` looks at them."""
    try:
        with _read_only_transaction(path) as connection:
            faults = damage_in(connection)
            yield from (f"The file is damaged: {found}." for found in faults if not harmless(found))
            yield from (f"A value is not one that its column allows: {found}." for found in faults if harmless(found))
            if not all(harmless(found) for found in faults):
                return
            present = revisions(connection)
            refuse_strange(connection, present)
            for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                yield f"Row {row} of {table} belongs to a row of {parent} that is not there."
            if not present:
                yield f"The file {path} is empty."
            if present == {NEWEST}:
                # Only the version that wrote another schema knows what its tables should look like.
                yield from content(connection)
    except StorageError as error:
        yield str(error)
    except (DBAPIError, sqlite3.Error) as error:
        yield f"The file {path} is damaged, or is no database at all: {reason_of(error)}."


def duplicate_of(url_or_path: str | Path, to: Path) -> None:
    """Copy a database as it is, whether it is sound or not. The database may be in use. Raises StorageError."""
    _copy(_file_of(url_or_path), to, sound=False)


def _address(url_or_path: str | Path) -> Path:
    address = address_of(url_or_path)
    if address.path is None:
        raise StorageError("This is for SQLite only. PostgreSQL brings its own tools: pg_dump, pg_restore and pg_amcheck.")
    return address.path


def _file_of(url_or_path: str | Path) -> Path:
    path = _address(url_or_path)
    if not path.is_file():
        raise StorageError(f"There is no database {path}.")
    return path


@contextmanager
def _read_only_transaction(path: Path) -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://", creator=lambda: _connect_read_only(path), json_deserializer=column_types.as_written)
    try:
        with engine.connect() as connection:
            # All queries see the same moment, even while another process writes.
            connection.exec_driver_sql("BEGIN")
            yield connection
    finally:
        engine.dispose()


def _connect_read_only(path: Path) -> sqlite3.Connection:
    # Not SQLite's mode=ro, which would leave files beside the database that the bot's user may be unable to write.
    connection = sqlite3.connect(f"file:{quote(os.fsencode(path))}?mode=rw", uri=True, isolation_level=None)
    connection.execute("PRAGMA query_only=ON")
    connection.text_factory = column_types.decoded
    return connection


def _copy(path: Path, to: Path, *, sound: bool = True) -> None:
    """Copy a database as it is at one moment. The copy gets its name once it is complete, so there is never half a copy.

    If `sound` is true, a damaged database is refused. A row that cannot be read, or a table that has been set aside, does not
    count as damage: everything else must be backed up nevertheless.
    """
    partial = _beside(to, ".partial")
    try:
        partial.unlink(missing_ok=True)
        create(partial)
        with closing(_connect_read_only(path)) as original, closing(sqlite3.connect(partial)) as copy:
            # The whole copy is on the disk before it gets its name; waiting for the disk earlier would only hold up others.
            copy.execute("PRAGMA synchronous=OFF")
            original.backup(copy)
            # A single file without a log can be read from anywhere.
            copy.execute("PRAGMA journal_mode=DELETE")
        wrong = damage(partial) if sound else []
        if wrong:
            raise StorageError(f"The database {path} is not sound, so it was not copied. {' '.join(wrong[:3])}")
        to_disk(partial)
        partial.replace(to)
        to_disk(to.parent)
    except sqlite3.Error as error:
        raise StorageError(f"The database {path} cannot be copied to {to}: {reason_of(error)}.") from error
    except OSError as error:
        raise StorageError(f"The file {to} cannot be written: {reason_of(error)}.") from error
    finally:
        partial.unlink(missing_ok=True)


def _replace(source: Path, path: Path, *, force: bool) -> Path | None:
    """Replace the database at `path` with a copy of `source` in one step, and return the path of the old one, or None."""
    before = _keep_copy(path)
    try:
        if before is not None and not force:
            _refuse_loss(source, before)
        fresh = _beside(path, ".restored")
        _copy(source, fresh)
    except BaseException:
        if before is not None:
            for end in ("", "-wal", "-shm"):
                _beside(before, end).unlink(missing_ok=True)
        raise
    # SQLite would take the old database's log for the new one's.
    _beside(path, "-wal").unlink(missing_ok=True)
    _beside(path, "-shm").unlink(missing_ok=True)
    share_owner(fresh)
    fresh.replace(path)
    to_disk(path.parent)
    return before


def _keep_copy(path: Path) -> Path | None:
    """Copy a database, sound or not, and its log while nobody uses it. Returns the copy's path, or None without a database."""
    if not path.exists() and not _beside(path, "-wal").exists():
        return None
    before = _beside(path, ".before-restore")
    count = 1
    while before.exists() or _beside(before, "-wal").exists():
        count += 1
        before = _beside(path, f".before-restore-{count}")
    for original, copy in ((path, before), (_beside(path, "-wal"), _beside(before, "-wal"))):
        if original.exists():
            duplicate(original, copy)
            to_disk(copy)
    to_disk(path.parent)
    return before


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _refuse_loss(source: Path, before: Path) -> None:
    """Raise StorageError if giving up the database kept as `before` would lose games, or another program's data."""
    with tempfile.TemporaryDirectory() as folder:
        # Reading a database may change its log, and this one must stay as it was.
        seen = Path(folder) / "seen.db"
        for end in ("", "-wal"):
            if _beside(before, end).exists():
                shutil.copy2(_beside(before, end), _beside(seen, end))
        if not seen.exists() or not seen.stat().st_size:
            return
        try:
            with _read_only_transaction(seen) as present, _read_only_transaction(source) as saved:
                refuse_strange(present, revisions(present))
                there, in_backup = _newest(present), _newest(saved)
                differing = _unlike(present, saved) if there == in_backup else ""
        except (DBAPIError, sqlite3.Error):
            # It is damaged: that is what backups are for. Problems of the backup are found when it is copied.
            return
    given_up = "If that is meant, restore with --force; the database is then kept under another name."
    if there > in_backup:
        raise StorageError(
            f"The database goes on until {_when(there)}, the backup only until {_when(in_backup)}: "
            f"what was played since would be lost. {given_up}"
        )
    if differing:
        raise StorageError(
            f"The database and the backup both go on until {_when(there)}, but {differing}: "
            f"what was done since without playing, such as settings and seats that were taken, would be lost. {given_up}"
        )


def _unlike(present: sa.Connection, saved: sa.Connection) -> str:
    """Return how a database differs from a backup, as a clause for a sentence, or "" if nothing would be lost."""
    if not revisions(present):
        return ""
    if not revisions(present) == revisions(saved) == {NEWEST}:
        return "they cannot be compared, since they are not both of this version of Springboard"
    compared = (table for table in MOVED if table not in {tables.heartbeats, tables.outages})
    unlike = [table.name for table in compared if any(differences(present, saved, table))]
    return f"they are not the same ({', '.join(sorted(unlike))})" if unlike else ""


def _newest(connection: sa.Connection) -> float:
    """Return when something was last added to the database, in seconds since the epoch, or 0 if it is empty."""
    if not revisions(connection):
        return 0.0
    columns = (tables.actions.c.at, tables.tables.c.created_at, tables.tables.c.started_at, tables.tables.c.finished_at)
    moments = [connection.execute(sa.select(sa.func.max(column))).scalar() for column in columns]
    return max((moment for moment in moments if moment is not None), default=0.0)


def _when(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S} UTC" if moment else "its first game"
