"""The store: opens the database, and provides transactions to write it and snapshots to read it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.connect import (
    Address,
    Lock,
    address_of,
    keep_private,
    make_ready,
    outside_transaction,
    reach,
    reading_engine,
    refuse_lost,
    server_engine,
    writing_engine,
)
from storage.errors import Conflict, Repeated, StorageError
from storage.reading import Reader
from storage.rows import complete
from storage.writing import Writer

__all__ = ["Conflict", "Reader", "Repeated", "StorageError", "Store", "Writer"]

View = TypeVar("View", bound=Reader)
Result = TypeVar("Result")


class Store:
    """The database. A process has a single Store; open it with `Store.open`."""

    def __init__(self, address: Address, lock: Lock | None, writers: AsyncEngine, readers: AsyncEngine) -> None:
        self.address = address
        self._lock = lock
        self._writers = writers
        self._readers = readers
        self._writing = asyncio.Lock()
        self._writer: asyncio.Task[object] | None = None
        self._open = True

    @classmethod
    async def open(cls, url_or_path: str | Path, *, readers: int = 4, busy_timeout: float = 5.0) -> "Store":
        """Open a database, create it if there is none, and migrate it to this program's schema.

        Args:
            url_or_path: the path of a SQLite file, or a sqlite:// or postgresql:// URL.
            readers: how many snapshots can be open at once; further ones wait.
            busy_timeout: how many seconds to wait for another program that is writing to the SQLite file.

        Raises:
            StorageError: if the database cannot be opened, is damaged, is newer than this program or in use by another process.
        """
        address = address_of(url_or_path)
        if address.path is None:
            await make_ready(address, busy_timeout)
            return cls(address, None, server_engine(address, 1, reading=False), server_engine(address, readers, reading=True))
        reach(address.path)
        lock = Lock(address.path)
        try:
            refuse_lost(address.path)
            keep_private(address.path)
            await make_ready(address, busy_timeout)
        except BaseException:
            lock.release()
            raise
        return cls(address, lock, writing_engine(address, busy_timeout), reading_engine(address, busy_timeout, readers))

    async def close(self) -> None:
        """Wait for the running transaction, merge the write-ahead log into the database file, and release the file."""
        async with self._writing:
            if not self._open:
                return
            self._open = False
            await complete(self._dispose())

    async def _dispose(self) -> None:
        try:
            if self.address.path is not None:
                await outside_transaction(self._writers, "wal_checkpoint(TRUNCATE)")
        finally:
            await self._readers.dispose()
            await self._writers.dispose()
            if self._lock is not None:
                self._lock.release()

    async def inspect(self, look: Callable[[sa.Connection], Result]) -> Result:
        """What a function finds that reads the database with queries of its own, in a snapshot."""
        async with self._readers.connect() as connection:
            return await complete(connection.run_sync(look))

    def write(self) -> AbstractAsyncContextManager[Writer]:
        """A transaction: committed to the disk when the block ends, rolled back if it raises an exception or is cancelled.

        There is one at a time; others wait. If a task is cancelled during its commit, the cancellation takes effect after it.
        """
        return self._write()

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[Writer]:
        if self._writer is asyncio.current_task():
            raise RuntimeError("this task is already writing and would wait for itself for ever")
        async with self._writing, self._transaction(self._writers, Writer) as writer:
            self._writer = asyncio.current_task()
            try:
                yield writer
            finally:
                self._writer = None

    def read(self) -> AbstractAsyncContextManager[Reader]:
        """A snapshot of the database. It does not wait for transactions that write, and they do not wait for it."""
        return self._transaction(self._readers, Reader)

    @asynccontextmanager
    async def _transaction(self, engine: AsyncEngine, view: Callable[[AsyncConnection], View]) -> AsyncIterator[View]:
        if not self._open:
            raise StorageError("The store was closed.")
        connection = engine.connect()
        try:
            await complete(connection.start())
            transaction = connection.begin()
            await complete(transaction.start())
            try:
                yield view(connection)
            except BaseException:
                await _end(connection, transaction.rollback())
                raise
            await _end(connection, transaction.commit())
        finally:
            if connection.sync_connection is not None:
                await complete(connection.close())


async def _end(connection: AsyncConnection, ending: Coroutine[object, object, None]) -> None:
    """Commit or roll back. If that fails, the state of the connection is unknown, and the connection is not used again.

    SQLite, for example, keeps a transaction open that it could not commit, while SQLAlchemy considers it ended.
    """
    try:
        await complete(ending)
    except BaseException:
        await complete(connection.invalidate())
        raise
