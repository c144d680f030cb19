"""Heartbeats, what moves the time of all tables at once, and servers that removed the bot."""

import pytest
import sqlalchemy as sa

from storage import queries
from storage.schema.records import Grace, Heartbeat, JobKind, Person, Server, Status, Table
from storage.schema.tables import tables
from storage.store import Store
from tests.storage.reading_back import once, stored_table
from tests.storage.samples import ANNA, BERT, CARL, GUILD, OTHER_GUILD, a_job, a_rating, a_table, an_entry

DAY = 86400.0


async def add_tables(store: Store, *new: Table) -> list[int]:
    async with store.write() as writer:
        return [(await queries.tables.add(writer, table)).id for table in new]


async def times(store: Store, table_id: int) -> tuple[float | None, float | None, float | None]:
    """The deadline, the next reminder and what was given back."""
    table = await once(store.read(), stored_table, table_id)
    return table.deadline, table.notice_at, table.given_back


def timed(deadline: float, **fields: object) -> Table:
    usual = {"status": Status.PLAYING, "clock": 1000, "turn_began": deadline - 1000, "notice_at": deadline - 500}
    return a_table(deadline=deadline, **(usual | fields))


async def test_a_heartbeat_takes_the_place_of_the_one_before(store: Store) -> None:
    async with store.write() as writer:
        assert await queries.heartbeats.get(writer, "main") is None
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=1.0))
        await queries.heartbeats.put(writer, Heartbeat(name="other", at=2.0, halted="the clock has jumped"))
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=3.0))
    assert await once(store.write(), queries.heartbeats.find) == (
        Heartbeat(name="main", at=3.0),
        Heartbeat(name="other", at=2.0, halted="the clock has jumped"),
    )


async def test_a_heartbeat_goes_on_only_if_the_one_before_was_not_long_ago_and_nothing_is_stopped(store: Store) -> None:
    async with store.write() as writer:
        assert not await queries.heartbeats.beat_on(writer, "main", 100.0, since=0.0, until=200.0)
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=100.0))
        assert not await queries.heartbeats.beat_on(writer, "main", 500.0, since=200.0, until=600.0)
        assert not await queries.heartbeats.beat_on(writer, "main", 20.0, since=0.0, until=50.0)
        assert await queries.heartbeats.beat_on(writer, "main", 160.0, since=0.0, until=200.0)
        assert await queries.heartbeats.get(writer, "main") == Heartbeat(name="main", at=160.0)
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=160.0, halted="the clock has jumped"))
        assert not await queries.heartbeats.beat_on(writer, "main", 220.0, since=0.0, until=300.0)


async def test_an_outage_moves_deadlines_and_reminders_of_all_that_was_waiting(store: Store) -> None:
    late, soon, opened, untimed, over = await add_tables(
        store, timed(6000.0, given_back=5.0), timed(5500.0), a_table(status=Status.OPEN, deadline=9000.0),
        timed(9000.0, turn_began=2000.0, clock=None), timed(9000.0, turn_began=2000.0, status=Status.FINISHED),
    )  # fmt: skip
    assert await once(store.write(), queries.clocks.give_back, 5100.0, 5400.0) == (soon, late)
    assert await times(store, late) == (6300.0, 5400.0, 305.0), "the clock looks at once when its reminders are due now"
    assert await times(store, soon) == (5800.0, 5000.0, 300.0), "what should have been told meanwhile is told late"
    assert await times(store, opened) == (9300.0, None, None)
    assert await times(store, untimed) == (9300.0, 5400.0, None)
    assert await times(store, over) == (9000.0, 8500.0, None)


async def test_a_turn_that_began_in_an_outage_gets_back_only_what_it_lost(store: Store) -> None:
    during, after, opened = await add_tables(
        store,
        timed(6200.0, turn_began=5200.0),
        timed(6400.0, turn_began=5400.0),
        a_table(status=Status.OPEN, deadline=9000.0, created_at=5300.0),
    )
    assert await once(store.write(), queries.clocks.give_back, 5100.0, 5400.0) == (during,)
    assert await times(store, during) == (6400.0, 5400.0, 200.0)
    assert await times(store, after) == (6400.0, 5900.0, None)
    assert await times(store, opened) == (9100.0, None, None)


