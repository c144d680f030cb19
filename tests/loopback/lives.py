"""The lives of a bot: processes that are started, and killed at a chosen moment."""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests.loopback.faults import Call
from tests.loopback.server import Loopback

ROOT = Path(__file__).parents[2]


class Died(Exception):
    """The bot ended by itself. The message is what it wrote to its log."""


class Lives:
    """One bot after another over the same database, on the same Discord.

    Args:
        loopback: the Discord.
        database: the file.
        dice: decides how a life ends.

    Attributes:
        log: what all of them wrote.
        kills: how many were killed.
    """

    def __init__(self, loopback: Loopback, database: Path, dice: random.Random) -> None:
        self.loopback, self.database, self.dice = loopback, database, dice
        self.log = database.with_suffix(".log")
        self.kills = 0
        self._zygote: asyncio.subprocess.Process | None = None
        self._pid: int | None = None

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        """The process that forks is there in the block, and no bot is left after it."""
        self._zygote = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.loopback.zygote",
            cwd=ROOT,
            stdin=PIPE,
            stdout=PIPE,
        )
        try:
            yield
        finally:
            self._kill()
            assert self._zygote.stdin is not None
            self._zygote.stdin.close()
            await self._zygote.wait()

    async def _ask(self, **what: Any) -> int:
        assert self._zygote is not None
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        self._zygote.stdin.write(json.dumps(what).encode() + b"\n")
        answer = await self._zygote.stdout.readline()
        return int(answer)

    def _kill(self) -> None:
        pid, self._pid = self._pid, None
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    async def begin(self) -> int:
        """Start a bot. Returns the id of its process."""
        self._pid = await self._ask(start=self.loopback.discord.base, database=str(self.database), log=str(self.log))
        return self._pid

    def doomed(self, calls: int) -> None:
        """The bot that was begun is killed at one of its next calls: before it is carried out, after that, or soon after."""
        left = calls
        way = self.dice.choice(("before", "after", "later"))

        def struck(_: Call) -> None:
            nonlocal left
            left -= 1
            if left == 0 and way == "later":
                asyncio.get_running_loop().call_later(self.dice.uniform(0, 0.05), self._kill)
            elif left == 0:
                self._kill()

        setattr(self.loopback, "before" if way == "before" else "after", struck)

    async def end(self, pid: int) -> None:
        """Wait until a bot that is doomed is dead. Raises Died if it was not killed."""
        status = await self._ask(**{"await": pid})
        self.loopback.before = self.loopback.after = lambda _: None
        self._pid = None
        if status != -signal.SIGKILL:
            raise Died(f"status {status}:\n{self.log.read_text()[-4000:]}")
        self.kills += 1

    async def stop(self, pid: int) -> int:
        """Ask a bot to stop, and wait until it has. Returns its exit status."""
        os.kill(pid, signal.SIGTERM)
        status = await self._ask(**{"await": pid})
        self._pid = None
        return status
