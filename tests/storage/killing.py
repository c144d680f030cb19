"""Processes that are killed in the middle of their work, and the words that they had acknowledged by then.

The work is a function that opens its own storage and calls `acknowledge(word)` after each thing that must never be lost. It
runs in a process of its own with real files (tests/forking.py).
"""

import contextlib
import random
import signal
import time
from dataclasses import dataclass
from typing import Any

from tests.forking import Work, fork, rest_of

TIMED = 10
"""So many pieces of work are timed."""


@dataclass(frozen=True)
class Pace:
    """How fast this machine works just now, so that kills fall into the work on a slow one and on a fast one alike.

    Attributes:
        first: the seconds from the start of a process to its first acknowledgement.
        later: the seconds from one acknowledgement to the next.
    """

    first: float
    later: float


def pace_of(work: Work, *arguments: Any) -> Pace:
    """Run `work(acknowledge, *arguments)` in a new process for a moment, and see how fast it is."""
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
    """Decides when to kill: after a random number of acknowledgements and a random while longer.

    Attributes:
        random: where the moments come from.
        most: the most acknowledgements to wait for.
        longest: the longest while to wait after that, in seconds; longer than one piece of work takes.
    """

    random: random.Random
    most: int
    longest: float

    def kill(self, work: Work, *arguments: Any) -> list[Any]:
        """Run `work(acknowledge, *arguments)` in a new process and kill it with SIGKILL. What it had acknowledged.

        Raises:
            AssertionError: if it ended by itself, before it could be killed.
        """
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
