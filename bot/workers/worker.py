"""A process beside the bot that carries out calls, seen from the one that started it."""

import math
import os
import pickle
import select
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import structlog

from bot.workers.child import LENGTH, call_before

log = structlog.get_logger(__name__)

TIMEOUT: Final = 60.0
"""Seconds of a processor after which a process that has not answered is taken for hung, and killed."""

STANDSTILL: Final = 120.0
"""Seconds without any time of a processor after which a process is taken for hung, and killed."""

LOOKED_AFTER: Final = 0.5
"""Seconds between two looks at the progress of a call."""

ATTEMPTS: Final = 2
"""The attempts at a call: a second one if the process died, which need not have been the fault of the call."""

SECRET: Final = ("DISCORD_", "SPRINGBOARD_")
"""The beginnings of the names of the bot's settings. The process needs none of them."""

ALLOCATOR: Final = {"MALLOC_MMAP_THRESHOLD_": "6000000", "MALLOC_TRIM_THRESHOLD_": "8000000"}
"""Settings of glibc: it gives back buffers larger than a picture at once, and free memory at the end beyond two of them.

By default it keeps the memory of the largest layers, which are drawn once: a third of the memory of the process.
"""

_STARTING: Final = ThreadPoolExecutor(1, thread_name_prefix="springboard-starting")
"""The thread that starts all processes. It ends with this process: on Linux they are killed when it does."""

_Result = TypeVar("_Result")


class WorkFailed(Exception):
    """The process died or did not answer at each attempt."""


class _Died(Exception):
    """The process has ended, or is as good as dead."""


class Worker:
    """A process that carries out calls, one at a time. It starts when it is needed. Threads must take turns with it.

    Args:
        task: its task in a word, for the log.
        nice: its niceness, as for `os.nice`.
        timeout: seconds of a processor after which a call without an answer counts as a death. Other load on the machine does
            not matter.
        standstill: seconds without any time of a processor after which it does, too.
    """

    def __init__(self, task: str, *, nice: int = 0, timeout: float = TIMEOUT, standstill: float = STANDSTILL) -> None:
        self._task = task
        self._nice = nice
        self._timeout = timeout
        self._standstill = standstill
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def pid(self) -> int | None:
        """The process id, or None."""
        return None if self._process is None else self._process.pid

    def call(self, function: Callable[..., _Result], *values: Any, before: float = math.inf) -> _Result:
        """Call a function of a module in the process. Return its result, or raise its error.

        Args:
            function: the function.
            values: its arguments.
            before: the last moment at which the first attempt may begin, by `time.monotonic`. What was begun in time, and died,
                is attempted again however late it is.

        Raises:
            WorkFailed: the process died at each attempt.
            TooLate: the process had no time for the call until that moment.
        """
        for attempt in range(1, ATTEMPTS + 1):
            limit = before if attempt == 1 else math.inf
            request = pickle.dumps((call_before, (limit, function, *values)), pickle.HIGHEST_PROTOCOL)
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
        process = self._process = self._process or _STARTING.submit(_start, self._nice).result()
        assert process.stdin is not None
        assert process.stdout is not None
        progress = _Progress(process.pid, self._timeout, self._standstill)
        _write(process.stdin.fileno(), LENGTH.pack(len(request)) + request, progress)
        (length,) = LENGTH.unpack(_read(process.stdout.fileno(), LENGTH.size, progress))
        return bytes(_read(process.stdout.fileno(), length, progress))

    def rest(self) -> int | None:
        """End the process, which starts again when it is needed. Return its exit status; None if there was no process."""
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
        """Make the present call and all later ones fail. Any thread may do this."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()


def _start(nice: int) -> subprocess.Popen[bytes]:
    """Start a process that imports from the same places as this one and knows none of its secrets."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}
    environment = {**ALLOCATOR, **environment}
    environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    command = [
        sys.executable,
        "-P",
        "-c",
        f"import os; os.nice({nice}); from bot.workers.child import main; main({os.getpid()})",
    ]
    process = subprocess.Popen(  # noqa: S603 – nothing of it comes from outside
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    )
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
    return process


class _Progress:
    """The progress of a process with a call, by the time of a processor that it takes.

    A standstill is counted in looks, so that the time while this process or the machine is stopped does not count.

    Args:
        pid: the process id.
        timeout, standstill: see `Worker`.
    """

    def __init__(self, pid: int, timeout: float, standstill: float) -> None:
        self._pid = pid
        self._standstill = standstill
        self._taken = processor_time(pid)
        self._most = self._taken + timeout
        self._still = 0.0

    def look(self) -> None:
        """Look after LOOKED_AFTER seconds. Raises _Died if the process is taken for hung."""
        before, self._taken = self._taken, processor_time(self._pid)
        self._still = 0.0 if self._taken > before else self._still + LOOKED_AFTER
        if self._taken > self._most or self._still > self._standstill:
            raise _Died


def processor_time(pid: int) -> float:
    """The seconds of a processor that a process has taken so far; 0 if unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:  # not on Linux
        return _time_by_ps(pid)


def _time_by_ps(pid: int) -> float:
    """As `processor_time`, from `ps`, which every system has: 1-02:03:04, or 3:04.56."""
    try:
        command = ["ps", "-o", "time=", "-p", str(pid)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603 – wherever it is
    except (OSError, subprocess.SubprocessError):
        return 0.0
    days, _, hours = said.strip().rpartition("-")
    seconds = 86400.0 * int(days or 0)
    for place, number in enumerate(reversed(hours.split(":"))):
        seconds += float(number) * 60**place
    return seconds


def _write(pipe: int, content: bytes, progress: _Progress) -> None:
    """Write all of it. Raises _Died if the other end is closed, or is taken for hung before it takes it."""
    rest = memoryview(content)
    while rest:
        _await(pipe, select.POLLOUT, progress)
        try:
            rest = rest[os.write(pipe, rest) :]
        except BrokenPipeError:
            raise _Died from None


def _read(pipe: int, count: int, progress: _Progress) -> bytearray:
    """Read `count` bytes. Raises _Died if the other end is closed before, or is taken for hung."""
    content = bytearray()
    while len(content) < count:
        _await(pipe, select.POLLIN, progress)
        part = os.read(pipe, count - len(content))
        if not part:
            raise _Died
        content += part
    return content


def _await(pipe: int, event: int, progress: _Progress) -> None:
    """Wait until a pipe is ready or its other end is closed. Raises _Died if the process is taken for hung."""
    poll = select.poll()
    poll.register(pipe, event)
    while not poll.poll(LOOKED_AFTER * 1000):
        progress.look()
