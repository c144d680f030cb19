"""What a store does when another server has taken over, or cannot be relied on."""

import asyncio
import logging

import pytest

from storage.schema.errors import Unreachable
from storage.store import Store
from tests.databases import WANTED, WHY_NOT, tell
from tests.loopback.postgresql import Server
from tests.storage.reading_back import log_of, new_table, once, opened, play


async def test_memory_is_dropped_when_another_server_has_taken_over(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "storage.store")
    forgotten: list[int] = []
    store.on_failover(lambda: forgotten.append(1))
    for timeline in ("00000001", "00000001"):
        store._state.note_timeline(timeline)
    assert not forgotten
    store._state.note_timeline("00000002")
    assert forgotten == [1]
    assert ["standby has taken over" in message for message in caplog.messages] == [True]


async def test_a_server_tells_its_timeline(server: str) -> None:
    async with opened(server) as store:
        await new_table(store)
        assert store._state.timeline == "00000001"


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(not WANTED, reason=WHY_NOT)
async def test_a_change_that_no_standby_has_confirmed_does_not_count_as_written() -> None:
    """If somebody cancels the wait for a standby, the server only warns: a failover would lose what it has committed."""
    async with Server() as server:
        async with opened(server.url) as store:
            table_id = await new_table(store)
        await tell(server.url, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", "SELECT pg_reload_conf()")
        async with opened(server.url) as store:

            async def write() -> None:
                await once(store.write(), play, table_id, 1)

            writing = asyncio.create_task(write())
            while not writing.done():
                await tell(server.url, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
            with pytest.raises(Unreachable, match="No standby server has confirmed"):
                await writing
            await tell(server.url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
            assert await log_of(store, table_id) == [1], "which is as with any commit of which nothing is known"
