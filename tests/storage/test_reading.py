from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from storage.checking import findings
from storage.errors import UnreadableRow
from storage.records import Person, SeatStatus, Server, Status, Watch, WatchFor
from storage.store import Store, Writer
from storage.tables import actions, outbox
from tests.storage.samples import (
    ANNA,
    BERT,
    CARL,
    CHANNEL,
    GUILD,
    OTHER_CHANNEL,
    OTHER_GUILD,
    a_job,
    a_rating,
    a_seat,
    a_table,
    an_entry,
)

THREAD = 95_000_000_000_000_001


async def keep(writer: Writer, *tables: dict[str, Any]) -> list[int]:
    return [(await writer.add_table(a_table(**fields))).id for fields in tables]


async def test_a_table_that_does_not_exist_is_none(store: Store) -> None:
    async with store.read() as reader:
        assert await reader.table(1) is None


async def test_tables_are_found_by_each_of_their_traits(store: Store) -> None:
    async with store.write() as writer:
        here, threaded, elsewhere, finished = await keep(
            writer,
            {},
            {"channel_id": OTHER_CHANNEL, "thread_id": THREAD, "game": "pucks", "status": Status.PLAYING},
            {"guild_id": OTHER_GUILD, "channel_id": 1},
            {"status": Status.FINISHED},
        )
        await writer.put_seat(a_seat(here, BERT, 1, status=SeatStatus.INVITED))
        await writer.put_seat(a_seat(threaded, BERT, 0))
        await writer.put_seat(a_seat(elsewhere, BERT, 0, status=SeatStatus.DECLINED))
        await writer.put_seat(a_seat(finished, BERT, 0, status=SeatStatus.WITHDRAWN))

    async def found(**traits: Any) -> list[int]:
        async with store.read() as reader:
            return [table.id for table in await reader.tables(**traits)]

    assert await found() == [finished, elsewhere, threaded, here]
    assert await found(newest_first=False) == [here, threaded, elsewhere, finished]
    assert await found(limit=2) == [finished, elsewhere]
    assert await found(after=threaded) == [finished, elsewhere]
    assert await found(after=here, limit=2, newest_first=False) == [threaded, elsewhere]
    assert await found(guild_id=GUILD) == [finished, threaded, here]
    assert await found(channel_id=CHANNEL) == [finished, here]
    assert await found(channel_id=THREAD) == [threaded]
    assert await found(channel_id=OTHER_CHANNEL) == [threaded]
    assert await found(user_id=BERT) == [threaded, here]
    assert await found(user_id=CARL) == []
    assert await found(statuses=(Status.OPEN, Status.PLAYING)) == [elsewhere, threaded, here]
    assert await found(statuses=()) == []
    assert await found(game="pucks") == [threaded]
    assert await found(guild_id=GUILD, user_id=BERT, statuses={Status.OPEN}) == [here]


async def test_the_finished_games_of_a_person_are_found_also_those_they_left_the_last_to_end_first(store: Store) -> None:
    over = {"status": Status.FINISHED}
    async with store.write() as writer:
        long, short, elsewhere, closed, running = await keep(
            writer,
            {**over, "finished_at": 3000.0},
            {**over, "finished_at": 2000.0, "game": "pucks"},
            {**over, "finished_at": 2500.0, "guild_id": OTHER_GUILD},
            {"status": Status.CLOSED, "finished_at": 2600.0},
            {"status": Status.PLAYING},
        )
        await writer.put_seat(a_seat(long, BERT, 1, status=SeatStatus.WITHDRAWN))
        for table in (short, elsewhere, closed, running):
            await writer.put_seat(a_seat(table, BERT, 0))
        await writer.put_seat(a_seat(long, CARL, 0, status=SeatStatus.DECLINED))

    async def found(**traits: Any) -> list[int]:
        async with store.read() as reader:
            return [table.id for table in await reader.results(**traits)]

    assert await found(guild_id=GUILD, user_id=BERT) == [long, short]
    assert await found(guild_id=GUILD, user_id=BERT, limit=1) == [long]
    assert await found(guild_id=GUILD, user_id=BERT, game="pucks") == [short]
    assert await found(guild_id=OTHER_GUILD, user_id=BERT) == [elsewhere]
    assert await found(guild_id=GUILD, user_id=CARL) == []


async def test_seats_come_in_the_order_of_their_places(store: Store) -> None:
    async with store.write() as writer:
        one, two, none = await keep(writer, {}, {}, {})
        last, first, only = a_seat(one, ANNA, 1), a_seat(one, BERT, 0), a_seat(two, CARL, 0)
        for seat in (last, first, only):
            await writer.put_seat(seat)
    async with store.read() as reader:
        assert await reader.seats(one) == (first, last)
        assert await reader.seats_of([one, two, none]) == {one: (first, last), two: (only,), none: ()}
        assert await reader.seats_of([]) == {}


