"""A process beside the bot that carries out calls, as seen from the process that started it.

The event loop itself talks to the process through pipes that never make it wait. A thread for this would have to take turns
with the loop a dozen times for each call.
"""

import asyncio
import math
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import structlog

from bot.workers.child import HEADER, call_before

log = structlog.get_logger(__name__)

TIMEOUT: Final = 60.0
"""Seconds of processor time after which a process without an answer counts as hung and is killed."""

STANDSTILL: Final = 120.0
"""Seconds without any use of the processor after which a process counts as hung and is killed."""

GIVES_WAY_WITHIN: Final = 10.0
"""Seconds of processor time after which a long call that gives no way to another counts as hung."""

LOOKED_AFTER: Final = 0.5
"""Seconds between two checks of a call's progress, and before the first check."""

READ_AT_ONCE: Final = 2**16
"""The most bytes of an answer that are read at once, which is what a pipe holds."""

ATTEMPTS: Final = 2
"""How often a call is attempted. It is attempted twice, since the death of a process need not be the call's fault."""

SECRET: Final = ("DISCORD_", "SPRINGBOARD_")
"""The beginnings of the names of the bot's settings, none of which the process needs."""

ALLOCATOR: Final = {"MALLOC_MMAP_THRESHOLD_": "6000000", "MALLOC_TRIM_THRESHOLD_": "16000000"}
"""Settings of glibc: return buffers larger than a picture at once, and free memory at the end beyond three pictures.

By default, glibc keeps the memory of the largest layers, which are drawn only once, and that is a third of the process. If it
kept less, every picture would have to get its memory from the system anew, which takes 0.4 ms for 6 MB.
"""

_Result = TypeVar("_Result")


class WorkFailed(Exception):
    """The process died or did not answer at every attempt."""


class _Died(Exception):
    """The process has ended, or counts as ended.

    Attributes:
        status: its exit status, if there was a process.
        with_long: whether a long call was in progress besides this one, which counts as the cause.
    """

    def __init__(self, status: int | None, *, with_long: bool = False) -> None:
        super().__init__(status)
        self.status, self.with_long = status, with_long


class Worker:
    """A process that carries out calls, one at a time in the order of their arrival. It starts when needed.

    A long call is carried out beside the others: it waits only for other long calls, and gives way to the rest (`give_way` of
    `bot.workers.child`). The worker belongs to the event loop in which it is first called.

    Args:
        task: its task in a word, for the log.
        nice: its niceness, as for `os.nice`.
        timeout: the seconds of processor time after which a call without an answer counts as a death, whatever else the machine
            does.
        standstill: the seconds without any use of the processor after which it also counts as a death.
    """

    def __init__(
        self,
        task: str,
        *,
        nice: int = 0,
        timeout: float = TIMEOUT,
        standstill: float = STANDSTILL,
    ) -> None:
        self._task = task
        self._nice = nice
        self._limits = timeout, standstill
        self._process: _Process | None = None
        self._short, self._long = _Line(), _Line()
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return self._short.present is self._long.present is None

    @property
    def pid(self) -> int | None:
        """The process id, or None."""
        return None if self._process is None else self._process.pid

    async def call(
        self, function: Callable[..., _Result], *values: Any, before: float = math.inf, is_long: bool = False
    ) -> _Result:
        """Call a module's function in the process, and return its result or raise its error.

        The first attempt begins before the time `before` of `time.monotonic`. A second attempt may begin later. If this method
        is cancelled, a call that waits is dropped, and a call that has begun continues. Long calls, and those to a nice
        process, may be large, so they are pickled in a thread.

        Raises:
            WorkFailed: the process died at every attempt.
            TooLate: the process had no time for the call before that time.
        """
        line, deaths = self._long if is_long else self._short, 0
        while deaths < ATTEMPTS:
            pickled = partial(pickle.dumps, (call_before, (before, function, *values)), pickle.HIGHEST_PROTOCOL)
            content = await asyncio.to_thread(pickled) if self._nice or is_long else pickled()
            if self._closed:
                raise WorkFailed("nothing is done any more")
            try:
                succeeded, result = pickle.loads(await self._ask(content, line))  # noqa: S301 – our own process sent it
            except _Died as died:
                if not self._closed:
                    log.warning("a worker died", task=self._task, attempt=deaths + 1, status=died.status)
                deaths += not died.with_long
                before = math.inf
                continue
            if not succeeded:
                raise result
            return cast("_Result", result)
        named = function.func if isinstance(function, partial) else function
        raise WorkFailed(f"the process died {ATTEMPTS} times at {named.__module__}.{named.__qualname__}")

    async def _ask(self, content: bytes, line: "_Line") -> bytes:
        request = _Request(content, asyncio.get_running_loop().create_future())
        line.waiting.append(request)
        if line.present is None:
            self._begin_next(line)
        return await request.answer

    def _begin_next(self, line: "_Line") -> None:
        line.present = None
        while line.waiting and line.present is None:
            request = line.waiting.popleft()
            if not request.answer.done():
                try:
                    self._process = self._process or _Process(_start(self._nice), self._limits, self._take, self.rest)
                except OSError as error:
                    request.answer.set_exception(error)
                else:
                    line.present = request
                    self._process.ask(request.content, is_long=line is self._long)

    def _take(self, answer: bytes, is_long: bool) -> None:
        """Pass on an answer from the process, and continue with the next call."""
        line = self._long if is_long else self._short
        present = line.present
        assert present is not None
        self._begin_next(line)
        if not present.answer.done():
            present.answer.set_result(answer)

    def rest(self) -> None:
        """End the process until it is needed again. For calls that have begun, this counts as a death."""
        process, self._process = self._process, None
        status = None if process is None else process.end()
        with_long = self._long.present is not None
        for line in (self._short, self._long):
            if line.present is not None and not line.present.answer.done():
                line.present.answer.set_exception(_Died(status, with_long=with_long and line is self._short))
        for line in (self._short, self._long):
            self._begin_next(line)

    def close(self) -> None:
        """End the process, and make the present calls and all later ones fail."""
        self._closed = True
        for line in (self._short, self._long):
            for request in line.waiting:
                if not request.answer.done():
                    request.answer.set_exception(_Died(None))
            line.waiting.clear()
        self.rest()


