"""Lines: the connections that transactions are made on, the same for a file and for a server.

A line is one asynchronous way to a synchronous `sqlalchemy.Connection`. A transaction hands it functions of the connection, and
the line brings each function as a whole to the thread of a file, or to the socket of a server: however many statements it
executes, it costs one round trip.
"""

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import sqlalchemy as sa

from storage.schema.errors import Unreachable

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
        timed: called after each transaction; None: nobody wants to know.
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


class Line(ABC):
    """A connection for one transaction after the other. A time limit is in seconds; None: there is none.

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


class Lines:
    """A pool of lines, each used by one transaction at a time."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._free: asyncio.LifoQueue[Line] = asyncio.LifoQueue()
        for line in lines:
            self._free.put_nowait(line)

    async def take(self, time_limit: float | None) -> Line:
        """Take a free line, as soon as there is one. Raises Unreachable if there is none within the time limit."""
        if not self._free.empty():
            return self._free.get_nowait()
        try:
            async with asyncio.timeout(time_limit):
                return await self._free.get()
        except TimeoutError:
            raise Unreachable(f"The database has not answered others for {time_limit} seconds.") from None

    def give_back(self, line: Line) -> None:
        """Let the next one use a line."""
        self._free.put_nowait(line)

    async def close(self) -> None:
        """Close all lines."""
        for line in self._lines:
            await line.close()