@pytest.mark.parametrize(("left_at", "lost"), [(5000.0, 0.0), (5300.0, 200.0), (5400.0, 300.0), (None, 300.0)])
async def test_time_stands_still_on_servers_that_removed_the_bot(store: Store, left_at: float | None, lost: float) -> None:
    (table,) = await add_tables(store, timed(6000.0))
    async with store.write() as writer:
        await queries.servers.put_left(writer, GUILD, left_at)
        await queries.clocks.give_back(writer, 5100.0, 5400.0)
    assert await times(store, table) == (6000.0 + lost, 5400.0 if lost else 5500.0, lost or None)


async def test_time_restarts_at_every_table(store: Store) -> None:
    past, ahead, opened, untimed, over = await add_tables(
        store, timed(5000.0), timed(90_000_000.0), a_table(status=Status.OPEN, deadline=5.0), timed(5000.0, clock=None),
        timed(5000.0, status=Status.FINISHED),
    )  # fmt: skip
    short, long = await add_tables(
        store, timed(5000.0, grace=Grace.RUNNING), timed(5000.0, grace=Grace.RUNNING, clock=int(3 * DAY))
    )
    anew = await once(
        store.write(), queries.clocks.begin_anew, 70_000.0, open_for=14 * DAY, matched_for=14 * DAY, challenged_for=14 * DAY,
        abandoned_after=60 * DAY, longest_grace=DAY,
    )  # fmt: skip
    assert anew == (past, ahead, short, long)
    assert await times(store, short) == (71_000.0, 70_000.0, 1000.0)
    assert await times(store, long) == (70_000.0 + DAY, 70_000.0, DAY), "a period of grace is no longer than before"
    assert await times(store, past) == (71_000.0, 70_000.0, 1000.0)
    assert await times(store, ahead) == (71_000.0, 70_000.0, None)
    assert await times(store, opened) == (70_000.0 + 14 * DAY, None, None)
    assert await times(store, untimed) == (70_000.0 + 60 * DAY, 70_000.0, None)
    assert await times(store, over) == (5000.0, 4500.0, None)


async def test_a_deadline_that_is_no_number_is_left_as_it_is(store: Store) -> None:
    if store.address.path is None:
        return  # PostgreSQL keeps nothing but numbers there
    broken, sound = await add_tables(store, timed(6000.0), timed(6000.0))
    async with store.write() as writer:
        await writer.execute(sa.text(f"UPDATE tables SET deadline = 'soon' WHERE id = {broken}"))
        assert await queries.clocks.give_back(writer, 5100.0, 5400.0) == (sound,)
        found = await writer.execute(sa.select(sa.cast(tables.c.deadline, sa.String)).where(tables.c.id == broken))
        assert found.scalar() == "soon"


async def test_jobs_and_reminders_can_be_moved(store: Store) -> None:
    (table,) = await add_tables(store, timed(6000.0))
    async with store.write() as writer:
        board = await queries.jobs.enqueue(writer, a_job(table, due=100.0))
        reminder = await queries.jobs.enqueue(writer, a_job(table, kind=JobKind.REMINDER, key="1.half.1", due=200.0))
        assert await queries.jobs.reminders(writer) == (reminder,)
        await queries.clocks.move_jobs(writer, 50.0)
        await queries.jobs.move_reminder(writer, board.id, 1.0)
        await queries.jobs.move_reminder(writer, reminder.id, 300.0)
        assert [job.due for job in await queries.jobs.due(writer, 1e9)] == [150.0, 300.0]


async def test_people_on_vacation_and_the_last_activity_are_found(store: Store) -> None:
    async with store.write() as writer:
        assert await queries.heartbeats.last_activity(writer, 1e9) is None
        for user, until in ((ANNA, 500.0), (BERT, 1500.0), (CARL, None)):
            await queries.people.put(writer, Person(user_id=user, vacation_until=until))
        assert [person.user_id for person in await queries.people.on_vacation(writer, 1000.0)] == [BERT]
        table = (await queries.tables.add(writer, a_table(created_at=1000.0))).id
        assert await queries.heartbeats.last_activity(writer, 1e9) == 1000.0
        await queries.entries.append(writer, an_entry(table, 1, at=3000.0))
        assert await queries.heartbeats.last_activity(writer, 1e9) == 3000.0
        assert await queries.heartbeats.last_activity(writer, 2000.0) == 1000.0


