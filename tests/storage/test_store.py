import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from storage import queries
from storage.schema.records import Heartbeat
from storage.schema.tables import tables
from storage.store import Conflict, Repeated, StorageError, Store, Unreachable, Writer
from tests.storage.reading_back import log_of, new_table, once, opened, play, stored_table
from tests.storage.samples import a_job, a_table, an_entry

HANGS_AFTER = 60.0
"""Seconds after which something that should come at once is taken never to come, far above the slowest machine's."""

MakeStore = Callable[[], Awaitable[Store]]


async def test_changes_are_seen_by_all_after_the_end_and_by_nobody_before(store: Store) -> None:
    async with store.write() as writer:
        table_id = (await queries.tables.add(writer, a_table())).id
        assert await queries.tables.get(writer, table_id) is not None
        assert await once(store.read(), queries.tables.get, table_id) is None
    assert await once(store.read(), queries.tables.get, table_id) is not None


async def test_a_snapshot_stays_as_it_was_while_others_write(store: Store) -> None:
    table_id = await new_table(store)
    async with store.read() as before:
        assert len(await queries.tables.find(before)) == 1
        async with store.write() as writer:
            await play(writer, table_id, 1)
            await queries.tables.add(writer, a_table())
        assert len(await queries.tables.find(before)) == 1
        assert await queries.entries.of_table(before, table_id) == ()
        async with store.read() as after:
            assert len(await queries.tables.find(after)) == 2
            assert len(await queries.entries.of_table(after, table_id)) == 1


async def test_a_reader_cannot_write(store: Store) -> None:
    table_id = await new_table(store)
    with pytest.raises((DBAPIError, Unreachable), match=r"read.?only"):  # a server may say that of itself, too
        async with store.read() as reader:
            await queries.tables.change(Writer(reader._connection), table_id, version=7)
    assert (await once(store.read(), stored_table, table_id)).version == 0


async def test_an_exception_undoes_the_whole_transaction(store: Store) -> None:
    table_id = await new_table(store)

    async def fail() -> None:
        async with store.write() as writer:
            await play(writer, table_id, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with store.read() as reader:
        assert await queries.entries.of_table(reader, table_id) == ()
        assert (await stored_table(reader, table_id)).version == 0
        assert await queries.jobs.next_due(reader) is None


async def test_a_refused_row_undoes_the_whole_transaction_and_the_next_one_works(store: Store) -> None:
    table_id = await new_table(store)

    async def refuse() -> None:
        async with store.write() as writer:
            await play(writer, table_id, 1)
            await queries.jobs.enqueue(writer, a_job(table_id + 1000))

    with pytest.raises(IntegrityError):
        await refuse()
    assert await log_of(store, table_id) == []
    await once(store.write(), play, table_id, 1)
    assert await log_of(store, table_id) == [1]


async def test_writers_take_turns(store: Store) -> None:
    table_id = await new_table(store)

    async def play_next() -> None:
        async with store.write() as writer:
            number = (await stored_table(writer, table_id)).version + 1
            await asyncio.sleep(0)
            await play(writer, table_id, number)

    await asyncio.gather(*(play_next() for _ in range(20)))
    assert await log_of(store, table_id) == list(range(1, 21))


async def test_of_two_writers_for_the_same_number_one_is_told_that_the_board_has_moved_on(store: Store) -> None:
    table_id = await new_table(store)

    async def click(interaction_id: int) -> None:
        await once(store.write(), play, table_id, 1, interaction_id=interaction_id)

    results = await asyncio.gather(click(1), click(2), return_exceptions=True)
    assert [type(result) for result in results if result is not None] == [Conflict]
    assert await log_of(store, table_id) == [1]


async def test_a_click_delivered_twice_at_once_plays_once(store: Store) -> None:
    table_id = await new_table(store)

    async def click() -> None:
        async with store.write() as writer:
            await play(writer, table_id, (await stored_table(writer, table_id)).version + 1, interaction_id=5)

    first, second = await asyncio.gather(click(), click(), return_exceptions=True)
    assert first is None
    assert isinstance(second, Repeated)
    assert second.entry == an_entry(table_id, 1, interaction_id=5)
    assert await log_of(store, table_id) == [1]


async def test_of_two_processes_for_the_same_number_one_is_told_that_the_board_has_moved_on(another_process: MakeStore) -> None:
    one, two = await another_process(), await another_process()
    table_id = await new_table(one)

    async def click(store: Store, interaction_id: int) -> None:
        async with store.write() as writer:
            await queries.entries.append(writer, an_entry(table_id, 1, interaction_id=interaction_id))
            await asyncio.sleep(0.05)

    results = await asyncio.gather(click(one, 1), click(two, 2), return_exceptions=True)
    assert [type(result) for result in results if result is not None] == [Conflict]
    assert await log_of(one, table_id) == [1]


async def test_a_click_delivered_to_two_processes_plays_once(another_process: MakeStore) -> None:
    one, two = await another_process(), await another_process()
    table_id = await new_table(one)

    async def click(store: Store) -> None:
        async with store.write() as writer:
            await queries.entries.append(writer, an_entry(table_id, 1, interaction_id=5))
            await asyncio.sleep(0.05)

    results = await asyncio.gather(click(one), click(two), return_exceptions=True)
    assert [type(result) for result in results if result is not None] == [Repeated]
    assert await log_of(one, table_id) == [1]


async def test_processes_that_write_to_the_same_table_take_turns(another_process: MakeStore) -> None:
    stores = [await another_process() for _ in range(3)]
    table_id = await new_table(stores[0])

    async def play_next(store: Store) -> None:
        async with store.write() as writer:
            number = (await stored_table(writer, table_id)).version + 1
            await asyncio.sleep(0.01)
            await play(writer, table_id, number)

    await asyncio.gather(*(play_next(store) for store in stores * 4))
    assert await log_of(stores[0], table_id) == list(range(1, 13))


async def test_processes_that_start_at_the_same_time_make_the_tables_once(another_process: MakeStore) -> None:
    stores = await asyncio.gather(*(another_process() for _ in range(3)))
    assert len({await new_table(store) for store in stores}) == 3


async def test_a_task_that_would_wait_for_its_own_writing_is_told_so(store: Store) -> None:
    with pytest.raises(RuntimeError, match="already writing"):
        async with store.write(), store.write():
            pass
    await new_table(store)


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StorageError, match="closed"):
        async with store.write():
            pass
    with pytest.raises(StorageError, match="closed"):
        async with store.read():
            pass


