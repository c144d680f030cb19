"""Lines to a SQLite file: each is a thread with a connection of its own, which runs whole functions."""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import aiosqlite
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import PoolProxiedConnection
from typing_extensions import override

from storage.lines.lines import Line, Statistics
from storage.lines.timeouts import complete, explain_outages
from storage.schema.column_types import as_written, decoded

Result = TypeVar("Result")
Work = Callable[[sa.Connection], Result]

_ROWS_AT_ONCE: Final = 64
"""How many rows aiosqlite fetches at once from cursors of its own, of which there are none."""


class _Dialect(SQLiteDialect_pysqlite):
    """SQLAlchemy's dialect, which begins transactions itself, with the statement `begin_with`.

    An event of the engine is no place for that: if it fails, SQLAlchemy goes on without beginning any more transactions.
    """

    supports_statement_cache = True

    def __init__(self, begin_with: str, **options: Any) -> None:
        super().__init__(**options)
        self._begin_with = begin_with

    @override
    def do_begin(self, dbapi_connection: PoolProxiedConnection) -> None:
        cursor = dbapi_connection.cursor()
        try:
            cursor.execute(self._begin_with)
        finally:
            cursor.close()


sa.dialects.registry.register("sqlite.springboard", __name__, _Dialect.__name__)


def file_engine(url: URL, *, begin: str, pragmas: dict[str, object]) -> sa.Engine:
    """Return an engine that keeps no connections, and begins transactions with the statement `begin`, and only explicitly."""
    engine = sa.create_engine(
        url.set(drivername="sqlite+springboard"), poolclass=sa.NullPool, json_deserializer=as_written, begin_with=begin
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:
        # Otherwise Python's driver would begin transactions itself.
        connection.isolation_level = None
        # One text that is none must not keep all others from being read.
        connection.text_factory = decoded
        cursor = connection.cursor()
        try:
            for name, value in pragmas.items():
                cursor.execute(f"PRAGMA {name}={value}")
        except BaseException:
            # Nobody has the connection yet, so nobody else would close it.
            connection.close()
            raise
        cursor.close()

    return engine


def _driver_of(connection: sa.Connection) -> sqlite3.Connection:
    """Return SQLite's own connection: a statement is in no transaction there unless one has begun."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def answer(connection: sa.Connection, pragma: str) -> object:
    """Return SQLite's answer to a pragma that has no effect within a transaction; SQLAlchemy would begin one."""
    row = _driver_of(connection).execute(f"PRAGMA {pragma}").fetchone()
    return None if row is None else row[0]


class _Thread(aiosqlite.Connection):
    """aiosqlite's thread with a connection, which is one of SQLAlchemy's here.

    aiosqlite brings each call to the thread and its answer back. A function that makes several calls goes there once.
    """

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(self._connect_engine, _ROWS_AT_ONCE)
        self._engine = engine
        # A process can end although nobody has closed the connection.
        self._thread.daemon = True

    def _connect_engine(self) -> sqlite3.Connection:
        self._alchemy = self._engine.connect()
        return _driver_of(self._alchemy)

    def ask(self, work: Work[Result]) -> asyncio.Future[Result]:
        """Run `work` on the connection's thread. Cancelling the future stops the waiting, not the work."""
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((answer, partial(work, self._alchemy)))
        return answer

    def send(self, work: Work[None]) -> None:
        """Run `work` after all work before. Nobody learns whether it fails."""
        self._tx.put_nowait((None, partial(work, self._alchemy)))

    @override
    async def close(self) -> None:
        await self.ask(sa.Connection.close)
        await super().close()


class FileLine(Line):
    """A line to a SQLite file. A file always answers, so that time limits do not matter."""

    dialect = "sqlite"

    def __init__(self, engine: sa.Engine, statistics: Statistics) -> None:
        super().__init__(statistics)
        self._engine = engine
        self._thread: _Thread | None = None
        self._used = False

    @override
    async def begin(self, time_limit: float | None) -> None:
        self._used = self.doubtful = False

    @override
    async def run(self, work: Work[Result], time_limit: float | None) -> Result:
        thread = await self._ready()
        with explain_outages():
            return await thread.ask(work)

    @override
    async def commit(self, flush: Work[None] | None, time_limit: float | None) -> None:
        if self._used or flush is not None:
            thread = await self._ready()
            await complete(thread.ask(partial(self._commit, flush)))

    def _commit(self, flush: Work[None] | None, connection: sa.Connection) -> None:
        if flush is not None:
            flush(connection)
        try:
            connection.commit()
        except BaseException:
            self.doubtful = True
            raise

    async def _ready(self) -> _Thread:
        """Return the thread, and count a round trip to it."""
        self._used = True
        self._statistics.round_trips += 1
        if self._thread is None:
            await complete(self._open())
        assert self._thread is not None
        return self._thread

    async def _open(self) -> None:
        thread = _Thread(self._engine)
        await thread
        self._thread = thread

    @override
    async def rollback(self, time_limit: float | None) -> None:
        self._send(_roll_back)

    @override
    async def drop(self, time_limit: float | None) -> None:
        self._send(_give_up)

    def _send(self, work: Work[None]) -> None:
        """Run `work` for which nobody needs to wait: the next transaction comes after it."""
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
    except (sa.exc.SQLAlchemyError, sqlite3.Error):
        _give_up(connection)


def _give_up(connection: sa.Connection) -> None:
    """Close SQLite's connection, which forgets what was not committed; with the next statement there is a new one.

    SQLite keeps a transaction open that it could not commit, while SQLAlchemy considers it ended.
    """
    connection.invalidate()
    connection.rollback()
