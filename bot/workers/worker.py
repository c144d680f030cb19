"""A process beside the bot that carries out calls, seen from the one that started it."""

import os
import pickle
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import structlog

from bot.workers.child import LENGTH

log = structlog.get_logger(__name__)

PATIENCE: Final = 60.0
"""Seconds after which a process that has not answered is taken for dead, and killed."""

ATTEMPTS: Final = 2
"""How often a call is tried: once more if the process died during it, which need not have been its fault."""

SECRET: Final = ("DISCORD_", "SPRINGBOARD_")
"""What the names of the settings begin with. The process needs none of them."""

ALLOCATOR: Final = {"MALLOC_MMAP_THRESHOLD_": "6000000", "MALLOC_TRIM_THRESHOLD_": "8000000"}
"""What glibc gives back at once: buffers larger than a picture, and what is free at the end beyond two of them.

Left to itself it keeps what the largest layers took, which are drawn once: a third of the memory of the process.
"""

_Result = TypeVar("_Result")


class WorkFailed(Exception):
    """The process died, or did not answer, each time it was tried."""


class _Died(Exception):
    """The process has ended, or is as good as dead."""


class Worker:
    """A process that carries out calls, one at a time. It is started when it is needed. Threads must take turns with it.

    Args:
        task: what it does, in a word, for the log.
        nice: by how much it yields to other processes, as `os.nice` has it.
        patience: seconds after which a call that has not been answered counts as a death.
    """

    def __init__(self, task: str, *, nice: int = 0, patience: float = PATIENCE) -> None:
        self._task = task
        self._nice = nice
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        return None if self._process is None else self._process.pid

    def call(self, function: Callable[..., _Result], *values: Any) -> _Result:
        """Call a function of a module in the process, and return what it returns, or raise what it raises.

        Raises:
            WorkFailed: if the process died each time.
        """
        request = pickle.dumps((function, values), pickle.HIGHEST_PROTOCOL)
        for attempt in range(1, ATTEMPTS + 1):
            if self._closed:
                raise WorkFailed("nothing is done any more")
            try:
                succeeded, result = pickle.loads(self._answer(request))  # noqa: S301 – it comes from a process of our own
            except _Died:
                status = self.rest()
                if not self._closed:
                    log.warning("a worker died", task=self._task, attempt=attempt, status=status)
                continue
            if not succeeded:
                raise result
            return cast("_Result", result)
        raise WorkFailed(f"the process died {ATTEMPTS} times at {function.__module__}.{function.__qualname__}")

    def _answer(self, request: bytes) -> bytes:
        process = self._process = self._process or _started(self._nice)
        assert process.stdin is not None
        assert process.stdout is not None
        until = time.monotonic() + self._patience
        _write(process.stdin.fileno(), LENGTH.pack(len(request)) + request, until)
        (length,) = LENGTH.unpack(_read(process.stdout.fileno(), LENGTH.size, until))
        return bytes(_read(process.stdout.fileno(), length, until))

    def rest(self) -> int | None:
        """End the process, which is started again when it is needed. Returns its exit status; None if there was none."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()  # it has nothing to lose
        status = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        return status

    def close(self) -> None:
        """Let a call that is carried out fail now, and all others from now on. Any thread may do this."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()


def _started(nice: int) -> subprocess.Popen[bytes]:
    """Start a process that imports from the same places as this one and knows none of its secrets."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}
    environment = {**ALLOCATOR, **environment}
    environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    command = [sys.executable, "-P", "-c", f"import os; os.nice({nice}); from bot.workers.child import main; main()"]
    process = subprocess.Popen(  # noqa: S603 – nothing of it comes from outside
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    )
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
    return process


def _write(pipe: int, content: bytes, until: float) -> None:
    """Write all of it. Raises _Died if the other end is closed, or does not take it in time."""
    rest = memoryview(content)
    while rest:
        _await(pipe, select.POLLOUT, until)
        try:
            rest = rest[os.write(pipe, rest) :]
        except BrokenPipeError:
            raise _Died from None


def _read(pipe: int, count: int, until: float) -> bytearray:
    """Read so many bytes. Raises _Died if the other end is closed before, or does not send them in time."""
    content = bytearray()
    while len(content) < count:
        _await(pipe, select.POLLIN, until)
        part = os.read(pipe, count - len(content))
        if not part:
            raise _Died
        content += part
    return content


def _await(pipe: int, event: int, until: float) -> None:
    """Wait until something can be read from a pipe or written to it, or its other end is closed. Raises _Died in the end."""
    poll = select.poll()
    poll.register(pipe, event)
    if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
        raise _Died
