"""A PostgreSQL server for one test, which can be stopped and started again: `.ci/postgresql`."""

import asyncio
import os
import subprocess
from pathlib import Path
from typing import Self

SCRIPT = Path(__file__).parents[2] / ".ci" / "postgresql"


class NotInstalled(Exception):
    """There is no PostgreSQL on this machine."""


class Server:
    """A server, there in a block. `url`: of an empty database on it. Raises NotInstalled."""

    url: str

    async def __aenter__(self) -> Self:
        self.url = (await _done()).strip()
        return self

    async def __aexit__(self, *_: object) -> None:
        await _done("stop", self.url)

    @property
    def folder(self) -> Path:
        """Where its data is (`data`), its log and its socket."""
        return Path(self.url.partition("?host=")[2])

    @property
    def pid(self) -> int:
        """Its process, from which all others of it come."""
        return int((self.folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])

    def configure(self, **settings: str) -> None:
        """Change settings, with its next start."""
        with (self.folder / "data" / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def keep(self, name: str, content: bytes) -> None:
        """Give it a file in the folder of its data, which only its user can read."""
        path, owner = self.folder / "data" / name, (self.folder / "data").stat()
        path.write_bytes(content)
        path.chmod(0o600)
        os.chown(path, owner.st_uid, owner.st_gid)

    async def pause(self, mode: str = "fast") -> None:
        """Stop it; ``immediate``: as if it had crashed. What was written stays."""
        await _done("pause", self.url, mode)

    async def resume(self) -> None:
        """Start it again, and wait until it can be used."""
        await _done("resume", self.url)


async def _done(*arguments: str) -> str:
    """Run the script. Returns what it prints."""
    done = await asyncio.to_thread(lambda: subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False))
    if "is not installed" in done.stderr:
        raise NotInstalled(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return done.stdout
