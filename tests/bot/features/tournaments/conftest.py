"""Tournament services are tested on every kind of database."""

from collections.abc import AsyncIterator

import pytest

from storage.store import Store


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()