async def test_a_transaction_knows_the_earliest_time_it_has_set_for_a_table(store: Store) -> None:
    async with store.write() as writer:
        assert writer.soonest is None
        table = await queries.tables.add(writer, timed(2000.0))
        assert writer.soonest == 1500.0
        await queries.tables.change(writer, table.id, deadline=3000.0, notice_at=None)
        assert writer.soonest == 1500.0
        await queries.tables.change(writer, table.id, deadline=1000.0)
        assert writer.soonest == 1000.0
    async with store.write() as writer:
        await queries.tables.change(writer, table.id, deadline=None, version=1)
        assert writer.soonest is None


async def test_nothing_is_due_at_the_tables_of_a_server_that_removed_the_bot(store: Store) -> None:
    async with store.write() as writer:
        for guild_id, due in ((GUILD, 100.0), (OTHER_GUILD, 200.0)):
            table = await queries.tables.add(
                writer, a_table(guild_id=guild_id, status=Status.PLAYING, deadline=due, notice_at=due)
            )
            await queries.jobs.enqueue(writer, a_job(table.id, due=due))
        await queries.servers.put_left(writer, GUILD, 50.0)
        assert [table.guild_id for table in await queries.clocks.due(writer, 1000.0)] == [OTHER_GUILD]
        assert await queries.clocks.next_due(writer, 0.0) == 200.0
        assert [job.due for job in await queries.jobs.due(writer, 1000.0)] == [200.0]
        assert await queries.jobs.next_due(writer) == 200.0
        assert await queries.servers.left(writer) == {GUILD: 50.0}
        await queries.servers.put_left(writer, GUILD, None)
        assert await queries.servers.left(writer) == {}
        assert await queries.clocks.next_due(writer, 0.0) == await queries.jobs.next_due(writer) == 100.0


async def test_settings_stay_when_a_server_removes_the_bot_even_unset_ones(store: Store) -> None:
    async with store.write() as writer:
        await queries.servers.put(writer, Server(guild_id=GUILD, settings={"language": "de"}))
        await queries.servers.put_left(writer, GUILD, 50.0)
        await queries.servers.put_left(writer, OTHER_GUILD, 60.0)
        assert await queries.servers.get(writer, GUILD) == Server(guild_id=GUILD, settings={"language": "de"}, left_at=50.0)
        assert await queries.servers.get(writer, OTHER_GUILD) == Server(guild_id=OTHER_GUILD, left_at=60.0)


async def test_deadlines_move_together_on_one_server_where_there_are_any(store: Store) -> None:
    async with store.write() as writer:
        timed = await queries.tables.add(writer, a_table(status=Status.PLAYING, deadline=100.0, notice_at=50.0))
        without = await queries.tables.add(writer, a_table(status=Status.OPEN, deadline=100.0, notice_at=None))
        over = await queries.tables.add(writer, a_table(status=Status.FINISHED, deadline=100.0))
        other = await queries.tables.add(writer, a_table(guild_id=OTHER_GUILD, status=Status.PLAYING, deadline=100.0))
        await queries.clocks.shift_deadlines(writer, GUILD, 7.0)
        moved = [await queries.tables.get(writer, table.id) for table in (timed, without, over, other)]
    assert [table and (table.deadline, table.notice_at) for table in moved] == [
        (107.0, 57.0), (107.0, None), (100.0, None), (100.0, None),
    ]  # fmt: skip


async def test_every_server_with_data_is_known_once(store: Store) -> None:
    async with store.write() as writer:
        await queries.tables.add(writer, a_table(guild_id=3))
        await queries.tables.add(writer, a_table(guild_id=3))
        await queries.ratings.put(writer, a_rating(ANNA, guild_id=2))
        await queries.servers.put(writer, Server(guild_id=1))
        await queries.servers.put(writer, Server(guild_id=3))
        assert await queries.servers.known(writer) == (1, 2, 3)