async def test_a_log_is_read_in_its_order_from_any_entry_on(store: Store) -> None:
    async with store.write() as writer:
        table_id, other = await keep(writer, {}, {})
        log = tuple(an_entry(table_id, number) for number in range(1, 13))
        for entry in log:
            await writer.append(entry)
        await writer.append(an_entry(other, 1))
    async with store.read() as reader:
        assert await reader.entries(table_id) == log
        assert await reader.entries(table_id, after=10) == log[10:]
        assert await reader.entries(table_id, after=12) == ()


async def test_an_entry_is_found_by_the_interaction_that_made_it(store: Store) -> None:
    async with store.write() as writer:
        (table_id,) = await keep(writer, {})
        entry = an_entry(table_id, 1, interaction_id=1234)
        await writer.append(entry)
    async with store.read() as reader:
        assert await reader.entry_by_interaction(1234) == entry
        assert await reader.entry_by_interaction(1235) is None


async def test_tables_are_due_when_a_deadline_or_a_notice_has_come(store: Store) -> None:
    playing = {"status": Status.PLAYING}
    async with store.write() as writer:
        late, later, noticed, to_come, finished, abandoned = await keep(
            writer,
            playing | {"deadline": 50.0, "notice_at": 40.0},
            playing | {"deadline": 60.0},
            {"notice_at": 45.0},
            playing | {"deadline": 101.0, "notice_at": 100.5},
            {"status": Status.FINISHED, "deadline": 10.0},
            {"status": Status.CLOSED, "notice_at": 10.0},
        )
    async with store.read() as reader:
        assert [table.id for table in await reader.due(100.0)] == [late, noticed, later]
        assert [table.id for table in await reader.due(100.0, limit=1)] == [late]
        assert [table.id for table in await reader.due(60.0)] == [late, noticed, later]
        assert [table.id for table in await reader.due(100.5)][-1] == to_come
        assert await reader.due(39.9) == ()
        assert await reader.next_due() == 40.0
    async with store.write() as writer:
        for table_id in (late, later, noticed):
            await writer.change_table(table_id, deadline=None, notice_at=None)
        assert await writer.next_due() == 100.5
        await writer.change_table(to_come, status=Status.FINISHED)
        assert await writer.next_due() is None
        assert {finished, abandoned} < {table.id for table in await writer.tables()}


async def test_errands_come_oldest_first_once_they_are_due(store: Store) -> None:
    async with store.write() as writer:
        (table_id,) = await keep(writer, {})
        assert await writer.next_job() is None
        second = await writer.enqueue(a_job(table_id, key="b", due=20.0))
        first = await writer.enqueue(a_job(table_id, key="a", due=10.0))
        third = await writer.enqueue(a_job(table_id, key="c", due=20.0))
        await writer.enqueue(a_job(table_id, key="d", due=30.0))
    async with store.read() as reader:
        assert await reader.jobs_due(20.0) == (first, second, third)
        assert await reader.jobs_due(20.0, limit=2) == (first, second)
        assert await reader.jobs_due(9.9) == ()
        assert await reader.next_job() == 10.0


async def test_whoever_has_set_nothing_has_the_defaults(store: Store) -> None:
    async with store.read() as reader:
        assert await reader.person(ANNA) == Person(user_id=ANNA)
        assert await reader.server(GUILD) == Server(guild_id=GUILD)


async def test_settings_are_kept_and_replaced(store: Store) -> None:
    anna = Person(
        user_id=ANNA,
        settings={"quiet": [22, 7], "zone": "Europe/Zürich"},
        vacation_from=1.5,
        vacation_until=2.5,
        vacation_days={"2026": 7.5},
    )
    server = Server(guild_id=GUILD, settings={"language": "de"})
    async with store.write() as writer:
        await writer.put_person(Person(user_id=ANNA, settings={"zone": "UTC"}))
        await writer.put_person(anna)
        await writer.put_server(Server(guild_id=GUILD))
        await writer.put_server(server)
    async with store.read() as reader:
        assert await reader.person(ANNA) == anna
        assert await reader.server(GUILD) == server


async def test_ratings_come_from_the_best_to_the_worst_by_what_is_certain(store: Store) -> None:
    lucky = a_rating(ANNA, mu=30.0, sigma=8.0, played=1, won=1)
    steady = a_rating(BERT, mu=27.0, sigma=2.0, played=40, won=25, drawn=5, lost=10)
    elsewhere = a_rating(BERT, guild_id=OTHER_GUILD)
    other_game = a_rating(BERT, game="pucks", mu=50.0)
    async with store.write() as writer:
        for rating in (lucky, replace(steady, mu=1.0), steady, elsewhere, other_game):
            await writer.put_rating(rating)
    async with store.read() as reader:
        assert await reader.ratings(guild_id=GUILD, game="bouncers") == (steady, lucky)
        assert await reader.ratings(guild_id=GUILD, game="bouncers", limit=1) == (steady,)
        assert await reader.ratings(guild_id=GUILD, game="bouncers", played_at_least=2) == (steady,)
        assert await reader.ratings(user_id=BERT) == (other_game, steady, elsewhere)
        assert await reader.rating(GUILD, BERT, "bouncers") == steady
        assert await reader.rating(GUILD, CARL, "bouncers") is None


