"""A folder of backups: how they are named, which of them are kept, and what a killed process has left behind."""

import fcntl
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from storage.connections.connect import reason_of
from storage.connections.places import full_path
from storage.connections.private_files import make_folder, open_private, to_disk
from storage.schema.errors import StorageError

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
WEEK: Final = 7 * DAY

KEPT: Final = ((HOUR, 24), (DAY, 7), (WEEK, 5))
"""How many hours, days and weeks each keep their last backup. Periods without a backup do not count."""

CLOCKS_DIFFER: Final = 60.0
"""How many seconds a backup may seem to lie in the future before its date is blamed on a wrong clock."""

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_NAME: Final = re.compile(r"springboard-(\d{8}T\d{6}Z)(-faulty)?\.sqlite3")
_UNFINISHED: Final = "springboard.unfinished"
_LOCK: Final = ".lock"

PROBE_BYTES: Final = 4096


class Busy(StorageError):
    """Another process is making a backup in the same folder."""


@dataclass(frozen=True, slots=True, order=True)
class Backup:
    """A backup that the bot has made by itself.

    Attributes:
        made: when it was made, according to its name, in seconds since the epoch.
        faulty: whether `check` found something wrong in it when it was made. It can still be restored.
    """

    made: float
    path: Path
    faulty: bool

    @classmethod
    def of(cls, path: Path) -> "Backup | None":
        """Return the backup at a path, or None if the file's name is not one that the bot gives."""
        match = _NAME.fullmatch(path.name)
        if match is None:
            return None
        try:
            made = datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC)
        except ValueError:
            return None
        return cls(made.timestamp(), path, match[2] is not None)


def _unwritable(path: Path, reason: str) -> StorageError:
    return StorageError(
        f"No backup can be written to {path} ({reason}). Name a folder that the user that Springboard runs as may make and "
        "write to, on a disk with space; or none, and it makes no backups."
    )


class BackupFolder:
    """The folder at `path`, in which backups are kept. Files whose names do not look like backups are never touched."""

    def __init__(self, path: Path) -> None:
        """Raises StorageError if the path cannot be resolved, because there is no such user or its links form a circle."""
        try:
            self.path = full_path(path)
        except StorageError as error:
            raise _unwritable(path, str(error).rstrip(".")) from error

    def backups(self) -> list[Backup]:
        """Return all backups, newest first, or none if there is no such folder. Raises StorageError if it cannot be read."""
        try:
            files = [path for path in self.path.iterdir() if path.is_file() and not path.is_symlink()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StorageError(f"The folder {self.path} cannot be read: {reason_of(error)}.") from error
        return sorted((found for path in files if (found := Backup.of(path)) is not None), reverse=True)

    def newest(self, now: float) -> Backup | None:
        """Return the newest backup, ignoring those that a wrong clock has dated in the future. Raises StorageError."""
        return next((one for one in self.backups() if one.made <= now + CLOCKS_DIFFER), None)

    def require_writable(self) -> None:
        """Raise StorageError, which says what to do, unless backups can be made here. The check leaves nothing behind."""
        above, beside = self.path, self.path / _LOCK
        try:
            above = next(folder for folder in (self.path, *self.path.parents) if folder.exists())
            with TemporaryDirectory(prefix=_UNFINISHED, dir=above) as folder:
                tried = Path(folder) / "tried"
                tried.write_bytes(bytes(PROBE_BYTES))
                to_disk(tried)
            if beside.exists():
                os.close(os.open(beside, os.O_RDWR | os.O_CLOEXEC))
        except OSError as error:
            raise _unwritable(self.path, f"{above}: {reason_of(error)}") from error

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Create the folder if it is missing, and keep other processes from making backups there during the block.

        Raises Busy if another process is making a backup, and StorageError if the folder cannot be written to.
        """
        beside = self.path / _LOCK
        try:
            make_folder(self.path)
            handle = open_private(beside)
        except OSError as error:
            raise StorageError(f"The folder {self.path} cannot be written to: {reason_of(error)}.") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise Busy(f"Another process is making a backup in {self.path}.") from error
        try:
            yield
        finally:
            os.close(handle)

    @property
    def unfinished_path(self) -> Path:
        """The path of a backup until it is known to be good. The names of the files beside it begin in the same way."""
        return self.path / _UNFINISHED

    def finish(self, now: float, *, faulty: bool) -> Path:
        """Name the unfinished backup after this moment, and return its path. Call this within `alone`. Raises OSError."""
        moment = int(now)
        while self._path(moment, faulty=False).exists() or self._path(moment, faulty=True).exists():
            moment += 1
        path = self._path(moment, faulty=faulty)
        self.unfinished_path.replace(path)
        to_disk(self.path)
        return path

    def tidy(self) -> list[Path]:
        """Remove whatever unfinished backups have left behind, and return the paths. Call this within `alone`."""
        left = [path for path in self.path.iterdir() if path.name.startswith(_UNFINISHED)]
        for path in left:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        return left

    def thin(self, now: float, just_made: Path) -> list[Path]:
        """Remove and return the backups not worth keeping. The one just made stays, and so does the newest without faults."""
        there = self.backups()
        sound = next((one for one in there if not one.faulty and one.made <= now + CLOCKS_DIFFER), None)
        # Backups from the future take no other backup's place, as nobody knows when they were really made.
        keep = moments_to_keep(one.made for one in there if one.made <= now + CLOCKS_DIFFER)
        keep |= moments_to_keep(one.made for one in there if one.made > now + CLOCKS_DIFFER)
        gone = [one.path for one in there if one.made not in keep and one != sound and one.path != just_made]
        for path in gone:
            with suppress(FileNotFoundError):
                path.unlink()
        return gone

    def _path(self, moment: float, *, faulty: bool) -> Path:
        stamp = datetime.fromtimestamp(moment, UTC).strftime(_STAMP)
        return self.path / f"springboard-{stamp}{'-faulty' if faulty else ''}.sqlite3"


def moments_to_keep(moments: Iterable[float]) -> set[float]:
    """Return the moments whose backups are kept. Only their order counts, not their age, so that a wrong clock spoils none."""
    ordered = sorted(moments)
    keep: set[float] = set()
    for length, count in KEPT:
        last = {moment // length: moment for moment in ordered}
        keep.update(last[period] for period in sorted(last)[-count:])
    return keep
