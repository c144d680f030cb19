"""Files that only the bot's own user can read, whatever the umask is."""

import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600

FOLDER_MODE: Final = 0o700

OTHERS: Final = 0o077

log = logging.getLogger(__name__)


def make_folder(path: Path) -> None:
    """Create a folder and its missing parents so that only this user can enter them. Raises OSError."""
    missing = [path]
    while not missing[-1].exists() and missing[-1] != missing[-1].parent:
        missing.append(missing[-1].parent)
    for folder in reversed(missing):
        if not folder.is_dir():
            folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
            folder.chmod(FOLDER_MODE)


def open_private(path: Path) -> int:
    """Open or create a file that only this user may read, and return its handle. Raises OSError."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    share_owner(path)
    tighten(path)
    return handle


def create(path: Path) -> None:
    """Create an empty file that only this user may read. Raises OSError, for example if the file exists."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE))
    path.chmod(FILE_MODE)


def share_owner(path: Path) -> None:
    """If this process is root, give a file to the owner of its folder, since the bot has a user of its own. Raises OSError."""
    file, folder = path.stat(), path.parent.stat()
    if os.geteuid() == 0 and file.st_uid != folder.st_uid:
        with suppress(PermissionError):
            os.chown(path, folder.st_uid, folder.st_gid)


def tighten(path: Path) -> None:
    """Take all rights to a file, if it exists, from everybody but its owner. Warn if the file belongs to another user."""
    # By name, without opening it: closing a SQLite file gives up this process's locks on it.
    try:
        mode = path.stat().st_mode & 0o7777
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
    except FileNotFoundError:
        return
    except OSError as error:
        log.warning("others may be able to read %s, whose permissions cannot be changed: %s", path, error.strerror)


def duplicate(original: Path, to: Path) -> None:
    """Copy the content and the times of a file to another file, which others cannot read at any moment. Raises OSError."""
    create(to)
    shutil.copyfile(original, to)
    status = original.stat()
    os.utime(to, ns=(status.st_atime_ns, status.st_mtime_ns))


def to_disk(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
