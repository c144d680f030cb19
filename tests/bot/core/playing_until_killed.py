"""Runs a process that plays until it is killed, and collects what it reports."""

import signal
from pathlib import Path
from typing import Any

from tests.forking import Work, fork, rest_of


def play_until_killed(work: Work, database: Path, *arguments: Any, words: int) -> list[tuple[Any, ...]]:
    """Kill a playing process as soon as it has reported `words` things. Returns all its reports.

    Args:
        work: what the process runs, as `work(tell, database, *arguments)`.
        database: the file in which it plays.
        arguments: further arguments of the work.
        words: the number of reports after which it is killed.
    """
    process, pipe = fork(work, database, *arguments)
    told = [pipe.recv() for _ in range(words)]
    process.kill()
    told += rest_of(pipe)
    process.join()
    assert process.exitcode == -signal.SIGKILL
    return told
