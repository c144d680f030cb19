"""The store. It opens the database, and provides transactions for writing to it and snapshots for reading it."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

import sqlalchemy as sa

from storage.connections.addresses import Address, address_of
from storage.connections.connect import (
    Lock,
    explain_errors,
    keep_private,
    make_ready,
    reach,
    reading_engine,
    refuse_lost,
    writing_engine,
)
from storage.connections.database_connection import DatabaseConnection, Statistics, Timed
from storage.connections.file_connection import FileConnection, answer
from storage.connections.places import warning_of
from storage.connections.priority_lock import PriorityLock
from storage.connections.server import PROMPT, ServerConnection, server_engine
from storage.connections.timeouts import TIME_LIMIT, complete
from storage.connections.versions import require_newest
from storage.schema.errors import Conflict, LeaseLost, NoAnswer, Repeated, StorageError, Unreachable
from storage.transactions import Reader, ShardFilter, Writer

__all__ = ["Conflict", "LeaseLost", "Reader", "Repeated", "StorageError", "Store", "Unreachable", "Writer"]

log = logging.getLogger(__name__)

RESPITE: Final = 0.5
"""For how many seconds a server that did not answer is not asked again."""

Transaction = TypeVar("Transaction", bound=Reader)
Result = TypeVar("Result")


@dataclass(slots=True)
class _State:
    """What a store and its parts have in common.

    Attributes:
        open: whether the store has not been closed yet.
        writer: the task that is writing, or None.
        refuses_until: until when the server is not asked anything, by the clock of the event loop.
        timeline: the server's timeline when a connection was last made, or None if it is unknown.
        forgetful: the functions that are called when the timeline changes.
    """

    open: bool = True
    writer: asyncio.Task[object] | None = None
    refuses_until: float = 0.0
    timeline: str | None = None
    forgetful: list[Callable[[], None]] = field(default_factory=list)

    def note_timeline(self, timeline: str) -> None:
        former, self.timeline = self.timeline, timeline
        if former not in {None, timeline}:
            log.warning(
                "a standby has taken over the database: if it does not follow synchronously, the last moments may be lost"
            )
            for forget in self.forgetful:
                forget()


@dataclass(frozen=True, slots=True)
class _Part:
    """The limits of a part of a store: it serves one shard, and may write only while `lease` has the fencing number `fence`."""

    shard_filter: ShardFilter
    lease: str
    fence: int


class ConnectionPool:
    """A pool of connections, each of which serves one transaction at a time."""

    def __init__(self, connections: Sequence[DatabaseConnection]) -> None:
        self._connections = connections
        self._free: asyncio.LifoQueue[DatabaseConnection] = asyncio.LifoQueue()
        for connection in connections:
            self._free.put_nowait(connection)

    async def take(self, time_limit: float | None) -> DatabaseConnection:
        """Return a connection as soon as one is free. Raises Unreachable after the time limit."""
        if not self._free.empty():
            return self._free.get_nowait()
        try:
            async with asyncio.timeout(time_limit):
                return await self._free.get()
        except TimeoutError:
            raise Unreachable(f"The database has not answered others for {time_limit} seconds.") from None

    def give_back(self, connection: DatabaseConnection) -> None:
        """Hand a connection over to the next transaction."""
        self._free.put_nowait(connection)

    async def close(self) -> None:
        for connection in self._connections:
            await connection.close()


class Store:
    """The database, with its address and its statistics. A process has a single store, which comes from `Store.open`."""

    def __init__(
        self,
        address: Address,
        lock: Lock | None,
        writer: DatabaseConnection,
        readers: Sequence[DatabaseConnection],
        statistics: Statistics,
        prompt: DatabaseConnection | None = None,
        state: _State | None = None,
    ) -> None:
        self.address = address
        self.statistics = statistics
        self._lock = lock
        self._writers = ConnectionPool([writer])
        self._readers = ConnectionPool(readers)
        self._prompt = None if prompt is None else ConnectionPool([prompt])
        self._write_lock = PriorityLock()
        self._time_limit = TIME_LIMIT if address.path is None else None
        self._state = _State() if state is None else state
        self._part: _Part | None = None

    @classmethod
    async def open(
        cls,
        url_or_path: str | Path,
        *,
        readers: int = 4,
        busy_timeout: float = 5.0,
        alone: bool | None = True,
        timed: Timed | None = None,
    ) -> "Store":
        """Open a database, creating it if necessary, and migrate it to the current schema.

        `readers` snapshots can be open at a time, and further ones wait. `busy_timeout` is how many seconds to wait for another
        program that is writing to the SQLite file. With `alone`, all other processes are kept away from a PostgreSQL database.
        If it is False, the database is shared with other processes that share it too. If it is None, this process only looks
        into the database, whoever is using it. A SQLite file is never shared. Raises StorageError if the database cannot be
        opened, is damaged, has a newer version, or is in use by another process.
        """
        address = address_of(url_or_path)
        if address.path is None:
            await make_ready(address, busy_timeout)
            state = _State()
            loop = asyncio.get_running_loop()

            def note(timeline: str) -> None:
                loop.call_soon_threadsafe(state.note_timeline, timeline)

            writing = server_engine(address, reading=False, alone=alone, connected=note)
            store = cls._on_server(address, writing, readers, timed, state)
            try:
                await store.require_turn()  # an error shows at once
            except BaseException:
                await store.close()
                raise
            return store
        reach(address.path)
        if (warning := warning_of(address.path)) is not None:
            log.warning(warning)
        lock = Lock(address.path)
        try:
            refuse_lost(address.path)
            keep_private(address.path)
            await make_ready(address, busy_timeout)
        except BaseException:
            lock.release()
            raise
        return cls._on_file(address, lock, busy_timeout, readers, timed)

    @classmethod
    def _on_server(
        cls, address: Address, writing: sa.Engine, readers: int, timed: Timed | None = None, state: _State | None = None
    ) -> "Store":
        statistics, reading = Statistics(timed=timed), server_engine(address, reading=True)
        engines = (writing, server_engine(address, reading=False, prompt=True), reading)
        for engine in engines:
            statistics.count_statements(engine)
        writer, prompt, *pool = (ServerConnection(engine, statistics) for engine in (*engines, *[reading] * (readers - 1)))
        return cls(address, None, writer, pool, statistics, prompt, state)

    @classmethod
    def _on_file(
        cls, address: Address, lock: Lock | None, busy_timeout: float, readers: int, timed: Timed | None = None
    ) -> "Store":
        statistics = Statistics(timed=timed)
        writing, reading = writing_engine(address, busy_timeout), reading_engine(address, busy_timeout)
        for engine in (writing, reading):
            statistics.count_statements(engine)
        connections = [FileConnection(reading, statistics) for _ in range(readers)]
        return cls(address, lock, FileConnection(writing, statistics), connections, statistics)

    @classmethod
    async def beside(cls, url_or_path: str | Path, *, busy_timeout: float = 5.0) -> "Store":
        """Open an existing database for a small change, even while a bot runs. Raises StorageError unless it is current."""
        address = address_of(url_or_path)
        if address.path is not None and not address.path.is_file():
            raise StorageError(f"There is no database {address.path}.")
        if address.path is None:
            store = cls._on_server(address, server_engine(address, reading=False), 1)
        else:
            store = cls._on_file(address, None, busy_timeout, 1)
        try:
            with explain_errors(address):
                await store.inspect(require_newest)
        except BaseException:
            await store.close()
            raise
        return store

    def part(self, shard_filter: ShardFilter, lease: str, fence: int) -> "Store":
        """Return the part of the store that belongs to one of several shards. It is open for as long as the store is.

        Its queries about all tables or servers find only those of the shard, and its queries about one table, server or person
        find any. Its writes raise LeaseLost as soon as another process has the lease, that is, when `fence` is no longer the
        fencing number.
        """
        part = copy(self)
        part._part = _Part(shard_filter, lease, fence)  # noqa: SLF001 - another store
        return part

    def on_failover(self, forget: Callable[[], None]) -> None:
        """Call `forget` when another server has taken over, because what was read before may then never have happened."""
        self._state.forgetful.append(forget)

    @property
    def is_part(self) -> bool:
        """Whether other processes serve the other shards from the same database. A click may then reach two processes."""
        return self._part is not None

    async def close(self) -> None:
        """Wait for the running transaction, merge the write-ahead log into the database file, and release the file."""
        if self._part is not None:
            return
        async with self._write_lock:
            if not self._state.open:
                return
            self._state.open = False
            with suppress(Unreachable):  # the server has lost the connections anyway
                await complete(self._dispose(), self._time_limit)

    async def _dispose(self) -> None:
        try:
            if self._lock is not None:  # otherwise the log belongs to the running bot
                connection = await self._writers.take(self._time_limit)
                await connection.run(lambda raw: answer(raw, "wal_checkpoint(TRUNCATE)"), self._time_limit)
        finally:
            for pool in (self._readers, self._writers, self._prompt):
                if pool is not None:
                    await pool.close()
            if self._lock is not None:
                self._lock.release()

    def _require_open(self) -> None:
        if not self._state.open:
            raise StorageError("The store was closed.")

    async def inspect(self, look: Callable[[sa.Connection], Result]) -> Result:
        """Return the result of a function that runs queries of its own in a snapshot."""
        async with self.read() as reader:
            return await reader.run(look)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Writer]:
        """Begin a transaction. It is committed to the disk when the block ends, or rolled back if that raises or is cancelled.

        Only one such transaction runs at a time, and others wait. A cancellation during the commit takes effect afterwards.

        Raises Unreachable if the database is unavailable. Nothing has then been written, unless it is raised at the end of the
        block: in that case, nobody knows. Raises LeaseLost for a part that another process has taken over.
        """
        if self._state.writer is asyncio.current_task():
            raise RuntimeError("this task is already writing and would wait for itself for ever")
        try:
            async with self._turn(), self._transaction(self._writers, Writer) as writer:
                self.statistics.writes += 1
                self._state.writer = asyncio.current_task()
                if self._part is not None:
                    writer.require(self._part.lease, self._part.fence)
                try:
                    yield writer
                finally:
                    self._state.writer = None
        except LeaseLost:
            raise
        except Unreachable as error:
            self.statistics.failing = str(error)
            raise
        self.statistics.failing = None

    async def require_turn(self) -> None:
        """Begin and end a transaction without writing anything. Raises Unreachable if even that is impossible."""
        async with self._turn(), self._transaction(self._writers, Writer) as writer:
            await writer.execute(sa.select(1))  # a transaction begins with its first statement

    async def run_promptly(self, work: Callable[[sa.Connection], Result]) -> Result:
        """Return the result of a function of the connection, in a short transaction that does not wait for its turn to write.

        This is for leases and the like, which are needed in time. On a server, it does not wait for what this process is
        writing, and gives up within a few seconds. A file has only one writer, for which this has to wait too.
        """
        if self._prompt is None:
            async with self.write() as writer:
                return await writer.run(work)
        self._require_open()
        connection = await self._prompt.take(PROMPT)
        try:
            async with self._using(connection, PROMPT):
                result = await connection.run(work, PROMPT)
                await connection.commit(None, PROMPT)
                return result
        finally:
            self._prompt.give_back(connection)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for the turn to write. Raises Unreachable if earlier tasks take too long because the server does not answer."""
        try:
            async with asyncio.timeout(self._time_limit):
                await self._write_lock.acquire()
        except TimeoutError:
            raise Unreachable(f"The database has not taken anything for {self._time_limit} seconds.") from None
        try:
            yield
        finally:
            self._write_lock.release()

    def read(self) -> AbstractAsyncContextManager[Reader]:
        """Begin a snapshot, which neither waits for transactions that write nor delays them. Raises Unreachable."""
        self.statistics.snapshots += 1
        return self._transaction(self._readers, Reader)

    @asynccontextmanager
    async def _transaction(
        self, pool: ConnectionPool, kind: Callable[[DatabaseConnection, ShardFilter | None], Transaction]
    ) -> AsyncIterator[Transaction]:
        self._require_open()
        began = time.perf_counter()
        connection = await pool.take(self._time_limit)
        try:
            async with self._using(connection, self._time_limit):
                transaction = kind(connection, None if self._part is None else self._part.shard_filter)
                yield transaction
                await transaction.end()
        finally:
            pool.give_back(connection)
            if self.statistics.timed is not None:
                self.statistics.timed("write" if pool is self._writers else "read", time.perf_counter() - began)

    @asynccontextmanager
    async def _using(self, connection: DatabaseConnection, time_limit: float | None) -> AsyncIterator[None]:
        """Begin a transaction on a connection. The block ends the transaction, unless the block fails.

        No transaction is begun if the server has just failed to answer another one. A caller that asks for several things one
        after the other should not have to wait in vain for each of them.
        """
        loop = asyncio.get_running_loop()
        try:
            if loop.time() < self._state.refuses_until:
                raise Unreachable("The database has just not answered.")
            await connection.begin(time_limit)
            try:
                yield
            except LeaseLost:
                self.statistics.refused += 1
                await connection.rollback(time_limit)
                raise
            except Unreachable as error:
                if isinstance(error, NoAnswer):
                    self._state.refuses_until = loop.time() + RESPITE
                await connection.drop(time_limit)
                raise
            except BaseException:
                await (connection.drop if connection.doubtful else connection.rollback)(time_limit)
                raise
        finally:
            await connection.release(time_limit)
