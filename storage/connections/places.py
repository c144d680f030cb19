"""Where files are: paths as people write them, and file systems on other machines."""

import os
import re
from pathlib import Path
from typing import Final

from storage.schema.errors import StorageError

MOUNTS: Final = Path("/proc/self/mountinfo")
"""The file in which Linux lists the mounts of this process, one on each line."""

ELSEWHERE: Final = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "glusterfs", "gpfs", "lustre", "nfs", "nfs4", "ocfs2", "orangefs",
        "smb3", "smbfs",
        *(f"fuse.{name}" for name in ("gcsfuse", "glusterfs", "goofys", "grpcfuse", "mfs", "rclone", "s3fs", "sshfs")),
    }
)  # fmt: skip
"""The types of file systems that are on another machine. Note that 9p also stands for Windows drives in WSL."""


def full_path(path: str | Path) -> Path:
    """Return an absolute path, with `~` and links resolved. Raises StorageError if that fails or the path can't be encoded."""
    try:
        return Path(path).expanduser().resolve()
    except RuntimeError:  # `Path` raises it in both cases
        raise StorageError(
            f"The path {path} leads nowhere: there is no home for ~ to stand for, or its links lead in a circle. "
            "Write it from / on."
        ) from None
    except UnicodeEncodeError as error:
        raise StorageError(
            f"The path {str(path)!r} has letters that the locale of this machine ({error.encoding}) has no bytes for. "
            "Set LC_ALL=C.UTF-8, or write it without them."
        ) from error
    except (OSError, ValueError) as error:
        raise StorageError(f"The path {str(path)!r} leads nowhere: {error}.") from error


def network_file_system(path: Path, mounts: Path = MOUNTS) -> str | None:
    """Return the type of the network file system that an existing path is on, or None if it is local or unknown."""
    try:
        device = path.stat().st_dev
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    number = f"{os.major(device)}:{os.minor(device)}"
    found = (re.search(r" - (\S+) ", line) for line in lines if line.split()[2:3] == [number])
    return next((match[1] for match in found if match is not None and match[1] in ELSEWHERE), None)


def warning_of(path: Path, mounts: Path = MOUNTS) -> str | None:
    """Return a warning for the operator if the database at `path` is, or would be, on another machine."""
    there = next(one for one in (path, *path.parents) if one.exists())
    kind = network_file_system(there, mounts)
    if kind is None:
        return None
    return (
        f"{there} is on a network file system ({kind}), where locks are not reliable: SQLite can lose games there. "
        "Move the database to a disk of this machine, or use PostgreSQL."
    )
