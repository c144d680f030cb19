"""Every test that asks for a `store` or an `address` runs on SQLite and, where a server is named, on PostgreSQL."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]  # asyncpg ships no types
import pytest
from sqlalchemy.engine import make_url

from storage.store import Store

SERVER = "SPRINGBOARD_TEST_POSTGRESQL"
# In the continuous integration the server must be there: the tests then fail without it instead of being left out.
WANTED = SERVER in os.environ or os.environ.get("CI") == "true"
WHY_NOT = f"{SERVER} names no PostgreSQL server (.ci/postgresql starts one): the store is tested on SQLite only"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs on the server, so that it can be left out."""
    for item in items:
        if isinstance(item, pytest.Function):
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            if "server" in item.fixturenames or parameters.get("address") == "postgresql":
                item.add_marker("server")


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    """A database of its own for these tests on the PostgreSQL server, by its URL."""
    if not WANTED:
        pytest.skip(WHY_NOT)
    url = os.environ.get(SERVER)
    if not url:
        pytest.fail(WHY_NOT)
    name = f"springboard_{uuid.uuid4().hex}"
    asyncio.run(tell(url, f'CREATE DATABASE "{name}"'))
    yield make_url(url).set(database=name).render_as_string(hide_password=False)
    asyncio.run(tell(url, f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture
async def server(database: str) -> str:
    """The same database, emptied: making a new one for every test takes longer than the tests."""
    others = "FROM pg_stat_activity WHERE pid != pg_backend_pid() AND datname = current_database()"
    end_others = f"SELECT pg_terminate_backend(pid) {others}"
    await tell(database, end_others, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    return database


async def tell(url: str, *commands: str) -> None:
    connection = await asyncpg.connect(url)
    for command in commands:
        await connection.execute(command)
    await connection.close()


@pytest.fixture(params=["sqlite", "postgresql"] if WANTED else ["sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new database may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "springboard.db")
    url: str = request.getfixturevalue("server")
    return url


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


@pytest.fixture
async def another_process(server: str) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Further stores on one PostgreSQL database, as other processes have them."""
    opened = []

    async def one_more() -> Store:
        opened.append(await Store.open(server, alone=None))
        return opened[-1]

    yield one_more
    for store in opened:
        await store.close()
