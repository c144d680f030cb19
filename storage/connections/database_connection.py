"""The connections that transactions use. They are the same for a file and for a server.

A `DatabaseConnection` is an asynchronous front to a synchronous `sqlalchemy.Connection`. A transaction gives it functions of
the connection. Each function runs as a whole on the thread that belongs to the file or the server. It costs one round trip,
however many statements it executes.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa

Result = TypeVar("Result")


Timed = Callable[[str, float], None]
"""A function that is called after each transaction with its kind, `read` or `write`, and its duration in seconds."""


@dataclass
class Statistics:
    """How a store has been used since it was opened.

    Attributes:
        snapshots: how many transactions that read were begun.
        writes: how many transactions that write were begun.
        statements: how many statements were executed, not counting those that begin and end transactions.
        round_trips: how often a connection was used, be it for one or more statements or for the end of a transaction.
        refused: how many transactions were refused because another process had taken over the shard.
        failing: why the last transaction that writes failed, if the database was unavailable, or None.
        timed: a function that is called after each transaction, or None.
    """

    snapshots: int = 0
    writes: int = 0
    statements: int = 0
    round_trips: int = 0
    refused: int = 0
    failing: str | None = None
    timed: Timed | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def count_statements(self, engine: sa.Engine) -> None:
        """Count the statements of an engine from now on, whichever thread executes them.

        An event would make SQLAlchemy look for listeners at a dozen places on the way of every statement.
        """
        for name in ("do_execute", "do_executemany", "do_execute_no_params"):
            setattr(engine.dialect, name, self._counting(getattr(engine.dialect, name)))

    def _counting(self, execute: Callable[..., None]) -> Callable[..., None]:
        def counted(*values: Any) -> None:
            with self._lock:
                self.statements += 1
            execute(*values)

        return counted


class DatabaseConnection(ABC):
    """A connection that serves one transaction after another. Time limits are in seconds, or None if there is no limit.

    Attributes:
        dialect: SQLAlchemy's name for the kind of database.
        doubtful: whether a commit has failed, so that the transaction may still be open.
    """

    dialect: str
    doubtful: bool = False

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics

    @abstractmethod
    async def begin(self, time_limit: float | None) -> None:
        """Begin a transaction. Its snapshot is taken at the first statement at the latest."""

    @abstractmethod
    async def run(self, work: Callable[[sa.Connection], Result], time_limit: float | None) -> Result:
        """Return the result of a function. The function must not keep anything that belongs to the connection."""

    @abstractmethod
    async def commit(self, flush: Callable[[sa.Connection], None] | None, time_limit: float | None) -> None:
        """Run `flush`, if it is given, and commit. If the task is cancelled meanwhile, that takes effect afterwards."""

    @abstractmethod
    async def rollback(self, time_limit: float | None) -> None:
        """Undo the transaction, or end it if it has only read."""

    @abstractmethod
    async def drop(self, time_limit: float | None) -> None:
        """Give up the connection. The next transaction will open a new one."""

    @abstractmethod
    async def release(self, time_limit: float | None) -> None:
        """Let go of the connection after a transaction, however the transaction ended."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection for good."""
