"""Processes that are forked from one that has already imported what they need: many of them start in the time of one.

The work of such a process is a function of a module. It is given `tell`, which sends a word to this process.
"""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

Tell = Callable[[Any], None]
Work = Callable[..., None]

IMPORTED: Final = ["psycopg", "bot.core.service", "opponents.asked", "storage.migrations", "storage.upkeep.moving", __name__]
"""The modules that take long to import. The process that forks is started once in a test process, for all kinds of work."""


def fork(work: Work, *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Run `work(tell, *arguments)` in a new process. Returns the process, and the end of a pipe with the words that it tells.

    The pipe raises EOFError when the process has ended and all its words are read.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, work, arguments))
    process.start()
    theirs.close()
    return process, ours


def _run(pipe: Connection, work: Work, arguments: tuple[Any, ...]) -> None:
    work(pipe.send, *arguments)


def rest_of(pipe: Connection) -> list[Any]:
    """Read the words that are left in a pipe, up to the end of the process, and close it."""
    words = []
    try:
        while True:
            words.append(pipe.recv())
    except EOFError:
        return words
    finally:
        pipe.close()
