"""In the part of a shard, queries about all tables find its own: every table belongs to one part only."""

from collections import Counter
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from bot.features.computers import sql as computers_sql
from bot.features.reviews import sql as reviews_sql
from storage import queries
from storage.cluster.leases import Leases
from storage.schema.records import JobKind, Person, Review, Status, Thinking
from storage.schema.tables import outbox
from storage.store import Store
from storage.transactions import ShardFilter
from tests.storage.reading_back import once, opened, stored_table
from tests.storage.samples import a_job, a_rating, a_seat, a_table

OF = 3
LEASE = "shards"
MOMENT = 1000.0
LATE = 5000.0
FOR_EVER = 1e12
BROKEN = "it cannot be read"

GUILDS = tuple((number << 22) + 12345 for number in (101, 102, 103, 104, 105))
"""Servers of shards 2, 0 and 1, and two more of shards 2 and 0."""

ids = st.integers(min_value=1, max_value=2**63 - 1)
numbers = st.integers(min_value=1, max_value=5000)


@given(guild_id=ids, of=numbers)
def test_each_server_belongs_to_exactly_one_shard_as_discord_says(guild_id: int, of: int) -> None:
    shard = (guild_id >> 22) % of
    assert ShardFilter(shard, of).covers(guild_id)
    if of > 1:
        assert not ShardFilter((shard + 1) % of, of).covers(guild_id)


@given(guild_id=ids, of=numbers, other=st.integers(min_value=0))
def test_sqlite_finds_the_same_as_python(guild_id: int, of: int, other: int) -> None:
    share = ShardFilter(other % of, of)
    with _FILE.connect() as connection:
        found = connection.execute(sa.select(share.condition(sa.literal(guild_id, sa.BigInteger)))).scalar()
    assert bool(found) == share.covers(guild_id)


_FILE = sa.create_engine("sqlite://")


async def test_postgresql_finds_the_same_as_python(server: str) -> None:
    async with opened(server) as store:
        many = [(number * 0x9E3779B97F4A7C15) % 2**63 for number in range(1, 200)] + [2**63 - 1, 1, 2**22, 2**22 - 1]
        for share in (ShardFilter(0, 1), ShardFilter(0, 7), ShardFilter(6, 7), ShardFilter(4711, 5000)):
            each = sa.values(sa.column("guild_id", sa.BigInteger), name="ids").data([(guild_id,) for guild_id in many])
            found = sa.select(each.c.guild_id).where(share.condition(each.c.guild_id))
            async with store.read() as reader:
                rows = (await reader.execute(found)).scalars()
            assert sorted(rows) == sorted(guild_id for guild_id in many if share.covers(guild_id))


@pytest.fixture
async def parts(store: Store) -> tuple[Store, ...]:
    """A store with something of everything on each server, in parts."""
    for guild_id in GUILDS:
        async with store.write() as writer:
            user = guild_id + 1
            there: dict[str, Any] = {"guild_id": guild_id, "channel_id": guild_id + 2, "seed": bytes(32)}
            table = await queries.tables.add(
                writer, a_table(**there, status=Status.PLAYING, clock=60, deadline=MOMENT, turn_began=1.0, lobby_message_id=1)
            )
            await queries.tables.add(writer, a_table(**there, status=Status.OPEN, deadline=9 * MOMENT))
            await queries.seats.put(writer, a_seat(table.id, user, 0))
            await queries.people.put(writer, Person(user_id=user, vacation_from=1.0, vacation_until=LATE))
            await computers_sql.put(writer, Thinking(table_id=table.id, version=0, due=MOMENT, asked=(0,), created_at=MOMENT))
            await reviews_sql.put(writer, Review(table_id=table.id, reviewer=1, version=1, asked_at=MOMENT))
            await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.REMINDER, payload={"user": user}, due=MOMENT))
            buried = await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.WATCH, due=MOMENT))
            await queries.quarantine.bury_job(writer, buried.id)
            await queries.ratings.put(writer, a_rating(user, guild_id=guild_id))
            broken = await queries.tables.add(writer, a_table(**there, status=Status.PLAYING))
            await queries.quarantine.put(writer, broken.id, BROKEN)
            left = ((guild_id >> 22) + 1000 << 22) + 1
            await queries.servers.put_left(writer, left, MOMENT)
    leases = Leases(store)
    await leases.add(LEASE)
    lease = await leases.claim(LEASE, "all of them", 3600.0)
    assert lease is not None
    return tuple(store.part(ShardFilter(shard, OF), LEASE, lease.fence) for shard in range(OF))


async def told(store: Store) -> dict[str, list[Any]]:
    """What a store says about everything it has, whenever that is due."""
    async with store.read() as reader:
        return {
            "tables due": [table.id for table in await queries.clocks.due(reader, LATE)],
            "open tables": [table.id for table in await queries.tables.find(reader, statuses=(Status.OPEN,), own=True)],
            "jobs due": [job.id for job in await queries.jobs.due(reader, LATE)],
            "jobs waiting": [job.id for _, job in await queries.jobs.waiting(reader, LATE, each=100, limit=100)],
            "reminders": [job.id for job in await queries.jobs.reminders(reader)],
            "jobs": [job.id for job in await queries.jobs.unfinished(reader)],
            "dead jobs": await queries.quarantine.dead_jobs(reader),
            "thinking": list(await computers_sql.due(reader, LATE)),
            "reviews": list(await reviews_sql.unfinished(reader)),
            "vacations": [person.user_id for person in await queries.people.on_vacation(reader, MOMENT)],
            "left servers": list(await queries.servers.left(reader)),
            "known servers": list(await queries.servers.known(reader)),
            "numbers": await queries.tables.ids(reader),
            "live": await queries.tables.ids(reader, live=True),
            "quarantined": await queries.quarantine.find(reader),
        }


