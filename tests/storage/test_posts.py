"""Servers' posts are found when they are due, where the bot is, whatever is wrong with some of them."""

from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.features.posts import sql as posts_sql
from storage import queries
from storage.schema.records import Job, JobKind, PostKind, Table
from storage.schema.tables import posts
from storage.store import Store
from storage.transactions import ShardFilter
from storage.upkeep.consistency import findings
from tests.storage.reading_back import once
from tests.storage.samples import ANNA, GUILD, OTHER_GUILD, a_job, a_post

KINDS = (PostKind.DAILY,)
OWED = Job(
    kind=JobKind.POST, subject="post daily", guild_id=GUILD, place="channel 6", due=1000.0, created_at=900.0,
)  # fmt: skip


async def faults(store: Store) -> list[str]:
    async with store.read() as reader:
        return await reader.run(lambda connection: list(findings(connection)))


async def test_a_server_has_one_of_each_kind(store: Store) -> None:
    async with store.write() as writer:
        await posts_sql.put(writer, a_post())
        await posts_sql.put(writer, a_post(hour=20))
        await posts_sql.put(writer, a_post(OTHER_GUILD))
    async with store.write() as writer:
        assert await posts_sql.get(writer, GUILD, PostKind.DAILY) == a_post(hour=20)
        assert await posts_sql.get(writer, OTHER_GUILD, PostKind.DAILY) == a_post(OTHER_GUILD)
    assert await faults(store) == []


async def test_a_post_is_due_where_the_bot_is_unless_it_is_stopped(store: Store) -> None:
    async with store.write() as writer:
        for guild_id, due in ((1, 3000.0), (2, 1000.0), (3, None), (4, 500.0)):
            await posts_sql.put(writer, a_post(guild_id, due=due, refused=None if due else 50013))
        await queries.servers.put_left(writer, 4, 700.0)
    async with store.read() as reader:
        assert await posts_sql.next_due(reader, KINDS) == 1000.0
        assert [post.guild_id for post in await posts_sql.due(reader, KINDS, 2000.0)] == [2]
        assert [post.guild_id for post in await posts_sql.due(reader, KINDS, 3000.0)] == [2, 1]
        assert [post.guild_id for post in await posts_sql.due(reader, KINDS, 3000.0, limit=1)] == [2]


async def test_a_shard_finds_its_own(store: Store) -> None:
    async with store.write() as writer:
        for guild_id in (101 << 22, 102 << 22):
            await posts_sql.put(writer, a_post(guild_id, due=float(guild_id >> 22)))
    async with store.part(ShardFilter(0, 2), "shard", 0).read() as reader:
        assert [post.guild_id for post in await posts_sql.due(reader, KINDS, 2000.0)] == [102 << 22]
        assert await posts_sql.next_due(reader, KINDS) == 102.0


async def test_an_unreadable_post_keeps_no_other_waiting(store: Store) -> None:
    async with store.write() as writer:
        for guild_id in (1, 2):
            await posts_sql.put(writer, a_post(guild_id))
        if writer.dialect != "sqlite":
            pytest.skip("a server keeps no text in a column of numbers")
        await writer.execute(sa.update(posts).where(posts.c.guild_id == 1).values(hour=sa.text("'nine'")))
    async with store.write() as writer:
        (found,) = await posts_sql.due(writer, KINDS, 2000.0)
        await posts_sql.put(writer, replace(found, due=9000.0))
        assert await posts_sql.due(writer, KINDS, 2000.0) == ()
        await posts_sql.put_off(writer, KINDS, 2000.0, 5000.0)
        assert await posts_sql.next_due(writer, KINDS) == 5000.0


async def test_a_server_that_only_has_a_post_is_known_and_forgotten_with_it(store: Store) -> None:
    async with store.write() as writer:
        for guild_id in (GUILD, OTHER_GUILD):
            await posts_sql.put(writer, a_post(guild_id))
        assert await queries.servers.known(writer) == (GUILD, OTHER_GUILD)
        await queries.jobs.enqueue(writer, OWED)
        await queries.forgetting.forget_server(writer, GUILD)
        assert await queries.servers.known(writer) == (OTHER_GUILD,)


async def test_a_post_has_one_job_of_each_kind_beside_those_of_tables(store: Store, table: Table) -> None:
    async with store.write() as writer:
        await queries.jobs.enqueue(writer, a_job(table.id))
        first = await queries.jobs.enqueue(writer, OWED)
        await queries.jobs.note_refusal(writer, first.id, 2000.0, {"refused": 50013})
        again = await queries.jobs.enqueue(writer, replace(OWED, due=1500.0))
        assert (again.subject, again.tries, again.created_at) == ("post daily", 1, 900.0), "it stays refused"
        stored = await queries.jobs.get(writer, again.id)
        assert stored is not None
        assert stored.payload == {"refused": 50013}
        other = await queries.jobs.enqueue(writer, replace(OWED, guild_id=OTHER_GUILD))
        await queries.jobs.drop(writer, GUILD, "post daily", JobKind.POST)
        await queries.jobs.drop(writer, OTHER_GUILD, "post daily", JobKind.POST_REFUSED)
        assert [job.subject for job in await queries.jobs.unfinished(writer)] == [f"table {table.id}", other.subject]
    assert await faults(store) == []


@pytest.mark.parametrize("subject", ["server 80000000000000001", "post weekly", "daily"])
async def test_a_job_about_no_post_is_found(store: Store, subject: str) -> None:
    await once(store.write(), queries.jobs.enqueue, replace(OWED, subject=subject))
    (fault,) = await faults(store)
    assert "subject: " in fault


async def test_messages_to_the_owner_are_forgotten_with_them(store: Store) -> None:
    told = {"to": ANNA, "channel": 6, "code": 50013}
    async with store.write() as writer:
        await queries.jobs.enqueue(writer, replace(OWED, kind=JobKind.POST_REFUSED, place=f"person {ANNA}", payload=told))
        await queries.jobs.enqueue(writer, OWED)
        await queries.forgetting.forget_person(writer, ANNA, -1, "somebody")
        assert [job.kind for job in await queries.jobs.unfinished(writer)] == [JobKind.POST]


@pytest.mark.parametrize(
    ("fields", "column"),
    [
        ({"zone": "Europe/Bounce"}, "zone"), ({"hour": 24}, "hour"), ({"posted_at": None}, "posted_at"),
        ({"message_id": None}, "message_id"),
        ({"day": None, "posted_in": None, "message_id": None, "posted_at": None, "shown": 2}, "shown"),
        ({"day": None, "posted_in": None, "message_id": None, "posted_at": None, "edited_at": 5.0}, "edited_at"),
        ({"role_id": -1}, "role_id"),
    ],
)  # fmt: skip
async def test_problems_of_a_post_are_named(store: Store, fields: dict[str, Any], column: str) -> None:
    await once(store.write(), posts_sql.put, a_post(**fields))
    (fault,) = await faults(store)
    assert f"{column}: " in fault
