"""A task cancelled while it works with the store leaves nothing half done, and nothing in the way."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from storage import queries
from storage.connections.connection_thread import ConnectionThread
from storage.store import Store
from storage.upkeep.maintenance import check
from tests.storage.interrupting import Interrupted, cancel_everything, cancel_itself, cancel_when_done, outcome_of, this_task
from tests.storage.reading_back import log_of, new_table, once, opened, play, stored_table
from tests.storage.samples import an_entry

HANGS_AFTER = 60.0
"""Seconds after which something that should come at once is taken never to come, far above the slowest machine's."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The garbage collector is trying to clean up")
@pytest.mark.parametrize("interrupt", [cancel_itself, cancel_when_done, cancel_everything])
async def test_a_write_cancelled_at_any_step_is_done_wholly_or_not_at_all(store: Store, interrupt: Callable[[], None]) -> None:
    this_task().set_name("test")
    table_id = await new_table(store)
    done = 0

    async def write() -> None:
        await once(store.write(), play, table_id, done + 1)

    for step in range(100):
        work = Interrupted(write(), step, interrupt)
        outcome = await outcome_of(work)
        async with store.read() as reader:
            log = [entry.number for entry in await queries.entries.of_table(reader, table_id)]
            assert log in (list(range(1, done + 1)), list(range(1, done + 2)))
            done = len(log)
            assert (await stored_table(reader, table_id)).version == done
            assert [job.payload for job in await queries.jobs.due(reader, 2000.0)] == [{"version": done}] * bool(done)
        # The next write works at once, and is not held up by what was left behind.
        async with asyncio.timeout(HANGS_AFTER), store.write() as writer:
            await play(writer, table_id, done + 1)
        done += 1
        if work.steps <= step:
            assert outcome is None
            break
        assert outcome is asyncio.CancelledError
    assert 4 <= step < 100
    if store.address.path:
        assert list(check(store.address.path)) == []


async def test_a_write_cancelled_while_it_is_being_committed_is_committed(store: Store) -> None:
    table_id = await new_table(store)

    async def write() -> None:
        async with store.write() as writer:
            await queries.entries.append(writer, an_entry(table_id, 1))
            asyncio.get_running_loop().call_soon(task.cancel)

    task = asyncio.create_task(write())
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await log_of(store, table_id) == [1]


async def test_a_writer_cancelled_while_it_waits_for_its_turn_writes_nothing(store: Store) -> None:
    table_id = await new_table(store)

    async def write() -> None:
        await once(store.write(), play, table_id, 1)

    async with store.write() as writer:
        waiting = asyncio.create_task(write())
        await asyncio.sleep(0)
        waiting.cancel()
        await play(writer, table_id, 1)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await log_of(store, table_id) == [1]


async def test_a_block_that_takes_too_long_is_undone(store: Store) -> None:
    table_id = await new_table(store)

    async def dawdle() -> None:
        async with asyncio.timeout(None) as timeout, store.write() as writer:
            await play(writer, table_id, 1)
            timeout.reschedule(asyncio.get_running_loop().time())
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await dawdle()
    assert await log_of(store, table_id) == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The garbage collector is trying to clean up")
@pytest.mark.parametrize("interrupt", [cancel_itself, cancel_everything])
async def test_a_reader_cancelled_at_any_step_leaves_room_for_the_next(address: str, interrupt: Callable[[], None]) -> None:
    this_task().set_name("test")
    async with opened(address, readers=1) as store:
        table_id = await new_table(store)

        async def read() -> None:
            await once(store.read(), queries.tables.get, table_id)

        for step in range(100):
            work = Interrupted(read(), step, interrupt)
            await outcome_of(work)
            async with asyncio.timeout(HANGS_AFTER):
                assert await log_of(store, table_id) == []
            if work.steps <= step:
                break
        assert 1 <= step < 100


def test_a_connection_that_is_made_only_when_the_event_loop_is_closed_is_closed_without_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connecting, stopped = threading.Event(), threading.Event()
    errors: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", errors.append)

    def connect() -> sqlite3.Connection:
        connecting.set()
        assert stopped.wait(HANGS_AFTER)
        return sqlite3.connect(":memory:", check_same_thread=False)

    thread = ConnectionThread(sa.create_engine("sqlite://", creator=connect, poolclass=sa.NullPool))

    async def begin() -> None:
        asking = asyncio.ensure_future(thread.ask(lambda connection: connection.scalar(sa.text("SELECT 1"))))
        await asyncio.to_thread(connecting.wait, HANGS_AFTER)
        asking.cancel()
        thread.send(lambda connection: connection.close())
        thread._end()

    asyncio.run(begin())
    stopped.set()
    thread._thread.join(HANGS_AFTER)
    assert not thread._thread.is_alive()
    assert thread._alchemy is not None
    assert thread._alchemy.closed
    assert errors == []
