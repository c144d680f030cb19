"""Ready databases: copies of an empty one with the current schema, instead of a run of all migrations.

For SQLite, `ready_files` is on in all tests except those with the fixture `from_scratch`. For PostgreSQL see `PostgreSQL`.
"""

import asyncio
import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import psycopg
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url

import storage.store
from storage.connections.addresses import Address, address_of
from storage.connections.connect import make_ready
from storage.store import Store

SERVER = "SPRINGBOARD_TEST_POSTGRESQL"
# In the continuous integration the server must be there: the tests then fail without it instead of being left out.
WANTED = SERVER in os.environ or os.environ.get("CI") == "true"
QUICK_FOLDER_BYTES = 1 << 30
WHY_NOT = f"{SERVER} names no PostgreSQL server (.ci/postgresql starts one): the store is tested on SQLite only"


def quick_folder() -> str | None:
    """A folder of this machine in memory, or None if it has none that is large enough."""
    shared = Path("/dev/shm")
    there = os.access(shared, os.W_OK) and shutil.disk_usage(shared).free >= QUICK_FOLDER_BYTES
    return str(shared) if there else None


@cache
def an_empty_file() -> bytes:
    """The file of an empty SQLite database with the current schema."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite3"

        async def made() -> None:
            await make_ready(address_of(path), 5.0)

        asyncio.run(made())
        return path.read_bytes()


async def copy_or_make_ready(address: Address, busy_timeout: float) -> None:
    """Fill a new file with a copy, then call `make_ready`, which finds nothing to migrate."""
    if address.path is not None and address.path.stat().st_size == 0:
        with contextlib.suppress(OSError):  # `make_ready` says what is wrong with the file
            address.path.write_bytes(an_empty_file())
    await make_ready(address, busy_timeout)


@contextlib.contextmanager
def ready_files() -> Iterator[None]:
    """New SQLite databases are copies in this block, wherever this process opens a store."""
    an_empty_file()
    with mock.patch.object(storage.store, "make_ready", copy_or_make_ready):
        yield


class _Compiled(dict[Any, Any]):
    """What any engine of a dialect has compiled. SQLAlchemy asks with the engine's own dialect."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(_by_name(*key), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(_by_name(*key), compiled)


def _by_name(dialect: Any, *statement: Any) -> tuple[Any, ...]:
    return (dialect.name, *statement)


@contextlib.contextmanager
def compiled_once() -> Iterator[None]:
    """Compile statements once in this block: tests open thousands of stores, and each engine compiles anew."""
    compiled = _Compiled()

    def share(connection: Connection) -> None:
        connection.execution_options(compiled_cache=compiled)

    event.listen(Engine, "engine_connect", share)
    try:
        yield
    finally:
        event.remove(Engine, "engine_connect", share)


async def tell(url: str, *commands: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        for command in commands:
            await connection.execute(command)


_LAYOUT = """
    select md5(string_agg(line, ';' order by line)) from (
        select table_name || column_name || data_type || is_nullable || coalesce(column_default, '') as line
            from information_schema.columns where table_schema = 'public'
        union all select indexdef from pg_indexes where schemaname = 'public'
        union all select conrelid::regclass || pg_get_constraintdef(oid) from pg_constraint
            where connamespace = 'public'::regnamespace
        union all select tgrelid::regclass || tgname from pg_trigger
        union all select tablename || rulename from pg_rules where schemaname = 'public'
        union all select proname from pg_proc where pronamespace = 'public'::regnamespace
        union all select nspname from pg_namespace where nspname not like 'pg_temp%' and nspname not like 'pg_toast_temp%'
    ) as lines
"""
_EMPTIED = """
    set session_replication_role = replica;
    do $$ declare name text; begin
        for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'alembic_version' loop
            execute format('delete from %I', name);
        end loop;
        for name in select sequencename from pg_sequences where schemaname = 'public' loop
            execute format('alter sequence %I restart', name);
        end loop;
    end $$
"""


async def _state(connection: psycopg.AsyncConnection[Any]) -> tuple[str, str | None]:
    """What a test must not change for the next: the layout of all tables, and their version."""

    async def value(statement: str) -> Any:
        row = await (await connection.execute(statement)).fetchone()
        assert row is not None
        return row[0]

    known = await value("select to_regclass('public.alembic_version') is not null")
    return await value(_LAYOUT), await value("select string_agg(version_num, ' ') from alembic_version") if known else None


class PostgreSQL:
    """The PostgreSQL server, with a database for this process's tests at `url`."""

    def __init__(self, server: str) -> None:
        """Make a ready database, and another that stays as it is."""
        name = f"springboard_{uuid.uuid4().hex}"
        self._server, self._name, self._template = server, name, f"{name}_template"
        self.url = self._address(name)
        asyncio.run(self._set_up())

    def _address(self, name: str) -> str:
        return make_url(self._server).set(database=name).render_as_string(hide_password=False)

    async def _set_up(self) -> None:
        await tell(self._server, f'create database "{self._template}"')
        await (await Store.open(self._address(self._template))).close()
        await self._copy()
        async with await psycopg.AsyncConnection.connect(self.url, autocommit=True) as connection:
            self._as_new = await _state(connection)

    async def _copy(self) -> None:
        await tell(
            self._server,
            f'drop database if exists "{self._name}" with (force)',
            f'create database "{self._name}" template "{self._template}"',
        )

    async def empty(self) -> None:
        """Close its connections and delete its rows, which is quickest, or copy it anew if its tables were changed."""
        async with await psycopg.AsyncConnection.connect(self.url, autocommit=True) as connection:
            await connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where pid != pg_backend_pid() and datname = current_database()"
            )
            unchanged = await _state(connection) == self._as_new
            if unchanged:
                await connection.execute(_EMPTIED)
        if not unchanged:
            await self._copy()

    async def clear(self) -> None:
        await self.empty()
        await tell(self.url, "drop schema public cascade", "create schema public")

    def close(self) -> None:
        for name in (self._name, self._template):
            asyncio.run(tell(self._server, f'drop database if exists "{name}" with (force)'))
