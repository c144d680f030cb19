"""Functions that tests call in the worker processes."""

import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

from bot.workers import child
from renderers.canvas import card_edge


class Odd(Exception):
    """An error that can be pickled, but not be read again."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def noted(path: Path) -> None:
    """Add a line to a file."""
    with path.open("a") as file:
        file.write("once\n")


def fatal(path: Path) -> NoReturn:
    """Add a line to a file, and die, as if there were no more memory."""
    noted(path)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fatal_once(path: Path) -> int:
    """Die the first time; then return the number of the process."""
    if not path.exists():
        fatal(path)
    return os.getpid()


def when_there(path: Path) -> int:
    """Wait until there is a file; return the number of the process."""
    while not path.exists():
        time.sleep(0.01)
    return os.getpid()


def wrong() -> NoReturn:
    """Raise an error."""
    raise KeyError("no such game")


def odd() -> NoReturn:
    """Raise an error that cannot be handed over."""
    raise Odd(1, 2)


def talkative() -> str:
    """Print something."""
    sys.stdout.write("here")
    sys.stdout.flush()
    os.write(1, b"there")
    return "answer"


def modules() -> set[str]:
    """The modules that the process has imported."""
    return {name.partition(".")[0] for name in sys.modules}


def environment() -> dict[str, str]:
    """The environment of the process."""
    return dict(os.environ)


def warm() -> bool:
    """Whether the process has drawn something."""
    return card_edge.cache_info().currsize > 0


def killed(*_: object) -> NoReturn:
    """Die each time."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _says(path: Path) -> None:
    """Write the number of the process to a file, which is there with all that is in it."""
    path.with_suffix(".new").write_text(str(os.getpid()))
    path.with_suffix(".new").rename(path)


def computing(path: Path) -> NoReturn:
    """Write the number of the process to a file, and compute for ever."""
    _says(path)
    while True:
        pass


def deaf(path: Path) -> int:
    """The same without ever letting another thread of the process run."""
    _says(path)
    return sum(range(10**18))


def computing_elsewhere(path: Path) -> NoReturn:
    """The same as `computing`, as on a system on which the kernel kills nobody with the process that started it."""
    ctypes.CDLL(None).prctl(child.PR_SET_PDEATHSIG, 0, 0, 0, 0)
    child.killed_with_starter = lambda: False
    child.end_with(os.getppid())
    computing(path)


def asleep(*_: object) -> NoReturn:
    """Wait for ever, without taking any time of the processor."""
    threading.Event().wait()
    raise AssertionError
