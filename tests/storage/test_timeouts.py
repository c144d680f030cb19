"""A server that hangs, or is gone, holds nobody up for ever; a second process is kept away."""

import asyncio
import errno
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, OperationalError

from storage import queries
from storage.cluster.leases import Leases
from storage.connections import timeouts
from storage.connections.server import _LIMITS, CONNECTING
from storage.connections.timeouts import complete, is_outage
from storage.schema.errors import StorageError, Unreachable
from storage.store import Store
from tests.databases import tell
from tests.storage.freezing import Proxy, freezable
from tests.storage.reading_back import log_of, new_table, once, opened, play

HANGS_AFTER = 60.0
"""Seconds after which something is taken to hang, far above the slowest machine's."""

SHORT = 0.3


@pytest.fixture
async def proxy(server: str) -> AsyncIterator[Proxy]:
    async with freezable(server) as made:
        yield made


class TimeLimits:
    """Time limits that no machine reaches while the server works, and short ones while it hangs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, proxy: Proxy) -> None:
        self._monkeypatch = monkeypatch
        self._proxy = proxy
        monkeypatch.setattr("storage.connections.server.CONNECTING", HANGS_AFTER)
        monkeypatch.setattr("storage.store.RESPITE", 0.0)
        self._set(HANGS_AFTER)

    def _set(self, seconds: float, *waiting: Any) -> None:
        for module in ("storage.transactions", "storage.store"):
            self._monkeypatch.setattr(f"{module}.TIME_LIMIT", seconds)
        for module in ("storage.store", "storage.connections.server"):
            self._monkeypatch.setattr(f"{module}.PROMPT", seconds)
        for one in waiting:
            self._monkeypatch.setattr(one, "_time_limit", seconds)

    def freeze(self, *waiting: Any) -> None:
        """Freeze the server for these stores and transactions."""
        self._proxy.freeze()
        self._set(SHORT, *waiting)

    def thaw(self, *waiting: Any) -> None:
        """Let it continue."""
        self._proxy.thaw()
        self._set(HANGS_AFTER, *waiting)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch, proxy: Proxy) -> TimeLimits:
    return TimeLimits(monkeypatch, proxy)


def test_the_promise_of_ten_seconds() -> None:
    assert timeouts.TIME_LIMIT + 3 * timeouts.GRACE < 10
    assert CONNECTING < timeouts.TIME_LIMIT
    assert float(_LIMITS["statement_timeout"]) / 1000 < timeouts.TIME_LIMIT
    assert float(_LIMITS["lock_timeout"]) / 1000 < timeouts.TIME_LIMIT


async def reading(store: Store) -> None:
    await once(store.read(), queries.tables.get, 1)


async def writing(store: Store) -> None:
    async with store.write() as writer:
        await play(writer, 1, 1 + len(await queries.entries.of_table(writer, 1)))


async def renewing(store: Store) -> None:
    await Leases(store).renew("somebody", 10.0)


async def opening(url: str) -> None:
    await (await Store.open(url, alone=None)).close()


@pytest.fixture
async def frozen(proxy: Proxy, hanging: TimeLimits) -> AsyncIterator[Store]:
    """A store with a table, whose server hangs from now on."""
    async with opened(proxy.url) as store:
        await new_table(store)
        await reading(store)
        hanging.freeze(store)
        yield store
        hanging.thaw(store)


@pytest.mark.parametrize("asking", [reading, writing, renewing])
async def test_a_server_that_hangs_gives_an_error_and_works_again_afterwards(
    frozen: Store, hanging: TimeLimits, asking: Callable[[Store], Coroutine[Any, Any, None]]
) -> None:
    asked = [asyncio.create_task(asking(frozen)) for _ in range(12)]
    told = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(error, Unreachable) for error in told)
    hanging.thaw(frozen)
    await writing(frozen)
    await reading(frozen)
    await renewing(frozen)
    assert await log_of(frozen, 1) == [1]


async def test_a_server_that_hangs_within_a_transaction_has_written_nothing_of_it(proxy: Proxy, hanging: TimeLimits) -> None:
    async with opened(proxy.url) as store:
        table_id = await new_table(store)

        async def write() -> None:
            async with store.write() as writer:
                await play(writer, table_id, 1)
                hanging.freeze(store, writer)
                await play(writer, table_id, 2)

        with pytest.raises(Unreachable):
            await write()
        hanging.thaw(store)
        assert await log_of(store, table_id) == []
        await writing(store)
        assert await log_of(store, table_id) == [1]


async def test_a_store_whose_server_hangs_can_be_closed(frozen: Store) -> None:
    busy = asyncio.create_task(writing(frozen))
    await asyncio.sleep(0)
    await frozen.close()
    with pytest.raises(Unreachable):
        await busy
    with pytest.raises(StorageError, match="closed"):
        await reading(frozen)


async def test_a_caller_that_asks_for_several_things_waits_in_vain_only_once(
    frozen: Store, hanging: TimeLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.store.RESPITE", 10 * HANGS_AFTER)
    with pytest.raises(Unreachable, match="has not answered for"):
        await reading(frozen)
    with pytest.raises(Unreachable, match="just not answered"):
        await reading(frozen)
    hanging.thaw(frozen)
    monkeypatch.setattr(frozen._state, "refuses_until", 0.0)
    await reading(frozen)


async def test_a_cancelled_task_ends_although_the_server_hangs(frozen: Store) -> None:
    for asking in (reading, writing):
        task = asyncio.create_task(asking(frozen))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_server_that_hangs_from_the_start_cannot_be_opened(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.connections.server.CONNECTING", SHORT)
    proxy.freeze()
    with pytest.raises(StorageError):
        await opening(proxy.url)


async def test_a_statement_that_takes_too_long_is_stopped_by_the_server(server: str) -> None:
    async with opened(server) as store:
        async with store.read() as reader, store.write() as writer:
            for asking in (reader, writer):
                for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                    setting = sa.text("SELECT setting FROM pg_settings WHERE name = :name").bindparams(name=name)
                    assert (await asking.execute(setting)).scalar() == _LIMITS[name]
        async with store.read() as reader:
            await reader.execute(sa.text("SET LOCAL statement_timeout = 1"))
            with pytest.raises(Unreachable, match="statement timeout"):
                await reader.execute(sa.text("SELECT pg_sleep(600)"))
        assert await log_of(store, await new_table(store)) == []


async def test_a_second_process_is_refused_until_the_first_one_ends(server: str) -> None:
    async with opened(server) as first:
        with pytest.raises(StorageError, match="Another Springboard is using the database"):
            await Store.open(server)
        await reading(first)
    async with opened(server) as second:
        await new_table(second)


async def test_a_process_that_only_checks_the_games_is_let_in(server: str) -> None:
    async with opened(server) as bot:
        await new_table(bot)
        async with opened(server, alone=None) as checking:
            await reading(checking)
        await writing(bot)


async def test_a_process_that_has_lost_its_place_to_another_writes_no_more(server: str) -> None:
    async with opened(server) as first:
        table_id = await new_table(first)
        await tell(server, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid != pg_backend_pid() "
                           "AND datname = current_database()")  # fmt: skip
        async with opened(server) as second:
            with pytest.raises(Unreachable, match="Another Springboard"):
                await writing(first)
            await reading(first)  # whatever it shows, it does no harm
            await writing(second)
        await writing(first)  # and goes on when the other one has ended
        assert await log_of(first, table_id) == [1, 2]


class Told(Exception):
    """An error as PostgreSQL's driver raises it."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__("told")
        self.sqlstate = sqlstate


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("told")
    error.sqlite_errorcode = code
    return error