async def test_watchers_are_kept_by_table_and_by_person(store: Store) -> None:
    async with store.write() as writer:
        one, two = await keep(writer, {}, {})
        for watch in (
            Watch(table_id=one, user_id=ANNA, what=WatchFor.TURN),
            Watch(table_id=two, user_id=ANNA, what=WatchFor.END),
        ):
            await writer.put_watch(watch)
        await writer.put_watch(Watch(table_id=one, user_id=ANNA, what=WatchFor.END))
        await writer.put_watch(Watch(table_id=one, user_id=BERT, what=WatchFor.TURN))
        await writer.remove_watch(two, BERT)
    async with store.read() as reader:
        assert [(watch.user_id, watch.what) for watch in await reader.watchers(one)] == [(ANNA, "end"), (BERT, "turn")]
        assert [watch.table_id for watch in await reader.watching(ANNA)] == [one, two]
    async with store.write() as writer:
        await writer.remove_watch(one, ANNA)
        assert [watch.table_id for watch in await writer.watching(ANNA)] == [two]


async def test_only_open_and_running_tables_of_this_server_count_as_a_persons_own(store: Store) -> None:
    async with store.write() as writer:
        await keep(writer, {}, {"status": Status.PLAYING}, {"status": Status.FINISHED}, {"status": Status.CLOSED})
        await keep(writer, {"guild_id": OTHER_GUILD}, {"opened_by": BERT})
    async with store.read() as reader:
        assert await reader.count_open(GUILD, ANNA) == 2
        assert await reader.count_open(GUILD, CARL) == 0


@pytest.mark.parametrize(
    "statement",
    [
        sa.select(actions).where(actions.c.table_id == 1, actions.c.number > 2).order_by(actions.c.number),
        sa.select(actions).where(actions.c.interaction_id == 1),
        sa.select(outbox).where(outbox.c.due <= 1.0).order_by(outbox.c.due, outbox.c.id),
    ],
)
async def test_what_every_click_asks_for_is_found_by_an_index(tmp_path: Path, statement: sa.Select[Any]) -> None:
    assert all("SCAN" not in step for step in await plan(tmp_path, statement))


async def test_the_sweep_of_deadlines_looks_at_no_table_that_is_not_due(tmp_path: Path) -> None:
    asked: list[sa.ClauseElement] = []

    def listen(connection: sa.Connection) -> None:
        sa.event.listen(connection, "before_execute", lambda _, statement, *__: asked.append(statement))

    store = await Store.open(tmp_path / "listened.db")
    async with store.read() as listener:
        await listener.run(listen)
        await listener.due(1.0)
        await listener.next_due()
        await listener.tables(guild_id=GUILD, statuses=[Status.OPEN])
        await listener.tables(channel_id=CHANNEL, statuses=[Status.PLAYING])
        await listener.tables(user_id=ANNA)
        await listener.count_open(GUILD, ANNA)
        await listener.ratings(guild_id=GUILD, game="bouncers")
    await store.close()
    assert len(asked) == 7
    for statement in asked:
        steps = await plan(tmp_path, statement)
        assert all("SCAN" not in step for step in steps if step != "SCAN CONSTANT ROW"), steps


async def plan(folder: Path, statement: sa.ClauseElement) -> list[str]:
    """How SQLite goes about a question; "SCAN" is said where it reads a whole table."""
    store = await Store.open(folder / "plan.db")
    text = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    async with store.read() as reader:
        rows = await reader.run(lambda connection: connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").mappings().all())
        steps = [str(row["detail"]) for row in rows]
    await store.close()
    return steps


async def test_a_table_with_a_seat_that_cannot_be_read_spoils_no_list(store: Store) -> None:
    async with store.write() as writer:
        sound, damaged = (await writer.add_table(a_table())).id, (await writer.add_table(a_table())).id
        for table_id in (sound, damaged):
            await writer.put_seat(a_seat(table_id, ANNA, 0))
            await writer.put_seat(a_seat(table_id, BERT, 1))
        bad = sa.text(f"UPDATE seats SET status = 'asleep' WHERE table_id = {damaged} AND user_id = {ANNA}")
        await writer._do(bad)
    async with store.read() as reader:
        assert [(table_id, len(there)) for table_id, there in (await reader.seats_of([sound, damaged])).items()] == [(sound, 2)]
        with pytest.raises(UnreadableRow, match="status: 'asleep' is not"):
            await reader.seats(damaged)


async def test_the_content_of_any_database_can_be_checked(store: Store) -> None:
    async with store.write() as writer:
        table = await writer.add_table(a_table(clock=-5))
        await writer.put_rating(a_rating(ANNA, sigma=-1.0))
        await writer.put_aside(table.id, "for a reason")
    found = await store.inspect(lambda connection: list(findings(connection)))
    for words in ("clock:", "sigma:", f"Table {table.id} is set aside: for a reason."):
        assert any(words in problem for problem in found), found
