import asyncio
import random
from pathlib import Path

import pytest

from storage import queries
from storage.schema.records import Status
from storage.store import Store
from storage.upkeep.maintenance import check
from tests.forking import Tell
from tests.storage.killing import Killer, pace_of
from tests.storage.reading_back import opened
from tests.storage.samples import a_job, a_table, an_entry

pytestmark = pytest.mark.slow


def play_for_ever(acknowledge: Tell, path: Path) -> None:
    """Continue the one game of the database, acknowledging the number of each entry."""
    asyncio.run(_play_for_ever(acknowledge, path))


async def _play_for_ever(acknowledge: Tell, path: Path) -> None:
    store = await Store.open(path)
    async with store.write() as writer:
        tables = await queries.tables.find(writer)
        table = tables[0] if tables else await queries.tables.add(writer, a_table(seed=bytes(32), status=Status.PLAYING))
    number = table.version
    while True:
        number += 1
        async with store.write() as writer:
            await queries.entries.append(writer, an_entry(table.id, number, interaction_id=number))
            await queries.tables.change(writer, table.id, version=number)
            await queries.jobs.enqueue(writer, a_job(table.id, payload={"version": number}))
        acknowledge(number)


async def state_of(path: Path) -> tuple[int, list[int]]:
    """How many entries there are, numbered from 1 without a gap, and what is in the outbox."""
    async with opened(path) as store, store.read() as reader:
        versions = [table.version for table in await queries.tables.find(reader)]
        log = [entry.number for entry in await queries.entries.of_table(reader, 1)]
        jobs = [job.payload["version"] for job in await queries.jobs.due(reader, 2000.0)]
    assert versions in ([], [len(log)])
    assert log == list(range(1, len(log) + 1))
    assert list(check(path)) == []
    return len(log), jobs


async def test_a_killed_process_loses_nothing_that_it_acknowledged_and_does_nothing_twice(tmp_path: Path) -> None:
    path = tmp_path / "springboard.db"
    pace = pace_of(play_for_ever, tmp_path / "timed.db")
    killer = Killer(random=random.Random(1), most=6, longest=3 * pace.later)
    last = 0
    for _ in range(16):
        acknowledged = killer.kill(play_for_ever, path)
        assert acknowledged == list(range(last + 1, last + 1 + len(acknowledged)))
        known = last + len(acknowledged)
        last, jobs = await state_of(path)
        # The last one may have been written without the process having had the time to say so.
        assert last in (known, known + 1)
        assert jobs == [last] * bool(last)
    assert last >= 16


async def test_a_process_killed_while_it_makes_a_database_leaves_one_that_can_be_opened(tmp_path: Path) -> None:
    pace = pace_of(play_for_ever, tmp_path / "timed.db")
    killer = Killer(random=random.Random(2), most=0, longest=pace.first + pace.later)
    for count in range(12):
        path = tmp_path / f"{count}.db"
        acknowledged = killer.kill(play_for_ever, path)
        found, _ = await state_of(path)
        assert found in (len(acknowledged), len(acknowledged) + 1)
