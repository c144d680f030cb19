"""Stores on either kind of database."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from storage import queries
from storage.schema.records import Table
from storage.store import Store
from tests.storage.reading_back import once
from tests.storage.samples import a_table


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


@pytest.fixture
async def table(store: Store) -> Table:
    """The first table in the store."""
    return await once(store.write(), queries.tables.add, a_table())


@pytest.fixture
async def another_process(server: str) -> AsyncIterator[Callable[[], Awaitable[Store]]]:
    """Further stores on one PostgreSQL database, as in other processes."""
    opened = []

    async def one_more() -> Store:
        opened.append(await Store.open(server, alone=None))
        return opened[-1]

    yield one_more
    for store in opened:
        await store.close()
