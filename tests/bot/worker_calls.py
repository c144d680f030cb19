"""Functions that tests call in worker processes."""

import ctypes
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

from bot.workers import child
from renderers.canvas import outline


class Odd(Exception):
    """An error that can be pickled, but not unpickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def midnight() -> float:
    """Return the time of a clock that stands still."""
    return 0.0


def noted(path: Path) -> None:
    with path.open("a") as file:
        file.write("once\n")


def fatal(path: Path) -> NoReturn:
    """Add a line to a file, and die as if out of memory."""
    noted(path)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fatal_once(path: Path) -> int:
    """Die the first time, then return the process id."""
    if not path.exists():
        fatal(path)
    return os.getpid()


def when_there(path: Path) -> int:
    """Wait for a file, and return the process id."""
    while not path.exists():
        time.sleep(0.01)
    return os.getpid()


def fatal_times(path: Path, times: int) -> int:
    """Die so many times, then return the process id."""
    if not path.exists() or len(path.read_text().splitlines()) < times:
        fatal(path)
    return os.getpid()


def giving_way_until(path: Path) -> int:
    """Let other calls go first until there is a file, and return the process id."""
    while not path.exists():
        child.give_way()
        time.sleep(0.01)
    return os.getpid()


def echoed_in_parts(text: str) -> str:
    """Return a text, and give way before each ten thousand characters."""
    parts = []
    for start in range(0, len(text), 10_000):
        child.give_way()
        parts.append(text[start : start + 10_000])
    return "".join(parts)


def wrong() -> NoReturn:
    raise KeyError("no such game")


def odd() -> NoReturn:
    """Raise an error that cannot be passed on."""
    raise Odd(1, 2)


def talkative() -> str:
    sys.stdout.write("here")
    sys.stdout.flush()
    os.write(1, b"there")
    return "answer"


def modules() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules}


def environment() -> dict[str, str]:
    return dict(os.environ)


def warm() -> bool:
    return outline.cache_info().currsize > 0


def killed(*_: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _says(path: Path) -> None:
    """Write the process id to a file, which appears complete."""
    path.with_suffix(".new").write_text(str(os.getpid()))
    path.with_suffix(".new").rename(path)


def computing(path: Path) -> NoReturn:
    """Write the process id to a file, and compute for ever."""
    _says(path)
    while True:
        pass


def deaf(path: Path) -> int:
    """The same without ever letting another thread run."""
    _says(path)
    return sum(range(10**18))


def computing_elsewhere(path: Path) -> NoReturn:
    """The same as `computing`, where the kernel does not kill it with its parent."""
    ctypes.CDLL(None).prctl(child.PR_SET_PDEATHSIG, 0, 0, 0, 0)
    child.killed_with_starter = lambda: False
    child.end_with(os.getppid())
    computing(path)


def asleep(*_: object) -> NoReturn:
    threading.Event().wait()
    raise AssertionError
