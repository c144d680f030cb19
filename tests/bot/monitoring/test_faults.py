"""Monitors see within thirty seconds, in words, what happens to the database, and when it is over."""

import asyncio
import contextlib
import math
import sqlite3
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
import sqlalchemy as sa
from prometheus_client.parser import text_string_to_metric_families as plain

from bot.core.core import Core
from bot.monitoring.endpoints import serve_site
from bot.monitoring.health import Health
from bot.monitoring.monitor import EVERY, Monitor
from bot.parts import PARTS
from bot.runtime.metrics import REGISTRY
from storage.schema.errors import Unreachable
from storage.store import Store
from tests.bot.service import BOUNCERS, Time, started
from tests.databases import WANTED, WHY_NOT
from tests.loopback.postgresql import Server

HERE = ("127.0.0.1", 0)
SEEN_WITHIN = 30.0
NO_GATEWAY = "gateway: There is no connection to Discord.\n"
"""These tests have no gateway, which is reported besides everything else."""


def test_it_is_looked_often_enough() -> None:
    """What one look misses because the database was busy, the next one sees."""
    assert 3 * EVERY <= SEEN_WITHIN


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A database that does not wait long for other programs."""
    opened = await Store.open(tmp_path / "games.sqlite3", busy_timeout=0.05)
    yield opened
    with contextlib.suppress(Unreachable):
        await opened.close()


@pytest.fixture
def monitor(store: Store) -> Monitor:
    return Monitor(store, lambda: 1000.0, health=Health(fresh_for=0))


async def asked(monitor: Monitor) -> tuple[int, str, dict[str, float]]:
    """The site's answer after a look: status and words of `/health/ready`, and the values of unlabelled `/metrics`."""
    await monitor.look()
    async with serve_site(HERE, monitor.health) as port, aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        async with session.get("/health/live") as alive:
            assert alive.status == 200, "that something is missing is no reason to start the bot again"
        async with session.get("/health/ready") as ready:
            status, words = ready.status, await ready.text()
        async with session.get("/metrics") as found:
            families = plain(await found.text())
            return status, words, {one.name: one.value for family in families for one in family.samples if not one.labels}


async def assert_all_well(monitor: Monitor) -> None:
    status, words, values = await asked(monitor)
    assert (status, words, values["springboard_database_up"]) == (503, NO_GATEWAY, 1)


async def assert_told(monitor: Monitor, reason: str) -> None:
    status, words, values = await asked(monitor)
    assert (status, words, values["springboard_database_up"]) == (503, f"{NO_GATEWAY}database: {reason}\n", 0)


@contextlib.contextmanager
def held(database: Path) -> Iterator[None]:
    """Another program locks the file in this block."""
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


async def test_a_file_that_another_program_holds(store: Store, monitor: Monitor) -> None:
    await assert_all_well(monitor)
    assert store.address.path is not None
    with held(store.address.path):
        await assert_told(monitor, "The database cannot be used just now: database is locked.")
    await assert_all_well(monitor)


async def test_a_file_that_was_removed(store: Store, monitor: Monitor) -> None:
    """SQLite keeps writing to it, and the next start would lose all of that."""
    await assert_all_well(monitor)
    assert store.address.path is not None
    store.address.path.unlink()
    await assert_told(monitor, "The file of the database is gone.")
    store.address.path.touch()  # another one by its name is not the one that is written to
    await assert_told(monitor, "The file of the database is gone.")


async def test_a_folder_that_was_removed_is_no_reason_to_look_no_more(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    store = await Store.open(folder / "games.sqlite3")
    monitor = Monitor(store, lambda: 1000.0, health=Health(fresh_for=0))
    away = folder.rename(tmp_path / "away")
    await assert_told(monitor, "The file of the database is gone.")
    free = REGISTRY.get_sample_value("springboard_disk_free_bytes")
    assert free is not None
    assert math.isnan(free)
    away.rename(folder)
    await store.close()


async def pages(store: Store, most: int) -> None:
    """Let the file grow to so many pages and no further."""
    async with store.write() as writer:
        await writer.run(lambda connection: connection.execute(sa.text(f"PRAGMA max_page_count = {most}")).fetchall())


async def test_a_full_disk_is_told_by_what_could_not_be_written(store: Store, monitor: Monitor, clock: Time) -> None:
    core = Core(store, parts=PARTS, now=clock)
    await pages(store, 1)  # which means: no more than there are

    async def until_it_is_full() -> None:
        for _ in range(1000):
            await started(core, replace(BOUNCERS, most_tables=1_000_000))
            clock.pass_(600)

    with pytest.raises(Unreachable):
        await until_it_is_full()
    await assert_told(monitor, "The database cannot be used just now: database or disk is full.")
    await pages(store, 1_000_000)
    await assert_all_well(monitor)


async def test_a_disk_that_is_about_to_be_full_is_told_before_anything_is_lost(store: Store) -> None:
    monitor = Monitor(store, lambda: 1000.0, health=Health(fresh_for=0), fewest_bytes=1 << 62)
    _, words, values = await asked(monitor)
    assert words.startswith(f"{NO_GATEWAY}disk: The disk of the database is full: ")
    assert 0 < values["springboard_disk_free_bytes"] < 1 << 62


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(not WANTED, reason=WHY_NOT)
async def test_a_server_that_is_stopped() -> None:
    async with Server() as server:
        store = await Store.open(server.url, alone=False)
        monitor = Monitor(store, lambda: 1000.0, health=Health(fresh_for=0))
        await assert_all_well(monitor)
        await server.pause("immediate")
        async with asyncio.timeout(SEEN_WITHIN):
            status, words, values = await asked(monitor)
        assert status == 503
        assert "database: The database cannot be used just now: " in words
        assert values["springboard_database_up"] == 0
        assert math.isnan(values["springboard_disk_free_bytes"])
        await server.resume()
        await assert_all_well(monitor)
        await store.close()
