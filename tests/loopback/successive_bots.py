"""Successive bots over one database: processes that are started, and killed at a chosen moment."""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Self

from loopback.faults import Call
from loopback.server import Loopback

ROOT = Path(__file__).parents[2]


class Died(Exception):
    """The bot ended by itself. The message is its log."""


class ForkServer:
    """The process that forks bots, as a context manager."""

    _process: asyncio.subprocess.Process

    def __init__(self) -> None:
        self._asking = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.loopback.fork_server", cwd=ROOT, stdin=PIPE, stdout=PIPE
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()

    async def ask(self, **what: Any) -> int | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        async with self._asking:
            self._process.stdin.write(json.dumps(what).encode() + b"\n")
            answer: int | None = json.loads(await self._process.stdout.readline())
        return answer

    async def ended(self, pid: int) -> int:
        """Wait until a bot has ended. Returns its exit status."""
        status = await self.ask(**{"await": pid})
        assert status is not None
        return status


class SuccessiveBots:
    """One bot after another on the same database and Discord. `dice` decides how each ends."""

    def __init__(self, loopback: Loopback, database: Path, dice: random.Random) -> None:
        self.loopback, self.database, self.dice = loopback, database, dice
        self.log = database.with_suffix(".log")
        self.kills = 0
        self._fork_server = ForkServer()
        self._pid: int | None = None

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        """The forking process exists in this block, and no bot outlives it."""
        async with self._fork_server:
            try:
                yield
            finally:
                self._kill()

    def _kill(self) -> None:
        pid, self._pid = self._pid, None
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    async def begin(self) -> int:
        self._pid = await self._fork_server.ask(
            start=self.loopback.discord.base, database=str(self.database), log=str(self.log)
        )
        assert self._pid is not None
        return self._pid

    def doomed(self, calls: int, where: Callable[[Call], bool] = lambda _: True) -> None:
        """Kill the bot at one of its next calls `where` this holds: before it is carried out, after that, or soon after."""
        left = calls
        way = self.dice.choice(("before", "after", "later"))

        def struck(call: Call) -> None:
            nonlocal left
            left -= where(call)
            if left == 0 and where(call) and way == "later":
                asyncio.get_running_loop().call_later(self.dice.uniform(0, 0.05), self._kill)
            elif left == 0 and where(call):
                self._kill()

        setattr(self.loopback, "before" if way == "before" else "after", struck)

    async def end(self, pid: int) -> None:
        """Wait until a doomed bot is dead. Raises Died if it was not killed."""
        status = await self._fork_server.ended(pid)
        self.loopback.before = self.loopback.after = lambda _: None
        self._pid = None
        if status != -signal.SIGKILL:
            raise Died(f"status {status}:\n{self.log.read_text()[-4000:]}")
        self.kills += 1

    async def stop(self, pid: int) -> int:
        """Ask a bot to stop, and wait. Returns its exit status."""
        os.kill(pid, signal.SIGTERM)
        status = await self._fork_server.ended(pid)
        self._pid = None
        return status