async def test_closing_waits_for_the_transaction_that_is_being_written(address: str) -> None:
    store = await Store.open(address)
    table_id = await new_table(store)
    begun, closing_begun = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async with store.write() as writer:
            begun.set()
            await closing_begun.wait()
            await play(writer, table_id, 1)

    writing = asyncio.create_task(slow())
    await begun.wait()
    closing = asyncio.create_task(store.close())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not closing.done()
    closing_begun.set()
    await writing
    await closing
    async with opened(address) as again:
        assert await log_of(again, table_id) == [1]


async def test_a_full_disk_undoes_the_transaction_and_is_reported(tmp_path: Path) -> None:
    async with opened(tmp_path / "springboard.db") as store:
        table_id = await new_table(store)
        async with store.write() as writer:
            pages = (await writer.execute(sa.text("PRAGMA page_count"))).scalar()
            await writer.execute(sa.text(f"PRAGMA max_page_count={pages}"))

        async def write_much() -> None:
            async with store.write() as writer:
                for number in range(1, 1000):
                    await queries.entries.append(writer, an_entry(table_id, number))

        with pytest.raises(Unreachable, match="disk is full"):
            await write_much()
        assert await log_of(store, table_id) == []
        async with store.write() as writer:
            await writer.execute(sa.text("PRAGMA max_page_count=1000000"))
            await play(writer, table_id, 1)
        assert await log_of(store, table_id) == [1]


async def test_a_commit_that_fails_undoes_the_transaction(tmp_path: Path) -> None:
    async with opened(tmp_path / "springboard.db") as store:
        table_id = await new_table(store)

        async def refer_to_nothing() -> None:
            async with store.write() as writer:
                # SQLite then looks at references only when it commits, and keeps the transaction open if one is wrong.
                await writer.execute(sa.text("PRAGMA defer_foreign_keys=ON"))
                await play(writer, table_id, 1)
                await queries.jobs.enqueue(writer, a_job(table_id + 1000))

        with pytest.raises(IntegrityError):
            await refer_to_nothing()
        assert await log_of(store, table_id) == []
        await once(store.write(), play, table_id, 1)
        assert await log_of(store, table_id) == [1]


async def test_a_connection_that_the_server_has_dropped_is_replaced(another_process: MakeStore) -> None:
    store = await another_process()
    table_id = await new_table(store)
    async with (await another_process()).write() as writer:
        others = "FROM pg_stat_activity WHERE pid != pg_backend_pid() AND datname = current_database()"
        await writer.execute(sa.text(f"SELECT pg_terminate_backend(pid) {others}"))
    await once(store.write(), play, table_id, 1)
    assert await log_of(store, table_id) == [1]


async def test_many_readers_are_served_one_after_another(store: Store) -> None:
    table_id = await new_table(store)

    async def read() -> int:
        async with store.read() as reader:
            return len((await reader.execute(sa.select(tables).where(tables.c.id == table_id))).all())

    assert await asyncio.gather(*(read() for _ in range(50))) == [1] * 50


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
