"""Jobs that belong to a server and not to a table are found, put off, counted, moved, checked and forgotten as well."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from storage import queries
from storage.cluster.leases import Leases
from storage.queries.overview import overview
from storage.schema.records import Job, JobKind, Status
from storage.schema.tables import outbox
from storage.store import Store
from storage.transactions import ShardFilter
from storage.upkeep.consistency import findings
from storage.upkeep.exporting import Unread, numbers_of, personal
from storage.upkeep.moving import move
from tests.storage.reading_back import once, opened
from tests.storage.samples import ANNA, BERT, GUILD, OTHER_GUILD, a_job, a_table

PAYLOAD = {"seat": 3}
LETTER = {"to": ANNA, "news": "paused", "user": ANNA, "error": ""}


def of_server(guild_id: int = GUILD, place: str = "channel 600", **fields: Any) -> Job:
    usual: dict[str, Any] = {"kind": JobKind.HURRIED, "payload": PAYLOAD, "due": 1000.0, "created_at": 900.0}
    return Job(guild_id=guild_id, place=place, **(usual | fields))


async def jobs(store: Store) -> tuple[Job, ...]:
    return await once(store.read(), queries.jobs.unfinished)


async def faults(store: Store) -> list[str]:
    async with store.read() as reader:
        return await reader.run(lambda connection: list(findings(connection)))


async def test_a_servers_job_has_it_as_its_subject_and_replaces_the_previous_one(store: Store) -> None:
    async with store.write() as writer:
        first = await queries.jobs.enqueue(writer, of_server())
        await queries.jobs.enqueue_later(writer, of_server(OTHER_GUILD))
        await queries.jobs.enqueue_later(writer, of_server(key="another"))
        second = await queries.jobs.enqueue(writer, of_server(payload={"seat": 4}, place="channel 601", created_at=950.0))
        assert await queries.jobs.get(writer, first.id) is None
        assert await queries.jobs.get(writer, second.id) == second
    assert (second.subject, second.table_id, second.created_at) == (f"server {GUILD}", None, 900.0)
    assert [(job.subject, job.key, job.place, job.payload) for job in await jobs(store)] == [
        (f"server {OTHER_GUILD}", "", "channel 600", PAYLOAD),
        (f"server {GUILD}", "another", "channel 600", PAYLOAD),
        (f"server {GUILD}", "", "channel 601", {"seat": 4}),
    ]


async def test_a_job_of_a_table_is_of_its_server_and_follows_it_about(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(guild_id=GUILD, channel_id=600))
        job = await queries.jobs.enqueue(writer, a_job(table.id))
        assert (job.guild_id, job.subject, job.place, job.table_number) == (GUILD, f"table {table.id}", None, table.id)
        await queries.jobs.enqueue(writer, of_server())
        places = [place for place, _ in await queries.jobs.waiting(writer, 1000.0, each=9, limit=9)]
        assert places == ["channel 600", "channel 600"], "one queue for all that is posted in a channel"
        await queries.tables.amend(writer, table, thread_id=700)
        places = [place for place, _ in await queries.jobs.waiting(writer, 1000.0, each=9, limit=9)]
        assert places == ["channel 700", "channel 600"]


@pytest.mark.parametrize("job", [of_server(0), replace(of_server(), place=None)])
async def test_a_job_that_belongs_nowhere_is_refused(store: Store, job: Job) -> None:
    with pytest.raises(ValueError, match="needs a server and a place"):
        await once(store.write(), queries.jobs.enqueue, job)
    with pytest.raises(LookupError, match="not about a table"):
        _ = job.table_number


async def test_each_place_is_a_queue(store: Store) -> None:
    async with store.write() as writer:
        for place in ("channel 600", "person 3", "channel 601"):
            await queries.jobs.enqueue(writer, of_server(place=place, key=place))
            await queries.jobs.enqueue(writer, of_server(OTHER_GUILD, place=place, key=place))
        found = await queries.jobs.waiting(writer, 1000.0, busy=["person 3"], each=1, limit=9)
        assert [(place, job.guild_id) for place, job in found] == [("channel 600", GUILD), ("channel 601", GUILD)]
        assert await queries.jobs.next_due(writer) == 1000.0
        assert await queries.jobs.next_due(writer, 1000.0) is None


async def test_a_shard_finds_its_own(store: Store) -> None:
    of = 3
    guilds = tuple((number << 22) + 12345 for number in (101, 102, 103))
    async with store.write() as writer:
        for guild_id in guilds:
            dead = await queries.jobs.enqueue(writer, of_server(guild_id, key="dead"))
            await queries.jobs.enqueue(writer, of_server(guild_id))
            await queries.quarantine.bury_job(writer, dead.id)
    await Leases(store).add("shards")
    await Leases(store).claim("shards", "somebody", 60.0)
    for guild_id in guilds:
        part = store.part(ShardFilter((guild_id >> 22) % of, of), "shards", 1)
        async with part.write() as writer:
            assert {job.guild_id for job in await queries.jobs.unfinished(writer)} == {guild_id}
            assert [job.guild_id for job in await queries.jobs.due(writer, 1000.0)] == [guild_id]
            assert [job.guild_id for _, job in await queries.jobs.waiting(writer, 1000.0, each=9, limit=9)] == [guild_id]
            assert len(await queries.quarantine.dead_jobs(writer)) == 1
            await queries.clocks.move_jobs(writer, float(guild_id % 1000 + 1))
    due = {job.guild_id: job.due for job in await jobs(store) if not job.key}
    assert due == {guild_id: 1000.0 + guild_id % 1000 + 1 for guild_id in guilds}


async def test_such_a_job_is_put_off_and_retried_and_rests_where_the_bot_is_not(store: Store) -> None:
    async with store.write() as writer:
        job, other = await queries.jobs.enqueue(writer, of_server()), await queries.jobs.enqueue(writer, of_server(OTHER_GUILD))
        for one in (job, other):
            await queries.jobs.postpone(writer, one.id, 5000.0)
        assert await queries.jobs.retry(writer, GUILD, 2000.0) == 1
        assert [(one.id, one.tries) for one in await queries.jobs.due(writer, 3000.0)] == [(job.id, 0)]
        counted = await writer.run(lambda connection: overview(connection, 2500.0))
        assert (counted.jobs, counted.put_off, counted.oldest_due) == (2, 1, 500.0)
        await queries.servers.put_left(writer, GUILD, 50.0)
        assert await queries.jobs.due(writer, 9000.0) == (replace(other, due=5000.0, tries=1),)
        assert await queries.jobs.next_due(writer) == 5000.0
        counted = await writer.run(lambda connection: overview(connection, 2500.0))
        assert (counted.jobs, counted.put_off) == (1, 1)


async def test_such_a_job_neither_waits_for_a_table_in_quarantine_nor_ends_with_it(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(guild_id=GUILD, status=Status.PLAYING))
        await queries.jobs.enqueue(writer, a_job(table.id))
        notice = await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.SET_ASIDE))
        await queries.quarantine.put(writer, table.id, "a bad row")
        job = await queries.jobs.enqueue(writer, of_server())
        assert await queries.jobs.due(writer, 1000.0) == (notice, job)
        assert (await writer.run(lambda connection: overview(connection, 1000.0))).jobs == 1
        await queries.quarantine.close(writer, table.id, 1000.0, status=Status.CLOSED)
    assert await jobs(store) == (job,)


async def test_such_a_job_goes_with_its_server_and_with_the_person_it_is_for(store: Store) -> None:
    async with store.write() as writer:
        await queries.jobs.enqueue(writer, of_server())
        await queries.jobs.enqueue(writer, of_server(OTHER_GUILD))
        await queries.jobs.enqueue(writer, of_server(OTHER_GUILD, kind=JobKind.LETTER, payload=LETTER))
        await queries.jobs.enqueue(writer, of_server(OTHER_GUILD, place=f"person {ANNA}", key="to her"))
        await queries.jobs.enqueue(writer, of_server(OTHER_GUILD, place=f"person {BERT}", key="to him"))
        assert await queries.servers.known(writer) == tuple(sorted((GUILD, OTHER_GUILD)))
        await queries.forgetting.forget_server(writer, GUILD)
        await queries.forgetting.forget_person(writer, ANNA, -1, "somebody")
    assert [(job.guild_id, job.key) for job in await jobs(store)] == [(OTHER_GUILD, ""), (OTHER_GUILD, "to him")]


async def test_such_a_job_is_exported_to_the_person_it_is_for(store: Store) -> None:
    unread = Unread()
    async with store.write() as writer:
        await queries.jobs.enqueue(writer, of_server(kind=JobKind.LETTER, payload=LETTER))
        await queries.jobs.enqueue(writer, of_server(OTHER_GUILD, place=f"person {ANNA}"))
        assert await writer.run(lambda connection: numbers_of(connection, ANNA)) == []
        own = await writer.run(lambda connection: personal(connection, ANNA, unread))
        times = {"due": 1000.0, "created_at": 900.0}
        assert own["still_to_be_sent"] == [
            {"guild_id": str(GUILD), "kind": "letter"} | times, {"guild_id": str(OTHER_GUILD), "kind": "hurried"} | times,
        ]  # fmt: skip
        assert "still_to_be_sent" not in await writer.run(lambda connection: personal(connection, BERT, unread))


async def test_such_a_job_is_moved_to_a_server_and_back(tmp_path: Path, server: str) -> None:
    here, back = tmp_path / "here.sqlite3", tmp_path / "back.sqlite3"
    store = await Store.open(here)
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table())
        kept = (await queries.jobs.enqueue(writer, a_job(table.id)), await queries.jobs.enqueue(writer, of_server()))
    await store.close()
    await move(here, server, lambda *_: None)
    await move(server, back, lambda *_: None)
    for address in (server, back):
        async with opened(address) as store:
            assert await jobs(store) == kept
            assert await faults(store) == []


DAMAGED = {
    "another subject": ({"subject": "server 9"}, "subject: it is 'server 9', but the job belongs to server"),
    "a subject that is none": ({"subject": "the puzzle"}, "subject: it is 'the puzzle'"),
    "no place": ({"place": None}, "place: a job that is about no table needs one"),
    "a place that is none": ({"place": "here"}, "place: nothing can be posted to 'here'"),
    "no server": ({"guild_id": 0, "subject": "server 0"}, "guild_id: a job of this kind is about a server"),
}


@pytest.mark.parametrize(("columns", "told"), DAMAGED.values(), ids=DAMAGED.keys())
async def test_a_damaged_job_is_named(store: Store, columns: dict[str, Any], told: str) -> None:
    job = await once(store.write(), queries.jobs.enqueue, of_server())
    assert await faults(store) == []
    async with store.write() as writer:
        await writer.execute(sa.update(outbox).where(outbox.c.id == job.id).values(columns))
    (found,) = await faults(store)
    assert "A row of outbox" in found
    assert told in found


async def test_a_job_that_names_another_server_than_its_table_is_named(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(guild_id=GUILD))
        job = await queries.jobs.enqueue(writer, a_job(table.id))
        await writer.execute(sa.update(outbox).values(guild_id=OTHER_GUILD))
    assert await faults(store) == [
        f"Job {job.id} is said to be of server {OTHER_GUILD}, but its table {table.id} is on server {GUILD}."
    ]


async def test_a_table_whose_server_is_no_number_can_report_it(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "games.sqlite3")
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table())
        await writer.execute(sa.text("UPDATE tables SET guild_id = 'here'"))
        notice = await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.SET_ASIDE))
        assert (notice.guild_id, await queries.jobs.due(writer, 1000.0)) == (0, (notice,))
    await asyncio.wait_for(store.close(), 60.0)
