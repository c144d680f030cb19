"""Makes the backups of the running bot, and lists them for `springboard restore`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.admin.check import problems_of_backup
from bot.config import BACKUPS
from storage.connections.connect import reason_of
from storage.schema.errors import StorageError
from storage.upkeep import maintenance
from storage.upkeep.backups import Backup, BackupFolder


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made. It has `size` bytes, `check` found `problems`, and the older backups in `gone` were removed."""

    path: Path
    size: int
    problems: tuple[str, ...]
    gone: tuple[Path, ...]


def make(database: str | Path, folder: Path, now: float) -> Made:
    """Back up a database, check the backup as `springboard check` does, and remove older backups.

    The database may be in use. A backup whose file is not sound is not kept, and then no older backup is removed.

    Args:
        database: the SQLite database.
        folder: the folder for backups. It is created if it is missing.
        now: the time, in seconds since the epoch.

    Raises:
        Busy: if another process is making a backup there.
        StorageError: if the database is damaged, or the folder cannot be written to.
    """
    place = BackupFolder(folder)
    with place.alone():
        try:
            place.tidy()
            maintenance.backup(database, place.unfinished_path)
            try:
                with TemporaryDirectory(prefix=f"{place.unfinished_path.name}-check-", dir=place.path) as workplace:
                    problems = problems_of_backup(place.unfinished_path, Path(workplace))
                path = place.finish(now, faulty=bool(problems))
            finally:
                place.unfinished_path.unlink(missing_ok=True)
            return Made(path, path.stat().st_size, tuple(problems), tuple(place.thin(now, path)))
        except OSError as error:
            raise StorageError(f"No backup can be made in {place.path}: {reason_of(error)}.") from error


def tidy(folder: Path) -> None:
    """Remove files that a killed process left in a folder. Raises Busy, or StorageError if the folder is not writable."""
    place = BackupFolder(folder)
    with place.alone():
        try:
            place.tidy()
        except OSError as error:
            raise StorageError(f"The folder {place.path} cannot be tidied: {reason_of(error)}.") from error


def backup_lines(folder: Path) -> Iterator[str]:
    """Yield a line for each backup in a folder, newest first. Raises StorageError if the folder cannot be read."""
    for backup in BackupFolder(folder).backups():
        size = f"{backup.path.stat().st_size / 1e6:.1f} MB"
        yield f"{backup.path.name}  {_when(backup.made)}  {size:>9}  {_state(backup)}"


def _state(backup: Backup) -> str:
    damage = maintenance.damage(backup.path)
    if damage:
        return f"DAMAGED: {damage[0]}"
    found = maintenance.summary(backup.path)
    games = f"{found.games} game{'' if found.games == 1 else 's'}"
    until = f"until {_when(found.newest)}" if found.newest is not None else "nothing played"
    return f"{games}, {until}; " + ("sound, but `check` finds faults in it" if backup.faulty else "sound")


def choose(which: str, folder: Path | None) -> tuple[Path, list[str]]:
    """Return a backup by name or path, or the `latest` sound one and what is wrong with newer ones, or raise StorageError."""
    if which != "latest":
        file = Path(which)
        if folder is not None and not file.exists() and (named := BackupFolder(folder).path / which).is_file():
            return named, []
        return file, []
    passed: list[str] = []
    for backup in BackupFolder(_require_folder(folder)).backups():
        damage = maintenance.damage(backup.path)
        if not damage:
            return backup.path, passed
        passed.append(f"{backup.path.name} is damaged and was passed over. {damage[0]}")
    raise StorageError(" ".join([f"There is no backup in {folder} that is sound.", *passed]))


def _require_folder(folder: Path | None) -> Path:
    if folder is None:
        raise StorageError(f"{BACKUPS} is not set, so the bot makes no backups by itself. Name the file to be restored.")
    return folder


def listing(folder: Path | None) -> list[str]:
    """Return what `springboard restore` prints without a name. Raises StorageError if no folder of backups can be read."""
    place = BackupFolder(_require_folder(folder))
    lines = list(backup_lines(place.path))
    if not lines:
        return [f"There are no backups in {place.path} ({BACKUPS}) yet. The running bot makes one every hour."]
    how = "Stop the bot, then `springboard restore latest`, or one of these names, puts it in the place of the database."
    return [f"Backups in {place.path} ({BACKUPS}):", *lines, how]


def _when(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M} UTC"