async def test_everything_belongs_to_exactly_one_part(store: Store, parts: tuple[Store, ...]) -> None:
    whole, pieces = await told(store), [await told(part) for part in parts]
    for what, there in whole.items():
        assert there, what
        assert Counter(there) == Counter(one for piece in pieces for one in piece[what]), what
        assert all(piece[what] for piece in pieces), what


async def test_without_parts_queries_do_not_mention_shards(store: Store, parts: tuple[Store, ...]) -> None:
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    async def statements_of(one: Store) -> list[str]:
        """The statements sent to the database. A query before them shows the connection."""
        async with one.read() as reader:
            await reader.run(lambda connection: sa.event.listen(connection.engine, "before_cursor_execute", note))
        asked.clear()
        await told(one)
        async with one.read() as reader:
            await reader.run(lambda connection: sa.event.remove(connection.engine, "before_cursor_execute", note))
        return list(asked)

    assert not any(">>" in statement for statement in await statements_of(store))
    assert all(">>" in statement for statement in await statements_of(parts[0]))


async def test_the_next_due_time_is_that_of_the_part(store: Store, parts: tuple[Store, ...]) -> None:
    async with store.write() as writer:
        for number, guild_id in enumerate(GUILDS, 1):
            (table,) = await queries.tables.find(writer, guild_id=guild_id, statuses=(Status.PLAYING,))
            await queries.tables.change(writer, table.id, deadline=MOMENT * number)
            (reminder, _) = await queries.jobs.of_table(writer, table.id)
            await queries.jobs.move_reminder(writer, reminder.id, MOMENT * number)
            await computers_sql.put(
                writer, Thinking(table_id=table.id, version=0, due=MOMENT * number, asked=(0,), created_at=1.0)
            )

    async def due(one: Store) -> set[float | None]:
        async with one.read() as reader:
            return {
                await queries.clocks.next_due(reader, 0.0),
                await queries.jobs.next_due(reader),
                await computers_sql.next_due(reader),
            }

    assert await due(store) == {MOMENT}
    assert [await due(part) for part in parts] == [{2 * MOMENT}, {3 * MOMENT}, {MOMENT}]


async def test_samples_of_a_part_are_its_own(store: Store, parts: tuple[Store, ...]) -> None:
    async def where(one: Store) -> set[int]:
        async with one.read() as reader:
            assert await queries.quarantine.names_are_text(reader)
            return {(await stored_table(reader, number)).guild_id for number in await queries.quarantine.samples(reader)}

    for shard, part in enumerate(parts):
        found = await where(part)
        assert found
        assert all(ShardFilter(shard, OF).covers(guild_id) for guild_id in found)


async def times(store: Store) -> dict[int, set[object]]:
    """All times of the running games, by server."""
    found: dict[int, set[object]] = {}
    async with store.read() as reader:
        for table in await queries.tables.find(reader, statuses=(Status.PLAYING,)):
            thinking = await computers_sql.get(reader, table.id)
            assert thinking is not None
            jobs = await reader.execute(sa.select(outbox.c.due).where(outbox.c.table_id == table.id, outbox.c.due < FOR_EVER))
            found[table.guild_id] = {table.deadline, thinking.due, *jobs.scalars()}
    return found


async def moved(store: Store, before: dict[int, set[object]]) -> set[int]:
    after = await times(store)
    return {guild_id for guild_id in GUILDS if before[guild_id] != after[guild_id]}


def of(share: ShardFilter) -> set[int]:
    return {guild_id for guild_id in GUILDS if share.covers(guild_id)}


async def test_an_outage_of_a_shard_is_given_back_at_its_tables(store: Store, parts: tuple[Store, ...]) -> None:
    before = await times(store)
    given_back = await once(parts[1].write(), queries.clocks.give_back, 100.0, 200.0)
    assert len(given_back) == 1
    assert await moved(store, before) == of(ShardFilter(1, OF))


async def test_the_time_of_a_shard_begins_anew_at_its_tables(store: Store, parts: tuple[Store, ...]) -> None:
    before = await times(store)
    begun = await once(
        parts[2].write(), queries.clocks.begin_anew, LATE, open_for=1.0, matched_for=1.0, challenged_for=1.0,
        abandoned_after=1.0, longest_grace=1.0,
    )  # fmt: skip
    assert len(begun) == 2
    assert await moved(store, before) == of(ShardFilter(2, OF))


async def test_a_clock_that_jumps_moves_the_jobs_of_its_own_shards(store: Store, parts: tuple[Store, ...]) -> None:
    before = await times(store)
    await once(parts[0].write(), queries.clocks.move_jobs, 100.0)
    assert await moved(store, before) == of(ShardFilter(0, OF))


async def test_queries_about_one_table_server_or_person_find_any(store: Store, parts: tuple[Store, ...]) -> None:
    for part in parts:
        async with part.read() as reader:
            for guild_id in GUILDS:
                playing, waiting = await queries.tables.find(reader, guild_id=guild_id, newest_first=False)
                assert await queries.tables.find(reader, user_id=guild_id + 1) == (playing,)
                assert await queries.tables.find(reader, numbers=[waiting.id]) == (waiting,)
                assert await queries.jobs.due(reader, LATE, table_id=playing.id) == () or reader.covers(guild_id)
                assert len(await queries.jobs.of_table(reader, playing.id)) == 2
                assert (await queries.people.get(reader, guild_id + 1)).vacation_until == LATE
