"""Lines to a SQLite file: each is a thread with a connection of its own, to which whole functions are brought."""

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

from storage.lines import Line, Statistics
from storage.patience import complete, outages_told
from storage.tables import as_written, decoded

Result = TypeVar("Result")
Work = Callable[[sa.Connection], Result]

_ROWS_AT_ONCE: Final = 64
"""How many rows aiosqlite is to fetch at once from a cursor of its own, of which there are none."""


class _Dialect(SQLiteDialect_pysqlite):
    """SQLAlchemy's, which begins transactions itself. `begin_with`: the statement.

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
    """An engine that keeps no connections, whose transactions begin with the statement `begin`, and only explicitly."""
    engine = sa.create_engine(
        url.set(drivername="sqlite+springboard"), poolclass=sa.NullPool, json_deserializer=as_written, begin_with=begin
    )

    @sa.event.listens_for(engine, "connect")
    def connected(connection: DBAPIConnection, _record: object) -> None:
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
    """SQLite's own connection: what is asked of it is in no transaction unless one has begun."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def answer(connection: sa.Connection, pragma: str) -> object:
    """SQLite's answer to a pragma that has no effect within a transaction; SQLAlchemy would begin one."""
    row = _driver_of(connection).execute(f"PRAGMA {pragma}").fetchone()
    return None if row is None else row[0]


class _Thread(aiosqlite.Connection):
    """aiosqlite's thread with a connection, which is one of SQLAlchemy's here.

    aiosqlite brings each call to the thread and its answer back; a function that makes several calls goes there once.
    """

    def __init__(self, engine: sa.Engine) -> None:
        super().__init__(self._connected, _ROWS_AT_ONCE)
        self._engine = engine
        # A process can end although nobody has closed the connection.
        self._thread.daemon = True

    def _connected(self) -> sqlite3.Connection:
        self._alchemy = self._engine.connect()
        return _driver_of(self._alchemy)

    def ask(self, work: Work[Result]) -> asyncio.Future[Result]:
        """What a function of the connection returns. Who is cancelled need not wait for it, but the next function does."""
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._tx.put_nowait((answer, partial(work, self._alchemy)))
        return answer

    def send(self, work: Work[None]) -> None:
        """Have a function carried out after all those before. Nobody learns whether it fails."""
        self._tx.put_nowait((None, partial(work, self._alchemy)))

    @override
    async def close(self) -> None:
        await self.ask(sa.Connection.close)
        await super().close()


class FileLine(Line):
    """A line to a SQLite file. A file always answers, so that it knows no patience."""

    dialect = "sqlite"

    def __init__(self, engine: sa.Engine, statistics: Statistics) -> None:
        super().__init__(statistics)
        self._engine = engine
        self._thread: _Thread | None = None
        self._used = False

    @override
    async def begin(self, patience: float | None) -> None:
        self._used = self.doubtful = False

    @override
    async def run(self, work: Work[Result], patience: float | None) -> Result:
        thread = await self._ready()
        with outages_told():
            return await thread.ask(work)

    @override
    async def commit(self, settle: Work[None] | None, patience: float | None) -> None:
        if self._used or settle is not None:
            thread = await self._ready()
            await complete(thread.ask(partial(self._settled, settle)))

    def _settled(self, settle: Work[None] | None, connection: sa.Connection) -> None:
        if settle is not None:
            settle(connection)
        try:
            connection.commit()
        except BaseException:
            self.doubtful = True
            raise

    async def _ready(self) -> _Thread:
        """The thread, for one more way to it."""
        self._used = True
        self._statistics.ways += 1
        if self._thread is None:
            await complete(self._open())
        assert self._thread is not None
        return self._thread

    async def _open(self) -> None:
        self._thread = await _opened(self._engine)

    @override
    async def rollback(self, patience: float | None) -> None:
        self._send(_rolled_back)

    @override
    async def drop(self, patience: float | None) -> None:
        self._send(_given_up)

    def _send(self, work: Work[None]) -> None:
        """Have something done for which nobody needs to wait: the next transaction comes after it."""
        if self._used and self._thread is not None:
            self._statistics.ways += 1
            self._thread.send(work)

    @override
    async def release(self, patience: float | None) -> None:
        pass

    @override
    async def close(self) -> None:
        if self._thread is not None:
            await self._thread.close()
            self._thread = None


async def _opened(engine: sa.Engine) -> _Thread:
    thread = _Thread(engine)
    await thread
    return thread


def _rolled_back(connection: sa.Connection) -> None:
    try:
        connection.rollback()
    except (sa.exc.SQLAlchemyError, sqlite3.Error):
        _given_up(connection)


def _given_up(connection: sa.Connection) -> None:
    """Close SQLite's connection, which forgets what was not committed; with the next statement there is a new one.

    SQLite keeps a transaction open that it could not commit, while SQLAlchemy considers it ended.
    """
    connection.invalidate()
    connection.rollback()