@dataclass(frozen=True, slots=True)
class _Request:
    """A pickled call, and the pickled answer to it."""

    content: bytes
    answer: asyncio.Future[bytes]


@dataclass(slots=True)
class _Line:
    """The calls of one kind: the one that has begun, and those that wait for it."""

    present: _Request | None = None
    waiting: deque[_Request] = field(default_factory=deque)


class _Process:
    """A process with its pipes. `take` is called with each answer, and `lose` once it has ended by itself or counts as hung."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: tuple[float, float],
        take: Callable[[bytes, bool], None],
        lose: Callable[[], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = process
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._limits = limits
        self._take, self._lose = take, lose
        self._unsent = memoryview(b"")
        self._received = bytearray()
        self._unanswered = 0
        self._progress: _Progress | None = None
        self._look: asyncio.TimerHandle | None = None
        self._loop.add_reader(self._from, self._receive)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: bytes, *, is_long: bool) -> None:
        """Send a request. The previous request of its kind has been answered."""
        self._unsent = memoryview(b"".join((self._unsent, HEADER.pack(is_long, len(request)), request)))
        self._unanswered += 1
        self._progress = None
        if self._send():
            self._loop.add_writer(self._to, self._send_rest)
        if self._look is None:
            self._look_later()

    def _send(self) -> bool:
        """Send as much as the pipe takes. Returns whether there is more."""
        try:
            self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = self._unsent[:0]  # the other pipe shows that the process has ended
        return bool(self._unsent)

    def _send_rest(self) -> None:
        if not self._send():
            self._loop.remove_writer(self._to)

    def _receive(self) -> None:
        part = os.read(self._from, READ_AT_ONCE)
        if not part:
            self._lose()
            return
        self._received += part
        while len(self._received) >= HEADER.size:
            is_long, length = HEADER.unpack_from(self._received)
            end = HEADER.size + length
            if len(self._received) < end:
                return
            with memoryview(self._received) as received:
                answer = bytes(received[HEADER.size : end])
            del self._received[:end]
            self._progress = None
            self._unanswered -= 1
            self._take(answer, is_long)

    def _look_later(self) -> None:
        self._look = self._loop.call_later(LOOKED_AFTER, self._look_after_it)

    def _look_after_it(self) -> None:
        """Check whether the process is hung, as long as it has something to do. A call's time counts from the first check."""
        self._look = None
        if not self._unanswered:
            return
        if self._progress is None:
            timeout, standstill = self._limits
            timeout = min(timeout, GIVES_WAY_WITHIN) if self._unanswered > 1 else timeout
            self._progress = _Progress(self.pid, timeout, standstill)
        elif self._progress.stalls():
            self._lose()
            return
        self._look_later()

    def end(self) -> int:
        if self._look is not None:
            self._look.cancel()
        if not self._loop.is_closed():
            self._loop.remove_reader(self._from)
            self._loop.remove_writer(self._to)
        self._process.kill()  # it has nothing to lose
        with self._process:
            return self._process.wait()


def _start(nice: int) -> subprocess.Popen[bytes]:
    """Start a process that imports from the same places as this one, and knows none of its secrets."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}
    environment = {**ALLOCATOR, **environment}
    environment["PYTHONPATH"] = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    code = f"import os; os.nice({nice}); from bot.workers.child import main; main({os.getpid()})"
    command = [sys.executable, "-P", "-c", code]
    process = subprocess.Popen(  # noqa: S603 – nothing of it comes from outside
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment
    )
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        os.set_blocking(pipe.fileno(), False)
    return process


class _Progress:
    """A call's progress in processor time. A standstill is counted in checks, so that a stopped machine causes none."""

    def __init__(self, pid: int, timeout: float, standstill: float) -> None:
        self._pid = pid
        self._standstill = standstill
        self._taken = processor_time(pid)
        self._most = self._taken + timeout
        self._still = 0.0

    def stalls(self) -> bool:
        """Check after another LOOKED_AFTER seconds, and return whether the process counts as hung."""
        before, self._taken = self._taken, processor_time(self._pid)
        self._still = 0.0 if self._taken > before else self._still + LOOKED_AFTER
        return self._taken > self._most or self._still > self._standstill


def processor_time(pid: int) -> float:
    """Return the seconds of processor time that a process has taken so far, or 0 if they are unknown."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:  # not on Linux
        return _time_by_ps(pid)


def _time_by_ps(pid: int) -> float:
    """Return `processor_time` as told by `ps`, which every system has, in the form 1-02:03:04 or 3:04.56."""
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
