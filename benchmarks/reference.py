"""Version 1.0.0, which stays the reference for what the bot costs. It is taken from the history of this repository."""

import compileall
import contextlib
import subprocess
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

VERSION: Final = "1.0.0"
COMMIT: Final = "2aa64ebe5a014fec21c8369c848472939e8fc678"
"""The commit of that version."""
REPOSITORY: Final = Path(__file__).resolve().parents[1]


class OutOfReach(Exception):
    """The reference is not in the history of this checkout. The message says what to do."""


@contextlib.contextmanager
def reference(repository: Path = REPOSITORY) -> Iterator[Path]:
    """Yield a temporary folder with the reference. Raise OutOfReach if the repository does not have it.

    Its modules are compiled, so that its first start is like any other.
    """
    files = archive(repository)
    with TemporaryDirectory(prefix="springboard-reference-") as name:
        folder = Path(name)
        with tarfile.open(fileobj=BytesIO(files)) as packed:
            packed.extractall(folder, filter="data")
        compileall.compile_dir(folder, quiet=2)
        yield folder


def archive(repository: Path) -> bytes:
    """Return the files of the reference as a tar archive. Raise OutOfReach if the repository does not have it."""
    try:
        shallow = _git(repository, "rev-parse", "--is-shallow-repository") == b"true\n"
    except (OSError, subprocess.CalledProcessError):
        raise OutOfReach(f"Version {VERSION} is in the history of a clone by git, and {repository} is none.") from None
    try:
        return _git(repository, "archive", COMMIT)
    except subprocess.CalledProcessError:
        fetch = "git fetch --unshallow" if shallow else f"git fetch origin {COMMIT}"
        raise OutOfReach(f"This clone does not have version {VERSION}. Fetch it: {fetch}") from None


def _git(repository: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
