"""Connecting to PostgreSQL: engines that never wait for ever, and the lock that keeps a second process away."""

import asyncio
import math
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL
from typing_extensions import override

from storage.connections.addresses import Address, driver, trusting
from storage.connections.connection_thread import ConnectionThread, ThreadedConnection, Work
from storage.connections.timeouts import GRACE, explain_outages
from storage.schema.errors import NoAnswer, Unreachable

if TYPE_CHECKING:
    import psycopg

Result = TypeVar("Result")

ALONE: Final = 0x5350_5249_4E48
"""The key of the advisory lock that processes hold if they write. Any number will do, unless another program uses it."""

PROMPT: Final = 3.0
"""The number of seconds after which renewing a lease is given up. There is then still time for another attempt."""

CONNECTING: Final = 5.0
"""How many seconds it may take to connect to one host."""

CONNECTING_PROMPTLY: Final = 2.0
"""How many seconds it may take for leases: libpq's minimum, which leaves time to try a second host if the first is silent."""

FROZEN_AFTER: Final = 8.0
"""The number of seconds of silence within a transaction after which one of several processes is taken to be frozen."""

APPLICATION: Final = "springboard"
"""The name of the bot's connections on the server, unless the address gives another one."""

PREPARED: Final = 500
"""How many prepared statements a connection keeps. This is more than there are."""

_LIMITS: Final = {
    # In milliseconds. The server gives up a little before the bot, so that the bot learns why.
    "statement_timeout": "6000",
    "lock_timeout": "5000",
    "idle_in_transaction_session_timeout": "60000",
    # In seconds: within a minute, the server notices that the bot's machine is gone, and releases its locks.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
_IN_CLUSTER: Final = {
    # A process frozen within a transaction must not keep others from its shards for long.
    "idle_in_transaction_session_timeout": str(round(FROZEN_AFTER * 1000)),
    "tcp_user_timeout": "10000",
}
_FOR_LEASES: Final = {
    "statement_timeout": "2000",
    "lock_timeout": "1000",
    "idle_in_transaction_session_timeout": "3000",
    "tcp_user_timeout": "5000",
}
_FOR_MIGRATIONS: Final = {"statement_timeout": "0", "lock_timeout": "60000", "idle_in_transaction_session_timeout": "0"}


def server_engine(
    address: Address,
    *,
    reading: bool,
    alone: bool | None = None,
    migrating: bool = False,
    prompt: bool = False,
    connected: Callable[[str], object] | None = None,
) -> sa.Engine:
    """Return an engine for PostgreSQL, without a pool, that gives the same guarantees as those for SQLite. Raises StorageError.

    Args:
        address: the address of the database.
        reading: whether the connections only read, with a snapshot for each transaction.
        alone: True if this is the only process that writes, or False if it is one of several that share the work. Each of these
            two kinds keeps the other away (see `_take_part`). If None, it keeps nobody away, and nobody keeps it away.
        migrating: whether statements may take as long as they need.
        prompt: whether answers must come within `PROMPT` seconds.
        connected: a function that is called after connecting, on the thread of the connection, with the timeline of the server.
            The timeline changes when a standby takes over, or when a backup is restored.
    """
    driver()
    of_its_own = _FOR_MIGRATIONS if migrating else _FOR_LEASES if prompt else _IN_CLUSTER if alone is False else {}
    options: dict[str, Any] = {
        "poolclass": sa.NullPool,
        # JSON stays the text that was written: `Structure` reads it, once.
        "json_deserializer": lambda json: json if isinstance(json, str) else json.decode(),
        "use_native_hstore": False,
        "begin_with": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if reading else "BEGIN",
        "connect_args": connection_parameters(address, CONNECTING_PROMPTLY if prompt else CONNECTING),
    }
    engine = sa.create_engine(URL.create("postgresql+springboard"), **options)
    sa.event.listens_for(engine, "connect")(partial(_prepare, _LIMITS | of_its_own))
    if alone is not None:
        sa.event.listens_for(engine, "connect")(partial(_take_part, alone))
    if connected is not None:
        sa.event.listens_for(engine, "connect")(partial(_tell_timeline, connected))
    return engine


def connection_parameters(address: Address, seconds: float) -> dict[str, str]:
    """Return libpq's parameters for connecting, which give each host `seconds` to answer."""
    ours = {
        "application_name": os.environ.get("PGAPPNAME", APPLICATION),
        "keepalives_idle": _LIMITS["tcp_keepalives_idle"],
        "keepalives_interval": _LIMITS["tcp_keepalives_interval"],
        "keepalives_count": _LIMITS["tcp_keepalives_count"],
    }
    wished = wished_timeout(address)
    within = seconds if wished is None else min(seconds, wished)
    return ours | trusting(address.parameters) | {"connect_timeout": str(math.ceil(within)), "client_encoding": "UTF8"}


def wished_timeout(address: Address) -> int | None:
    """Return within how many seconds the address asks to connect, or None if it sets no limit."""
    wished = address.parameters.get("connect_timeout", "")
    return int(wished) if wished.isdecimal() and int(wished) > 0 else None


def _prepare(settings: dict[str, str], connection: "psycopg.Connection[Any]", _record: object) -> None:
    """Set the limits with a statement. Poolers such as PgBouncer accept only that, and use each connection for one client."""
    connection.prepared_max = PREPARED
    connection.autocommit = True  # otherwise psycopg would begin transactions itself
    with _of_nobody_yet(connection):
        wanted = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in settings.items())
        connection.execute(f"SELECT {wanted}")


