"""Every test that asks for a `store` runs on SQLite and on PostgreSQL."""

import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from storage.store import Store

SERVER = "SPRINGBOARD_TEST_POSTGRESQL"


@pytest.fixture
async def server() -> AsyncIterator[str]:
    """A new, empty database on the PostgreSQL server for tests, by its URL."""
    url = os.environ.get(SERVER)
    if not url:
        why = f"{SERVER} names no PostgreSQL server (.ci/postgresql starts one)"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    name = f"springboard_{uuid.uuid4().hex}"
    administrator = await asyncpg.connect(url)
    await administrator.execute(f'CREATE DATABASE "{name}"')
    try:
        yield make_url(url).set(database=name).render_as_string(hide_password=False)
    finally:
        await administrator.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        await administrator.close()


@pytest.fixture(params=["sqlite", "postgresql"])
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
        opened.append(await Store.open(server))
        return opened[-1]

    yield one_more
    for store in opened:
        await store.close()
