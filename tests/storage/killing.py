"""Processes that are killed in the middle of their work, and the words they had acknowledged by then.

The work is a function that opens its own storage and calls `acknowledge(word)` after each thing that must not be lost. It runs
in a process of its own with real files (tests/forking.py).
"""

import contextlib
import random
import signal
import time
from dataclasses import dataclass
from typing import Any

from tests.forking import Work, fork, rest_of

TIMED = 10
"""How many pieces of work are timed."""


@dataclass(frozen=True)
class Pace:
    """The seconds until a process's first acknowledgement, and between later ones, so that kills hit the work."""

    first: float
    later: float


def pace_of(work: Work, *arguments: Any) -> Pace:
    """Run `work(acknowledge, *arguments)` in a new process for a moment, and measure it."""
    process, pipe = fork(work, *arguments)
    begun = time.monotonic()
    pipe.recv()
    first = time.monotonic()
    for _ in range(TIMED):
        pipe.recv()
    end = time.monotonic()
    process.kill()
    process.join()
    pipe.close()
    return Pace(first - begun, (end - first) / TIMED)


@dataclass(frozen=True, kw_only=True)
class Killer:
    """Kills after a random number of up to `most` acknowledgements, and up to `longest` seconds more."""

    random: random.Random
    most: int
    longest: float

    def kill(self, work: Work, *arguments: Any) -> list[Any]:
        """Run `work(acknowledge, *arguments)` in a new process, kill it with SIGKILL, and return what it had acknowledged."""
        process, pipe = fork(work, *arguments)
        acknowledged: list[Any] = []
        with contextlib.suppress(EOFError):
            acknowledged.extend(pipe.recv() for _ in range(self.random.randint(0, self.most)))
            time.sleep(self.random.uniform(0, self.longest))
        process.kill()
        acknowledged += rest_of(pipe)  # the words that it told before it died
        process.join()
        assert process.exitcode == -signal.SIGKILL
        return acknowledged
