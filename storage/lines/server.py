"""Connecting to PostgreSQL: engines that do not wait for ever, and the lock that keeps a second process away."""

import importlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from typing_extensions import override

from storage.lines.lines import Line, Statistics
from storage.lines.timeouts import TIME_LIMIT, complete
from storage.schema.column_types import as_written
from storage.schema.errors import StorageError, Unreachable

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

Result = TypeVar("Result")

ALONE: Final = 0x5350_5249_4E48
"""The key of the advisory lock of processes that write. Any number will do that no other program uses."""

PROMPT: Final = 3.0
"""Seconds after which renewing a lease is given up, so that there is time left to try again."""

CONNECTING: Final = 5.0
"""Seconds that connecting may take."""

FROZEN_AFTER: Final = 8.0
"""Seconds after which a process that says nothing in the middle of a transaction is taken to be frozen, if there are others."""

APPLICATION: Final = "springboard"
"""The name of the connections of bots on the server."""

_LIMITS: Final = {
    # In milliseconds. The server gives up a little before the bot does, which then learns why.
    "statement_timeout": "6000",
    "lock_timeout": "5000",
    "idle_in_transaction_session_timeout": "60000",
    # In seconds: the server notices within a minute that the machine of the bot is gone, and lets go of its locks.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}
_IN_CLUSTER: Final = {
    # A process that was frozen in the middle of a transaction must not keep others from taking over its shards for long.
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
    url: URL,
    size: int,
    *,
    reading: bool,
    alone: bool | None = None,
    migrating: bool = False,
    prompt: bool = False,
) -> "AsyncEngine":
    """Return an engine for PostgreSQL, with the same guarantees as those for SQLite.

    Args:
        url: the address of the database.
        size: the number of its connections.
        reading: whether they only read, each transaction a snapshot of the database.
        alone: whether this is the only process that writes (True), or one of several that share the work (False): both keep
            the other kind away, see `_take_part`. None: whatever it is, it keeps nobody away, and nobody keeps it away.
        migrating: whether statements may take as long as they take.
        prompt: whether they have to be answered within `PROMPT` seconds.

    Raises:
        StorageError: if the driver for PostgreSQL is not installed.
    """
    of_its_own = _FOR_MIGRATIONS if migrating else _FOR_LEASES if prompt else _IN_CLUSTER if alone is False else {}
    time_limit = None if migrating else PROMPT if prompt else TIME_LIMIT
    options: dict[str, Any] = {
        "json_deserializer": as_written,
        "pool_size": size,
        "max_overflow": 0,
        "pool_pre_ping": True,
        "pool_timeout": TIME_LIMIT,
        "connect_args": {
            "timeout": PROMPT if prompt else CONNECTING,
            "command_timeout": time_limit,
            "server_settings": {"application_name": APPLICATION, **_LIMITS, **of_its_own},
        },
    }
    if reading:
        options["isolation_level"] = "REPEATABLE READ"
        options["execution_options"] = {"postgresql_readonly": True}
    try:
        # With it come the object-relational parts of SQLAlchemy, which a bot with a file has no use for.
        engine: AsyncEngine = importlib.import_module("sqlalchemy.ext.asyncio").create_async_engine(url, **options)
    except ImportError as error:
        raise StorageError("The driver for PostgreSQL is not installed: pip install 'springboard[postgresql]'.") from error
    if alone is not None:
        sa.event.listens_for(engine.sync_engine, "connect")(partial(_take_part, alone))
    return engine


def _take_part(alone: bool, connection: DBAPIConnection, _record: object) -> None:
    """Let the connection hold the lock of processes that write, as long as it lives: for itself alone, or shared with others.

    All writing of a process goes through this one connection, so nothing is written without the lock: if the connection is
    lost, the next one takes the lock anew, and if another process has taken it meanwhile, this one writes no more.

    Raises Unreachable if another process has it that does not share it.
    """
    cursor = connection.cursor()
    try:
        # The lock of a process that has just ended may still be there for a moment.
        cursor.execute("SET lock_timeout = 2000")
        cursor.execute(f"SELECT {'pg_advisory_lock' if alone else 'pg_advisory_lock_shared'}({ALONE})")
        cursor.execute(f"SET lock_timeout = {_LIMITS['lock_timeout']}")
        connection.commit()
    except Exception as error:
        connection.close()
        if getattr(error, "sqlstate", None) == "55P03":
            has_it = "is using the database" if alone else "has the database for itself alone"
            raise Unreachable(f"Another Springboard {has_it}. Stop it first, or give this one a database of its own.") from None
        raise
    finally:
        cursor.close()


async def connect_once(engine: "AsyncEngine") -> None:
    """Make a connection, and put it into the pool, so that an error shows at once. Raises Unreachable."""

    async def connect() -> None:
        async with engine.connect():
            pass

    await complete(connect(), TIME_LIMIT)


class ServerLine(Line):
    """A line to PostgreSQL, by a connection of a pool, which finds out whether the server has dropped it."""

    dialect = "postgresql"

    def __init__(self, engine: "AsyncEngine", statistics: Statistics) -> None:
        super().__init__(statistics)
        self._engine = engine
        self._connection = engine.connect()

    @override
    async def begin(self, time_limit: float | None) -> None:
        self.doubtful = False
        self._connection = self._engine.connect()
        await complete(self._begin(), time_limit)

    async def _begin(self) -> None:
        await self._connection.start()
        await self._connection.begin()

    @override
    async def run(self, work: Callable[[sa.Connection], Result], time_limit: float | None) -> Result:
        self._statistics.round_trips += 1
        return await complete(self._connection.run_sync(work), time_limit)

    @override
    async def commit(self, flush: Callable[[sa.Connection], None] | None, time_limit: float | None) -> None:
        self._statistics.round_trips += 1
        await complete(self._commit(flush), time_limit)

    async def _commit(self, flush: Callable[[sa.Connection], None] | None) -> None:
        if flush is not None:
            await self._connection.run_sync(flush)
        try:
            await self._connection.commit()
        except BaseException:
            self.doubtful = True
            raise

    @override
    async def rollback(self, time_limit: float | None) -> None:
        self._statistics.round_trips += 1
        try:
            await complete(self._connection.rollback(), time_limit)
        except BaseException:
            await self.drop(time_limit)
            raise

    @override
    async def drop(self, time_limit: float | None) -> None:
        with suppress(Unreachable):
            await complete(self._connection.invalidate(), time_limit)

    @override
    async def release(self, time_limit: float | None) -> None:
        if self._connection.sync_connection is not None:
            await complete(self._connection.close(), time_limit)

    @override
    async def close(self) -> None:
        await self._engine.dispose()
