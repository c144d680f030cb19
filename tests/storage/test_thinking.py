"""Decisions that computers have yet to take: read in the order in which they are due, and gone with their table."""

from dataclasses import replace

from bot.features.computers import sql as computers_sql
from storage import queries
from storage.schema.records import Level, Status, Thinking
from storage.store import Store
from tests.storage.reading_back import once
from tests.storage.samples import GUILD, a_seat, a_table


def a_thought(table_id: int, due: float, **fields: object) -> Thinking:
    return replace(Thinking(table_id=table_id, version=3, due=due, created_at=1000.0), **fields)  # type: ignore[arg-type]


async def playing(store: Store, *dues: float) -> list[int]:
    """Running tables where a computer is due at these times."""
    found = []
    async with store.write() as writer:
        for due in dues:
            table = await queries.tables.add(writer, a_table(seed=bytes(32), status=Status.PLAYING))
            await computers_sql.put(writer, a_thought(table.id, due))
            found.append(table.id)
    return found


async def test_a_decision_is_kept_as_written_and_each_table_has_one(store: Store) -> None:
    (table_id,) = await playing(store, 2000.0)
    later = a_thought(table_id, 2500.5, version=4, asked=(1, 3))
    async with store.write() as writer:
        await computers_sql.put(writer, later)
        assert writer.soonest == 2500.5, "so that whoever waits for it is told"
    async with store.read() as reader:
        assert await computers_sql.get(reader, table_id) == later
        assert await computers_sql.get(reader, table_id + 1) is None


async def test_the_longest_waiting_decisions_are_due_first(store: Store) -> None:
    late, early, future = await playing(store, 1900.0, 1800.0, 2100.0)
    async with store.read() as reader:
        assert await computers_sql.due(reader, 2000.0) == (early, late)
        assert await computers_sql.due(reader, 2000.0, limit=1) == (early,)
        assert await computers_sql.due(reader, 2000.0, without=(early,)) == (late,)
        assert await computers_sql.due(reader, 1000.0) == ()
        assert await computers_sql.next_due(reader) == 1800.0
        assert await computers_sql.next_due(reader, without=(early, late)) == 2100.0
        assert await computers_sql.next_due(reader, without=(early, late, future)) is None


async def test_nobody_is_asked_at_tables_in_quarantine_or_over_or_on_servers_that_removed_the_bot(store: Store) -> None:
    quarantined, over, gone = await playing(store, 1800.0, 1801.0, 1802.0)
    async with store.write() as writer:
        await queries.quarantine.put(writer, quarantined, "broken")
        await queries.tables.change(writer, over, status=Status.FINISHED)
        await queries.tables.change(writer, gone, guild_id=GUILD + 7)
        await queries.servers.put_left(writer, GUILD + 7, 1500.0)
    async with store.read() as reader:
        assert (await computers_sql.due(reader, 2000.0), await computers_sql.next_due(reader)) == ((), None)
    async with store.write() as writer:
        await queries.quarantine.release(writer, quarantined)
        await queries.servers.put_left(writer, GUILD + 7, None)
    assert await once(store.read(), computers_sql.due, 2000.0) == (quarantined, gone)


async def test_a_decision_goes_with_its_table_and_when_answered(store: Store) -> None:
    answered, shut, forgotten = await playing(store, 1800.0, 1801.0, 1802.0)
    async with store.write() as writer:
        await queries.tables.change(writer, forgotten, guild_id=GUILD + 7)
        await computers_sql.remove(writer, answered)
        await queries.quarantine.close(writer, shut, 1900.0, status=Status.CLOSED)
        await queries.forgetting.forget_server(writer, GUILD + 7)
    async with store.read() as reader:
        assert [await computers_sql.get(reader, table_id) for table_id in (answered, shut, forgotten)] == [None, None, None]


async def test_a_decision_moves_like_jobs_when_the_machines_clock_has_jumped(store: Store) -> None:
    (table_id,) = await playing(store, 1800.0)
    await once(store.write(), queries.clocks.move_jobs, -500.0)
    assert await once(store.read(), computers_sql.get, table_id) == a_thought(table_id, 1300.0, created_at=500.0)


async def test_an_unreadable_decision_is_none(store: Store) -> None:
    (table_id,) = await playing(store, 1800.0)
    async with store.write() as writer:
        await writer.run(lambda connection: connection.exec_driver_sql("UPDATE thinking SET asked = '\"nobody\"'"))
    assert await once(store.read(), computers_sql.get, table_id) is None


async def test_the_level_of_a_computer_its_doubts_and_the_hints_of_others_are_kept(store: Store) -> None:
    (table_id,) = await playing(store, 1800.0)
    computer = a_seat(table_id, 4_000_001, 1, computer=Level.HARD, hopeless=1, offered=7)
    person = a_seat(table_id, 5, 0, hints=2, hinted=6)
    async with store.write() as writer:
        await queries.seats.put(writer, computer)
        await queries.seats.put(writer, person)
    assert await once(store.read(), queries.seats.of_table, table_id) == (person, computer)
