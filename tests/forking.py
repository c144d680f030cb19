"""Processes forked from one that has imported everything: many start in the time of one.

Their work is a function of a module, whose first argument `tell` sends a word to this process.
"""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

Tell = Callable[[Any], None]
Work = Callable[..., None]
IMPORTED: Final = ["psycopg", "bot.core.service", "opponents.asked", "storage.migrations", "storage.upkeep.moving", __name__]
"""Modules that are slow to import. The forking process is started once per test process, for all kinds of work."""


def fork(work: Work, *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Run `work(tell, *arguments)` in a new process. Returns it, and a pipe of its words, which ends with EOFError."""
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
    """Read a pipe's remaining words until the process ends, and close it."""
    words = []
    try:
        while True:
            words.append(pipe.recv())
    except EOFError:
        return words
    finally:
        pipe.close()
