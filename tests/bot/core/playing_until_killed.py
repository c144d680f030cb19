"""Runs a process that plays until it is killed, and tells what it asks for and what is on the disk."""

import signal
from pathlib import Path
from typing import Any

from tests.forking import Work, fork, rest_of


def play_until_killed(work: Work, database: Path, *arguments: Any, words: int) -> list[tuple[Any, ...]]:
    """Let a process play until it has told so many words, and kill it at once. Returns all the words that it has told.

    Args:
        work: what the process does: `work(tell, database, *arguments)`.
        database: the file in which it plays.
        arguments: further arguments of the work.
        words: after how many words it is killed.
    """
    process, pipe = fork(work, database, *arguments)
    told = [pipe.recv() for _ in range(words)]
    process.kill()
    told += rest_of(pipe)
    process.join()
    assert process.exitcode == -signal.SIGKILL
    return told
