"""Stores on either kind of database."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from storage.store import Store


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
