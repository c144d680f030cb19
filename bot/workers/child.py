"""A process that carries out calls, started by `bot.workers.worker`.

It reads calls from its standard input and writes their results to its standard output, one at a time, as pickles with their
length before them. It ends with the process that started it, even in the middle of a call, and ignores signals to the whole
group of processes. It imports neither discord.py nor the database.
"""

import ctypes
import os
import pickle
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Final, TypeVar

LENGTH: Final = struct.Struct("!Q")
"""The format of the length before a pickle."""

PR_SET_PDEATHSIG: Final = 1
"""The option of Linux's `prctl` that sends a signal when the parent ends."""

WATCHED_EVERY: Final = 0.5
"""Seconds between two looks whether the process that started this one is still there, on other systems than Linux."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of a module, and its arguments."""

_Result = TypeVar("_Result")


class TooLate(Exception):
    """The call was not begun, since it had waited too long."""


def call_before(moment: float, function: Callable[..., _Result], *values: Any) -> _Result:
    """Call a function, unless it is too late to begin.

    Args:
        moment: the last moment at which it is called, by `time.monotonic`, which is the same for all processes of a machine.
        function: the function.
        values: its arguments.

    Raises:
        TooLate: the moment has passed.
    """
    if time.monotonic() > moment:
        raise TooLate
    return function(*values)


def carry_out(call: bytes) -> bytes:
    """Carry out a pickled call. Return a pickle of whether it succeeded, and of its result or error."""
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


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Carry out calls until there are no more."""
    while len(length := calls.read(LENGTH.size)) == LENGTH.size:
        answer = carry_out(calls.read(*LENGTH.unpack(length)))
        answers.write(LENGTH.pack(len(answer)) + answer)
        answers.flush()


def end_with(starter: int) -> None:
    """End this process when the one that started it ends, also if it ended before this is called.

    Args:
        starter: the id of the process that started this one.
    """
    if not killed_with_starter():
        threading.Thread(target=_watch, args=(starter,), daemon=True).start()
    if os.getppid() != starter:
        os._exit(0)


def killed_with_starter() -> bool:
    """Have the kernel kill this process when the thread that started it ends. False on systems other than Linux."""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (AttributeError, OSError, TypeError):
        return False
    return bool(prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0)


def _watch(starter: int) -> None:
    """End this process when the one that started it is gone."""
    while os.getppid() == starter:
        time.sleep(WATCHED_EVERY)
    os._exit(0)


def main(starter: int) -> None:
    """Serve the process at the other end of standard input and output.

    Args:
        starter: its process id.
    """
    end_with(starter)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that printed text does not get between the answers
    try:
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:
        os._exit(0)  # the caller is gone
