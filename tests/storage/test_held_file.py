"""A SQLite file that another program holds for a while: nothing is written meanwhile, and then whole transactions again."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from storage import queries
from storage.schema.errors import Unreachable
from storage.schema.records import Heartbeat
from storage.store import Store
from tests.storage.reading_back import once, opened


async def test_a_transaction_that_could_not_begin_leaves_the_next_ones_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    async with opened(path, busy_timeout=0.05) as store:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for _ in range(2):
                with pytest.raises(Unreachable, match="database is locked"):
                    await once(store.write(), queries.heartbeats.find)
        with pytest.raises(RuntimeError, match="in the middle"):
            await half_done(store)
        assert await once(store.read(), queries.heartbeats.find) == ()
        await once(store.write(), queries.heartbeats.put, Heartbeat(name="main", at=1.0))
        assert [beat.at for beat in await once(store.read(), queries.heartbeats.find)] == [1.0]


async def half_done(store: Store) -> None:
    """A transaction that writes something, and fails before it is committed."""
    async with store.write() as writer:
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=1.0))
        await queries.heartbeats.find(writer)  # what was to be written has been
        raise RuntimeError("in the middle")
