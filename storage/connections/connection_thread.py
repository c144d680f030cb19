"""Connections that each belong to a thread, on which whole functions are run."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

import aiosqlite
import sqlalchemy as sa
from aiosqlite.core import _connection_worker_thread
from typing_extensions import override

from storage.connections.database_connection import DatabaseConnection, Statistics
from storage.connections.timeouts import complete, explain_outages

Result = TypeVar("Result")
Work = Callable[[sa.Connection], Result]

_ROWS_AT_ONCE: Final = 64
"""How many rows aiosqlite's own cursors would fetch at once. It has no effect, since none of these cursors are used."""


class ConnectionThread(aiosqlite.Connection):
    """A thread of aiosqlite with a SQLAlchemy connection, which is made when it is first used.

    aiosqlite takes a call to the thread, and brings back the answer, whether it comes from a SQLite file or from a server. A
    function that makes several calls makes the journey only once.
    """

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(_never, _ROWS_AT_ONCE)
        self._engine = engine
        self._alchemy: sa.Connection | None = None
        # A daemon, so that a process can end without closing the connection.
        self._thread = Thread(target=_work, args=(self._tx,), name="springboard-database", daemon=True)
        self._thread.start()

    def ask(self, work: Work[Result], *, first: bool = False) -> asyncio.Future[Result]:
        """Run `work` on the thread. If `first`, it begins a transaction. Cancelling stops the waiting, but not the work."""
        return self._put(partial(self._run, partial(self._begin, work) if first else work))

    def send(self, work: Work[None]) -> None:
        """Run `work` after all earlier work. If it fails, nobody is told."""
        self._tx.put_nowait((None, partial(self._run, work)))

    @override
    async def close(self) -> None:
        """Close the connection after all earlier work has been done, and end the thread."""
        closed = self._put(self._close)
        self._end()
        await closed

    def _end(self) -> None:
        """End the thread after all earlier work. It stops itself, because by then nobody may be left to be told."""
        self._tx.put_nowait((None, self.stop))

    def _put(self, function: Callable[[], Result]) -> asyncio.Future[Result]:
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((answer, function))
        return answer

    def _run(self, work: Work[Result]) -> Result:
        return work(self._connected())

    def _connected(self) -> sa.Connection:
        if self._alchemy is None:
            self._alchemy = self._engine.connect()
        return self._alchemy

    def _begin(self, work: Work[Result], connection: sa.Connection) -> Result:
        return work(connection)

    def _close(self) -> None:
        if self._alchemy is not None:
            self._alchemy.close()


def _work(asked: SimpleQueue[Any]) -> None:
    """Run aiosqlite's loop. Run it again if it fails because an event loop was closed while a process was connecting."""
    ended = False
    while not ended:
        with suppress(RuntimeError):
            _connection_worker_thread(asked)
            ended = True


def _never() -> sqlite3.Connection:
    raise NotImplementedError("SQLAlchemy connects")


class ThreadedConnection(DatabaseConnection):
    """A connection on a thread of its own, which is made when it is first used."""

    def __init__(self, engine: sa.Engine, statistics: Statistics) -> None:
        super().__init__(statistics)
        self._engine = engine
        self._thread: ConnectionThread | None = None
        self._used = False

    @override
    async def begin(self, time_limit: float | None) -> None:
        self._used = self.doubtful = False

    @override
    async def run(self, work: Work[Result], time_limit: float | None) -> Result:
        with explain_outages():
            return await self._ask(work)

    @override
    async def commit(self, flush: Work[None] | None, time_limit: float | None) -> None:
        if self._used or flush is not None:
            await complete(self._ask(partial(self._commit, flush)), time_limit)

    def _commit(self, flush: Work[None] | None, connection: sa.Connection) -> None:
        if flush is not None:
            flush(connection)
        try:
            connection.commit()
        except BaseException:
            self.doubtful = True
            raise

    def _ask(self, work: Work[Result]) -> asyncio.Future[Result]:
        """Make the thread run `work` in one round trip."""
        first, self._used = not self._used, True
        self._statistics.round_trips += 1
        if self._thread is None:
            self._thread = self._begin_thread()
        return self._thread.ask(work, first=first)

    def _begin_thread(self) -> ConnectionThread:
        return ConnectionThread(self._engine)

    @override
    async def rollback(self, time_limit: float | None) -> None:
        self._send(_roll_back)

    @override
    async def drop(self, time_limit: float | None) -> None:
        self._send(give_up)

    def _send(self, work: Work[None]) -> None:
        """Run `work` without waiting for it. The next transaction comes after it in any case."""
        if self._used and self._thread is not None:
            self._statistics.round_trips += 1
            self._thread.send(work)

    @override
    async def release(self, time_limit: float | None) -> None:
        pass

    @override
    async def close(self) -> None:
        if self._thread is not None:
            await self._thread.close()
            self._thread = None


def _roll_back(connection: sa.Connection) -> None:
    try:
        connection.rollback()
    except Exception:  # noqa: BLE001 - whatever it is: what was not committed is forgotten with the connection
        give_up(connection)


def give_up(connection: sa.Connection) -> None:
    """Close the driver's connection and drop uncommitted changes, since SQLite keeps a failed commit's transaction open."""
    connection.invalidate()
    connection.rollback()