OUTAGES: list[Any] = [
    ConnectionRefusedError(errno.ECONNREFUSED, "refused"), TimeoutError(), OperationalError("", {}, Told("57P01")),
    OperationalError("", {}, Told("57P03")), OperationalError("", {}, Told("25006")), OperationalError("", {}, Told("28000")),
    OperationalError("", {}, Told("28P01")), OperationalError("", {}, Told("3D000")), OperationalError("", {}, Told("42501")),
    OperationalError("", {}, psycopg.OperationalError("connection failed")),
    OperationalError("", {}, psycopg.InterfaceError("the connection is closed")), OperationalError("", {}, Told("53300")),
    OperationalError("", {}, Told("55P03")), OperationalError("", {}, Told("08006")), OperationalError("", {}, Told("40P01")),
    OperationalError("", {}, Told("40001")), OperationalError("", {}, sqlite_error(sqlite3.SQLITE_FULL)),
    OperationalError("", {}, sqlite_error(sqlite3.SQLITE_IOERR | 10 << 8)),
    OperationalError("", {}, sqlite_error(sqlite3.SQLITE_BUSY)),
]  # fmt: skip
MISTAKES: list[Any] = [
    ValueError(), IntegrityError("", {}, Told("23505")), OperationalError("", {}, Told("42P01")),
    OperationalError("", {}, psycopg.errors.UndefinedTable("tables")), OperationalError("", {}, psycopg.DataError("a NUL")),
    OperationalError("", {}, sqlite_error(sqlite3.SQLITE_ERROR)),
    OperationalError("", {}, sqlite_error(sqlite3.SQLITE_CORRUPT)),
]  # fmt: skip


@pytest.mark.parametrize("error", OUTAGES)
async def test_an_outage_is_told_from_a_mistake(error: Exception) -> None:
    async def fail() -> None:
        raise error

    assert is_outage(error)
    with pytest.raises(Unreachable) as told:
        await complete(fail())
    assert told.value.__cause__ is error


@pytest.mark.parametrize("error", MISTAKES)
async def test_a_mistake_is_raised_as_it_is(error: Exception) -> None:
    async def fail() -> None:
        raise error

    assert not is_outage(error)
    with pytest.raises(type(error)) as told:
        await complete(fail())
    assert told.value is error


@pytest.mark.slow
async def test_work_that_cannot_even_be_cancelled_is_given_up() -> None:
    goes_on = asyncio.Event()

    async def stubborn() -> None:
        while not goes_on.is_set():
            try:
                await goes_on.wait()
            except asyncio.CancelledError:
                continue
        raise ValueError("too late for anybody to hear")

    async with asyncio.timeout(HANGS_AFTER):
        with pytest.raises(Unreachable, match="not answered"):
            await complete(stubborn(), 0.01)
    goes_on.set()
    await asyncio.sleep(0)
