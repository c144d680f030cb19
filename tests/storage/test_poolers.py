"""Databases behind PgBouncer, and databases that cannot store every text: suitable ones work, others are named."""

import asyncio

import pytest
import sqlalchemy as sa
from psycopg import conninfo

from storage.connections.addresses import address_of
from storage.connections.suitability import require_suitable
from storage.schema.errors import StorageError
from storage.store import Store
from tests.databases import tell
from tests.pgbouncer import PROGRAM, WHY_NOT, pooled
from tests.storage.reading_back import log_of, new_table, once, opened, play

pytestmark = pytest.mark.skipif(PROGRAM is None, reason=WHY_NOT)

OPENED = 50


async def test_a_pooler_that_keeps_sessions_is_like_a_server(server: str) -> None:
    async with pooled(server, "session") as url, opened(url) as store:
        limit = sa.text("SELECT current_setting('statement_timeout')")
        async with store.read() as reader:
            assert (await reader.execute(limit)).scalar() == "6s", "limits are set after connecting"
        tables = [await new_table(store) for _ in range(OPENED)]
        await once(store.write(), play, tables[-1], 1)
        assert await log_of(store, tables[-1]) == [1]
        with pytest.raises(StorageError, match="Another Springboard is using the database"):
            await Store.open(url)


@pytest.mark.parametrize("mode", ["transaction", "statement"])
async def test_a_pooler_that_lends_connections_for_less_than_a_session_is_refused_by_name(server: str, mode: str) -> None:
    async with pooled(server, mode) as url:
        with pytest.raises(StorageError, match=r"transaction pooling.*pool_mode = session"):
            await Store.open(url)


async def test_such_a_pooler_is_noticed_however_busy_it_is(server: str) -> None:
    async with pooled(server, "transaction") as url:
        stores = [asyncio.to_thread(require_suitable, address_of(url)) for _ in range(8)]
        told = await asyncio.gather(*stores, return_exceptions=True)
    assert [error for error in told if "transaction pooling" not in str(error)] == []


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_a_database_whose_encoding_lacks_letters_is_refused(server: str, encoding: str) -> None:
    name = f"springboard_{encoding.lower()}"
    await tell(server, f"DROP DATABASE IF EXISTS {name}",
               f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")  # fmt: skip
    try:
        with pytest.raises(StorageError, match=rf"is encoded in {encoding}.*ENCODING 'UTF8'"):
            await Store.open(conninfo.make_conninfo(server, dbname=name))
    finally:
        await tell(server, f"DROP DATABASE {name}")
