"""Connections to a SQLite file, each of them on a thread of its own."""

import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import PoolProxiedConnection
from typing_extensions import override

from storage.connections.connection_thread import ThreadedConnection
from storage.schema.column_types import as_written, decoded


class _Dialect(SQLiteDialect_pysqlite):
    """SQLAlchemy's dialect, changed to begin transactions with `begin_with`: an event of the engine could fail unnoticed."""

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


def file_engine(path: Path, *, begin: str, pragmas: dict[str, object]) -> sa.Engine:
    """Return an engine without a pool, whose transactions begin explicitly with the statement `begin`."""
    url = URL.create("sqlite+springboard", database=str(path))
    engine = sa.create_engine(url, poolclass=sa.NullPool, json_deserializer=as_written, begin_with=begin)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _record: object) -> None:
        # Otherwise Python's driver would begin transactions itself.
        connection.isolation_level = None
        # A single text that cannot be decoded must not prevent all others from being read.
        connection.text_factory = decoded
        cursor = connection.cursor()
        try:
            for name, value in pragmas.items():
                cursor.execute(f"PRAGMA {name}={value}")
        except BaseException:
            # Nobody else has the connection yet, so nobody else would close it.
            connection.close()
            raise
        cursor.close()

    return engine


def answer(connection: sa.Connection, pragma: str) -> object:
    """Return SQLite's answer to a pragma. SQLAlchemy would begin a transaction, in which the pragma would have no effect."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    row = driver.execute(f"PRAGMA {pragma}").fetchone()
    return None if row is None else row[0]


class FileConnection(ThreadedConnection):
    """A connection to a SQLite file. Since a file always answers, time limits do not matter."""

    dialect = "sqlite"
