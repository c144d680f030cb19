"""A process that carries out calls: `python -m bot.workers.child`.

It reads calls from its standard input and writes what they return to its standard output, one at a time, as pickles with their
length before them. It ends with its input, so it never outlives the process that started it, and signals to the whole group of
processes do not concern it. It imports neither discord.py nor the database.
"""

import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Final

LENGTH: Final = struct.Struct("!Q")
"""How the length of a pickle is written before it."""

Call = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function of a module, and its arguments."""


def answered(call: bytes) -> bytes:
    """Carry out a pickled call. Returns, pickled, whether it succeeded and its result, or else its error."""
    try:
        function, values = pickle.loads(call)  # noqa: S301 – it comes from the process that started this one
        return pickle.dumps((True, function(*values)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 – whoever asked handles it
        # Where it happened would be lost with the traceback.
        error.add_note(_where(error))
        return _pickled_error(error)


def _where(error: Exception) -> str:
    return "In the process:\n" + "".join(traceback.format_tb(error.__traceback__))


def _pickled_error(error: Exception) -> bytes:
    try:
        written = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
        pickle.loads(written)  # noqa: S301 – some errors can be pickled, but not be read again
    except Exception:  # noqa: BLE001 – pickles raise whatever they like
        plain = RuntimeError(repr(error))
        plain.__notes__ = getattr(error, "__notes__", [])
        return pickle.dumps((False, plain), pickle.HIGHEST_PROTOCOL)
    return written


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Carry out calls until there are no more."""
    while len(length := calls.read(LENGTH.size)) == LENGTH.size:
        answer = answered(calls.read(*LENGTH.unpack(length)))
        answers.write(LENGTH.pack(len(answer)))
        answers.write(answer)
        answers.flush()


def main() -> None:
    """Serve the process at the other end of standard input and output."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that nothing that is printed gets between the answers
    try:
        serve(sys.stdin.buffer, answers)
    except BrokenPipeError:
        os._exit(0)  # whoever asked is gone


if __name__ == "__main__":
    main()
