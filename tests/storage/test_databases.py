"""The tests' databases are what a store would make by itself, and one test leaves nothing to the next."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from storage import queries
from storage.connections.addresses import address_of
from storage.connections.connect import make_ready
from storage.connections.private_files import create
from storage.store import Store
from tests.databases import PostgreSQL, tell
from tests.storage.reading_back import once, opened
from tests.storage.samples import a_table


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


async def test_a_copy_is_what_all_migrations_make(tmp_path: Path) -> None:
    copied, migrated = tmp_path / "copied.sqlite3", tmp_path / "migrated.sqlite3"
    await (await Store.open(copied)).close()
    create(migrated)
    await make_ready(address_of(migrated), 5.0)
    assert dump(copied) == dump(migrated)


@pytest.mark.parametrize(
    "commands",
    [
        ["delete from alembic_version"],
        ["alter table heartbeats add column more int"],
        ["create table more (number int)"],
        ["drop schema public cascade", "create schema public"],
    ],
)
async def test_a_server_is_as_new_for_the_next_test_whatever_was_done_to_it(
    server: str, postgresql: PostgreSQL, commands: list[str]
) -> None:
    async with opened(server) as store:
        assert (await once(store.write(), queries.tables.add, a_table())).id == 1
    await tell(server, *commands)
    await postgresql.empty()
    with psycopg.connect(server) as connection:
        assert connection.execute("select count(*) from tables").fetchone() == (0,)
        assert connection.execute("select count(*) from alembic_version").fetchone() == (1,)
        more = connection.execute("select count(*) from information_schema.columns where column_name = 'more'")
        assert more.fetchone() == (0,)
    async with opened(server) as store:
        assert (await once(store.write(), queries.tables.add, a_table())).id == 1, "numbers are given anew"
