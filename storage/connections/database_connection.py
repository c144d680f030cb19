"""ConnectionPool: the connections that transactions are made on, the same for a file and for a server.

A line is one asynchronous way to a synchronous `sqlalchemy.Connection`. A transaction hands it functions of the connection, and
the line brings each function as a whole to the thread of a file, or to the socket of a server: however many statements it
executes, it costs one round trip.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa

Result = TypeVar("Result")


Timed = Callable[[str, float], None]
"""Hears of each transaction: its kind, `read` or `write`, and the seconds that it took."""


@dataclass
class Statistics:
    """How often a store has been used since it was opened, for measurements.

    Attributes:
        snapshots: how many snapshots were opened to read.
        writes: how many transactions were begun to write.
        statements: how many statements were carried out, without beginnings and ends of transactions.
        round_trips: how often something was brought to a connection: one statement or several, or the end of a transaction.
        refused: how many transactions were refused because another process had taken over their shard.
        failing: why the last transaction that was to write something could not, if the database was not usable; else None.
        timed: called after each transaction, unless it is None.
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
        """Count the statements of an engine from now on, in whatever thread they are carried out."""

        @sa.event.listens_for(engine, "before_cursor_execute")
        def count(*_: Any) -> None:
            with self._lock:
                self.statements += 1


class DatabaseConnection(ABC):
    """A connection for one transaction after the other. A time limit is in seconds, or None for no limit.

    Attributes:
        dialect: SQLAlchemy's name of the kind of database.
        doubtful: whether a commit has failed, so that nobody knows whether the transaction is still open.
    """

    dialect: str
    doubtful: bool = False

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics

    @abstractmethod
    async def begin(self, time_limit: float | None) -> None:
        """Begin a transaction: at the latest with the first statement, the database is seen as it is then."""

    @abstractmethod
    async def run(self, work: Callable[[sa.Connection], Result], time_limit: float | None) -> Result:
        """Return the result of a function of the connection, which must not keep anything that belongs to the connection."""

    @abstractmethod
    async def commit(self, flush: Callable[[sa.Connection], None] | None, time_limit: float | None) -> None:
        """Run `flush`, if there is one, and commit. If a task is cancelled meanwhile, that takes effect afterwards."""

    @abstractmethod
    async def rollback(self, time_limit: float | None) -> None:
        """Undo the transaction, or end one that has only read."""

    @abstractmethod
    async def drop(self, time_limit: float | None) -> None:
        """Give the connection up; the next transaction makes a new one."""

    @abstractmethod
    async def release(self, time_limit: float | None) -> None:
        """Let go of the connection after a transaction, however that has ended."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection. The line is not used any more."""
