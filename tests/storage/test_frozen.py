"""A process that freezes in the middle of its work: others take over its shard, and it writes nothing when it continues."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import psycopg
import pytest

from storage import queries
from storage.cluster.leases import Leases
from storage.connections import server as limits
from storage.schema.errors import LeaseLost, Unreachable
from storage.transactions import ShardFilter
from tests.forking import IMPORTED
from tests.storage.reading_back import log_of, new_table, once, opened, play

SHARD = "shard 0 of 1"
LEASE = 10.0
TAKEN_OVER_WITHIN = 30.0

HANGS_AFTER = 120.0
"""Seconds after which something is taken to hang, far above the slowest machine's."""


def test_the_promise_of_thirty_seconds() -> None:
    statement = float(limits._LIMITS["statement_timeout"])
    idle = float(limits._IN_CLUSTER["idle_in_transaction_session_timeout"])
    of_a_claim = float(limits._FOR_LEASES["statement_timeout"]) + float(
        limits._FOR_LEASES["idle_in_transaction_session_timeout"]
    )
    assert max(LEASE, (statement + idle) / 1000) + of_a_claim / 1000 < TAKEN_OVER_WITHIN
    assert limits.PROMPT * 3 < LEASE, "a lease that was not renewed at first is renewed before it expires"


def _be_frozen(pipe: Connection, url: str, table_id: int) -> None:
    """Begin to write, wait until told, and report what came of it and of the next try."""
    # A frozen process is cut off sooner here, or the test would take as long as that.
    limits._IN_CLUSTER["idle_in_transaction_session_timeout"] = "500"

    async def work() -> None:
        async with opened(url, alone=False) as store:
            lease = await Leases(store).claim(SHARD, "frozen", 0.0)
            assert lease is not None
            part = store.part(ShardFilter(0, 1), SHARD, lease.fence)
            for number in (1, 2):
                try:
                    async with part.write() as writer:
                        await play(writer, table_id, number)
                        await queries.tables.get(writer, table_id)
                        if number == 1:
                            pipe.send("writing")
                            pipe.recv()
                    pipe.send("written")
                except Unreachable as error:
                    pipe.send(type(error))

    asyncio.run(work())


@pytest.fixture
def pipes() -> Iterator[tuple[Connection, Connection]]:
    ours, theirs = multiprocessing.get_context("forkserver").Pipe()
    yield ours, theirs
    ours.close()
    theirs.close()


def _started(pipes: tuple[Connection, Connection], url: str, table_id: int) -> BaseProcess:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    process = context.Process(target=_be_frozen, args=(pipes[1], url, table_id))
    process.start()
    return process


async def test_a_process_frozen_in_a_transaction_is_replaced_and_writes_nothing_afterwards(
    server: str, pipes: tuple[Connection, Connection]
) -> None:
    async with opened(server, alone=False) as store:
        leases = Leases(store)
        await leases.add(SHARD)
        table_id = await new_table(store)
        process = _started(pipes, server, table_id)
        try:
            async with asyncio.timeout(HANGS_AFTER):
                assert await asyncio.to_thread(pipes[0].recv) == "writing"
                assert process.pid is not None
                os.kill(process.pid, signal.SIGSTOP)
                # Its lease has expired, but nobody can have it in the middle of a transaction, which the server soon ends.
                while (lease := await leases.claim(SHARD, "next", 3600.0)) is None:
                    await asyncio.sleep(0.05)
                assert lease.fence == 2
                part = store.part(ShardFilter(0, 1), SHARD, lease.fence)
                await once(part.write(), play, table_id, 1)
                os.kill(process.pid, signal.SIGCONT)
                pipes[0].send("go on")
                told = [await asyncio.to_thread(pipes[0].recv) for _ in range(2)]
        finally:
            if process.is_alive():
                assert process.pid is not None
                os.kill(process.pid, signal.SIGCONT)
            process.join(HANGS_AFTER)
        cut_off, late = told
        assert issubclass(cut_off, Unreachable)
        assert late is LeaseLost
        assert await log_of(store, table_id) == [1]


async def test_a_process_frozen_between_two_parts_of_a_statement_is_replaced(
    server: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The server doesn't call that idle: it waits for the rest, for which it has no limit of its own."""
    monkeypatch.setattr("storage.cluster.leases.FROZEN_AFTER", 0.5)
    caplog.set_level("INFO", "storage.cluster.leases")
    async with opened(server, alone=False) as store:
        leases = Leases(store)
        await leases.add(SHARD)
        assert await leases.claim(SHARD, "frozen", 0.0) is not None
        frozen = psycopg.connect(server, application_name="springboard", options="-c idle_in_transaction_session_timeout=100")
        frozen.execute("SELECT FROM leases WHERE name = %s FOR KEY SHARE", [SHARD])
        frozen.pgconn.enter_pipeline_mode()
        frozen.pgconn.send_prepare(b"", b"SELECT 1")  # without saying that this was all
        frozen.pgconn.flush()
        async with asyncio.timeout(HANGS_AFTER):
            while (lease := await leases.claim(SHARD, "next", 3600.0)) is None:
                await asyncio.sleep(0.05)
        assert lease.fence == 2
        # Perhaps twice: a connection needs a moment to end.
        assert set(caplog.messages) == {f"connections were ended that kept the lease of {SHARD}: 1"}
        assert is_ended(frozen)


def is_ended(connection: psycopg.Connection) -> bool:
    """Whether the server has ended a connection."""
    with connection, suppress(psycopg.OperationalError):
        for _ in range(2):  # first there is its last word
            connection.pgconn.consume_input()
        return False
    return True


async def test_a_slow_transaction_goes_on_as_long_as_its_lease_has_not_expired(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.cluster.leases.FROZEN_AFTER", 0.0)
    async with opened(server, alone=False) as store:
        leases = Leases(store)
        await leases.add(SHARD, "another")
        lease = await leases.claim(SHARD, "slow", 3600.0)
        assert lease is not None
        async with store.part(ShardFilter(0, 1), SHARD, lease.fence).write() as writer:
            await queries.tables.ids(writer)
            assert await leases.claim(SHARD, "next", 3600.0) is None
            await queries.tables.ids(writer)
