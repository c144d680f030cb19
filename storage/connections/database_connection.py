"""The connections that transactions use, the same for a file and a server.

A `DatabaseConnection` is an asynchronous front to a synchronous `sqlalchemy.Connection`. A transaction hands it functions of
the connection, and each function runs as a whole, on the thread of a file or of a server: it costs one round trip, however many
statements it executes.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa

Result = TypeVar("Result")


Timed = Callable[[str, float], None]
"""Called after each transaction with its kind, `read` or `write`, and its duration in seconds."""


@dataclass
class Statistics:
    """How a store has been used since it was opened.

    Attributes:
        snapshots: how many reading transactions were begun.
        writes: how many writing transactions were begun.
        statements: how many statements were executed, without those that begin and end transactions.
        round_trips: how often a connection was used: for one or more statements, or the end of a transaction.
        refused: how many transactions were refused because another process had taken over the shard.
        failing: why the last writing transaction failed, if the database was unavailable.
        timed: called after each transaction, if set.
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
        """Count the statements of an engine from now on, on any thread."""

        @sa.event.listens_for(engine, "before_cursor_execute")
        def count(*_: Any) -> None:
            with self._lock:
                self.statements += 1


class DatabaseConnection(ABC):
    """A connection for one transaction after another. Time limits are in seconds, or None for no limit.

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
        """Begin a transaction. Its snapshot is taken no later than the first statement."""

    @abstractmethod
    async def run(self, work: Callable[[sa.Connection], Result], time_limit: float | None) -> Result:
        """Return the result of a function, which must not keep anything that belongs to the connection."""

    @abstractmethod
    async def commit(self, flush: Callable[[sa.Connection], None] | None, time_limit: float | None) -> None:
        """Run `flush`, if given, and commit. A cancellation takes effect afterwards."""

    @abstractmethod
    async def rollback(self, time_limit: float | None) -> None:
        """Undo the transaction, or end one that has only read."""

    @abstractmethod
    async def drop(self, time_limit: float | None) -> None:
        """Give the connection up; the next transaction opens a new one."""

    @abstractmethod
    async def release(self, time_limit: float | None) -> None:
        """Let go of the connection after a transaction, however that ended."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection for good."""