@contextmanager
def _of_nobody_yet(connection: "psycopg.Connection[Any]") -> Iterator[None]:
    """Close a new connection if the block fails. Nobody has the connection yet, so nobody else would close it."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _take_part(alone: bool, connection: "psycopg.Connection[Any]", _record: object) -> None:
    """Let the connection hold the lock of processes that write for as long as it lives, either alone or shared with others.

    Everything that a process writes goes through this one connection, so nothing is written without the lock. If the connection
    is lost, the next one takes the lock again. If another process has taken it in the meantime, this process can no longer
    write.

    Raises Unreachable if another process holds the lock and does not share it.
    """
    with _of_nobody_yet(connection):
        try:
            # The lock of a process that has just ended may linger for a moment.
            connection.execute("SET lock_timeout = 2000")
            connection.execute(f"SELECT {'pg_advisory_lock' if alone else 'pg_advisory_lock_shared'}({ALONE})")
            connection.execute(f"SET lock_timeout = {_LIMITS['lock_timeout']}")
        except driver().errors.LockNotAvailable:
            has_it = "is using the database" if alone else "has the database for itself alone"
            raise Unreachable(f"Another Springboard {has_it}. Stop it first, or give this one a database of its own.") from None


def _tell_timeline(connected: Callable[[str], object], connection: "psycopg.Connection[Any]", _record: object) -> None:
    with suppress(driver().DatabaseError):  # a server that only resembles PostgreSQL may have none
        found = connection.execute("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)").fetchone()
        if found is not None:
            connected(str(found[0]))


sa.dialects.registry.register("postgresql.springboard", "storage.connections.server_dialect", "ServerDialect")


class ServerThread(ConnectionThread):
    """A thread whose connection to a server may have been dropped, or may no longer be answered."""

    def __init__(self, engine: sa.Engine) -> None:
        self._left = False
        self._driver: psycopg.Connection[Any] | None = None
        self._socket: socket.socket | None = None
        super().__init__(engine)

    @override
    def _connected(self) -> sa.Connection:
        connection = super()._connected()
        self._keep_hold(connection)
        return connection

    @override
    def _begin(self, work: Work[Result], connection: sa.Connection) -> Result:
        """Begin a transaction with its first work. If the server has dropped the connection, connect again first."""
        try:
            connection.begin()
        except sa.exc.DBAPIError as error:
            if not error.connection_invalidated:
                raise
            connection.begin()
            self._keep_hold(connection)
        return work(connection)

    def _keep_hold(self, connection: sa.Connection) -> None:
        """Keep a second descriptor of the connection's socket, with which `leave` can cut it off from another thread."""
        if connection.invalidated:
            return  # there is none until a transaction begins
        driver: Any = connection.connection.driver_connection
        if driver is not self._driver:
            self._let_go()
            self._driver, self._socket = driver, socket.socket(fileno=os.dup(driver.fileno()))
        if self._left:  # perhaps it is still connecting, and nothing can cut that off
            raise ConnectionAbortedError("the connection was given up")

    def _let_go(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def leave(self) -> None:
        """Give up the connection and end the thread without waiting. Whatever it is asking the server is cut off."""
        self._left = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._tx.put_nowait((None, self._close))
        self._end()

    @override
    def _close(self) -> None:
        self._let_go()
        if self._left and self._alchemy is not None:
            self._alchemy.invalidate()
        super()._close()


class ServerConnection(ThreadedConnection):
    """A connection to PostgreSQL. It notices if the server has dropped it, and gives up a server that does not answer."""

    dialect = "postgresql"
    _thread: ServerThread | None

    @override
    def _begin_thread(self) -> ServerThread:
        return ServerThread(self._engine)

    @override
    async def run(self, work: Work[Result], time_limit: float | None) -> Result:
        with explain_outages():
            try:
                async with asyncio.timeout(time_limit):
                    return await self._ask(work)
            except TimeoutError:
                raise NoAnswer(f"The database has not answered for {time_limit:g} seconds.") from None

    @override
    async def drop(self, time_limit: float | None) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.leave()

    @override
    async def close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            try:
                async with asyncio.timeout(GRACE):
                    await thread.close()
            except (TimeoutError, sa.exc.SQLAlchemyError, driver().Error):
                thread.leave()
