"""A process that carries out calls, started by `bot.workers.worker`.

It reads calls from its standard input and writes results to its standard output, as pickles after a header. A long call is
interrupted by others whenever it calls `give_way`. The process ends with the process that started it, even in the middle of a
call, and ignores signals sent to the whole process group. It imports neither discord.py nor the database.
"""

import ctypes
import os
import pickle
import select
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from io import FileIO
from typing import Any, BinaryIO, Final, TypeVar

HEADER: Final = struct.Struct("!?Q")
"""The format of what precedes a pickle: whether the call is a long one, and the pickle's length in bytes."""

PR_SET_PDEATHSIG: Final = 1
"""The option of Linux's `prctl` that sends a signal when the parent ends."""

WATCHED_EVERY: Final = 0.5
"""Seconds between two checks that the process which started this one still runs, on systems other than Linux."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A module's function and its arguments."""

_Result = TypeVar("_Result")


class TooLate(Exception):
    """The call had to wait too long before it could begin."""


def call_before(moment: float, function: Callable[..., _Result], *values: Any) -> _Result:
    """Call a function. Raises TooLate if `moment`, a time of `time.monotonic` (the same for all processes), has passed."""
    if time.monotonic() > moment:
        raise TooLate
    return function(*values)


def carry_out(call: bytes) -> bytes:
    """Carry out a pickled call. Returns, pickled, whether it succeeded, and its result or error."""
    try:
        function, values = pickle.loads(call)  # noqa: S301 – it comes from the process that started this one
        return pickle.dumps((True, function(*values)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 – the caller handles it
        # The pickle has no traceback.
        error.add_note("In the process:\n" + "".join(traceback.format_tb(error.__traceback__)))
        return _pickled_error(error)


def _pickled_error(error: Exception) -> bytes:
    try:
        written = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(written)  # noqa: S301 – some errors can be pickled, but not be read again
    except Exception:  # noqa: BLE001 – unpickling may raise any error
        plain = RuntimeError(repr(error))
        plain.__notes__ = getattr(error, "__notes__", [])
        return pickle.dumps((False, plain), pickle.HIGHEST_PROTOCOL)
    return written


class Calls:
    """The calls that arrive in an unbuffered file, and a file for the answers.

    Calls are carried out in order, but a long call is interrupted by those after it, none of which is long.
    """

    def __init__(self, arriving: FileIO, answers: BinaryIO) -> None:
        self._arriving, self._answers = arriving, answers

    def answer_all(self) -> None:
        """Carry out calls until there are no more."""
        while self._answer_next():
            pass

    def answer_waiting(self) -> None:
        """Carry out the calls that have arrived already."""
        while select.select([self._arriving], [], [], 0)[0]:
            if not self._answer_next():
                os._exit(0)  # the caller is gone

    def _answer_next(self) -> bool:
        """Carry out the next call once it is there. Return False if there are no more."""
        header = self._read(HEADER.size)
        if len(header) < HEADER.size:
            return False
        is_long, length = HEADER.unpack(header)
        answer = carry_out(self._read(length))
        self._answers.write(HEADER.pack(is_long, len(answer)) + answer)
        self._answers.flush()
        return True

    def _read(self, length: int) -> bytes:
        """Return so many bytes, or fewer at the end of the file."""
        read = bytearray()
        while len(read) < length and (part := self._arriving.read(length - len(read))):
            read += part
        return bytes(read)


_calls: Final[list[Calls]] = []
"""The calls to this process, if it was started to carry out calls."""


def give_way() -> None:
    """Let the calls that have arrived in the meantime interrupt the present one. Elsewhere, as in a thread, do nothing."""
    for calls in _calls:
        calls.answer_waiting()


def end_with(starter: int) -> None:
    """Make this process end when the process with the id `starter` ends, even if that has already happened."""
    if not killed_with_starter():
        threading.Thread(target=_watch, args=(starter,), daemon=True).start()
    if os.getppid() != starter:
        os._exit(0)


def killed_with_starter() -> bool:
    """Have the kernel kill this process with the thread that started it. Returns False on systems other than Linux."""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (AttributeError, OSError, TypeError):
        return False
    return bool(prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0)


def _watch(starter: int) -> None:
    """End this process once the process that started it is gone."""
    while os.getppid() == starter:
        time.sleep(WATCHED_EVERY)
    os._exit(0)


def main(starter: int) -> None:
    """Serve the process with the id `starter`, which is at the other end of standard input and output."""
    end_with(starter)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that printed text does not get between the answers
    calls = Calls(FileIO(sys.stdin.fileno(), closefd=False), answers)
    _calls.append(calls)
    try:
        calls.answer_all()
    except BrokenPipeError:
        os._exit(0)  # the caller is gone
