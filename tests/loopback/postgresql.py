"""A PostgreSQL server of one's own, to be stopped and started again: `.ci/postgresql`."""

import asyncio
import subprocess
from pathlib import Path
from typing import Self

SCRIPT = Path(__file__).parents[2] / ".ci" / "postgresql"


class Server:
    """A server, there in a block. `url`: of an empty database on it."""

    url: str

    async def __aenter__(self) -> Self:
        self.url = (await _done()).strip()
        return self

    async def __aexit__(self, *_: object) -> None:
        await _done("stop", self.url)

    async def pause(self, mode: str = "fast") -> None:
        """Stop it; ``immediate``: as if it had crashed. What was written stays."""
        await _done("pause", self.url, mode)

    async def resume(self) -> None:
        """Start it again, and wait until it can be used."""
        await _done("resume", self.url)


async def _done(*arguments: str) -> str:
    """Run the script. Returns what it prints."""
    done = await asyncio.to_thread(lambda: subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False))
    assert done.returncode == 0, done.stderr
    return done.stdout
