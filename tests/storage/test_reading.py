from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from storage import queries
from storage.schema.errors import UnreadableRow
from storage.schema.jobs import is_of_question, question_key
from storage.schema.records import JobKind, Person, SeatStatus, Server, Status, Table, Watch, WatchFor
from storage.schema.tables import actions, outbox
from storage.store import Store, Writer
from storage.upkeep.consistency import findings
from tests.storage.reading_back import once, opened
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
    return [(await queries.tables.add(writer, a_table(**fields))).id for fields in tables]


async def test_a_table_that_does_not_exist_is_none(store: Store) -> None:
    assert await once(store.read(), queries.tables.get, 1) is None


async def test_tables_are_found_by_each_of_their_traits(store: Store) -> None:
    async with store.write() as writer:
        here, threaded, elsewhere, finished = await keep(
            writer, {}, {"channel_id": OTHER_CHANNEL, "thread_id": THREAD, "game": "pucks", "status": Status.PLAYING},
            {"guild_id": OTHER_GUILD, "channel_id": 1}, {"status": Status.FINISHED},
        )  # fmt: skip
        await queries.seats.put(writer, a_seat(here, BERT, 1, status=SeatStatus.INVITED))
        await queries.seats.put(writer, a_seat(threaded, BERT, 0))
        await queries.seats.put(writer, a_seat(elsewhere, BERT, 0, status=SeatStatus.DECLINED))
        await queries.seats.put(writer, a_seat(finished, BERT, 0, status=SeatStatus.WITHDRAWN))

    async def found(**traits: Any) -> list[int]:
        return [table.id for table in await once(store.read(), queries.tables.find, **traits)]

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


async def test_a_persons_finished_games_are_found_with_those_they_left_latest_first(store: Store) -> None:
    over = {"status": Status.FINISHED}
    async with store.write() as writer:
        long, short, elsewhere, closed, running = await keep(
            writer, {**over, "finished_at": 3000.0}, {**over, "finished_at": 2000.0, "game": "pucks"},
            {**over, "finished_at": 2500.0, "guild_id": OTHER_GUILD}, {"status": Status.CLOSED, "finished_at": 2600.0},
            {"status": Status.PLAYING},
        )  # fmt: skip
        await queries.seats.put(writer, a_seat(long, BERT, 1, status=SeatStatus.WITHDRAWN))
        for table in (short, elsewhere, closed, running):
            await queries.seats.put(writer, a_seat(table, BERT, 0))
        await queries.seats.put(writer, a_seat(long, CARL, 0, status=SeatStatus.DECLINED))

    async def found(**traits: Any) -> list[int]:
        return [table.id for table in await once(store.read(), queries.tables.results, **traits)]

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
            await queries.seats.put(writer, seat)
    async with store.read() as reader:
        assert await queries.seats.of_table(reader, one) == (first, last)
        assert await queries.seats.of_tables(reader, [one, two, none]) == {one: (first, last), two: (only,), none: ()}
        assert await queries.seats.of_tables(reader, []) == {}


async def test_a_log_is_read_in_its_order_from_any_entry_on(store: Store) -> None:
    async with store.write() as writer:
        table_id, other = await keep(writer, {}, {})
        log = tuple(an_entry(table_id, number) for number in range(1, 13))
        for entry in log:
            await queries.entries.append(writer, entry)
        await queries.entries.append(writer, an_entry(other, 1))
    async with store.read() as reader:
        assert await queries.entries.of_table(reader, table_id) == log
        assert await queries.entries.of_table(reader, table_id, after=10) == log[10:]
        assert await queries.entries.of_table(reader, table_id, after=12) == ()


async def test_an_entry_is_found_by_the_interaction_that_made_it(store: Store) -> None:
    async with store.write() as writer:
        (table_id,) = await keep(writer, {})
        entry = an_entry(table_id, 1, interaction_id=1234)
        await queries.entries.append(writer, entry)
    async with store.read() as reader:
        assert await queries.entries.by_interaction(reader, 1234) == entry
        assert await queries.entries.by_interaction(reader, 1235) is None


async def test_tables_are_due_when_a_deadline_or_a_notice_has_come(store: Store) -> None:
    playing = {"status": Status.PLAYING}
    late, later, noticed, to_come, finished, abandoned = await once(
        store.write(), keep, playing | {"deadline": 50.0, "notice_at": 40.0}, playing | {"deadline": 60.0},
        {"notice_at": 45.0}, playing | {"deadline": 101.0, "notice_at": 100.5}, {"status": Status.FINISHED, "deadline": 10.0},
        {"status": Status.CLOSED, "notice_at": 10.0},
    )  # fmt: skip
    async with store.read() as reader:
        assert [table.id for table in await queries.clocks.due(reader, 100.0)] == [late, noticed, later]
        assert [table.id for table in await queries.clocks.due(reader, 100.0, limit=1)] == [late]
        assert [table.id for table in await queries.clocks.due(reader, 60.0)] == [late, noticed, later]
        assert [table.id for table in await queries.clocks.due(reader, 100.5)][-1] == to_come
        assert await queries.clocks.due(reader, 39.9) == ()
        assert await queries.clocks.next_due(reader, 0.0) == 40.0
    async with store.write() as writer:
        for table_id in (late, later, noticed):
            await queries.tables.change(writer, table_id, deadline=None, notice_at=None)
        assert await queries.clocks.next_due(writer, 0.0) == 100.5
        await queries.tables.change(writer, to_come, status=Status.FINISHED)
        assert await queries.clocks.next_due(writer, 0.0) is None
        assert {finished, abandoned} < {table.id for table in await queries.tables.find(writer)}


async def test_jobs_come_oldest_first_once_they_are_due(store: Store) -> None:
    async with store.write() as writer:
        (table_id,) = await keep(writer, {})
        assert await queries.jobs.next_due(writer) is None
        second = await queries.jobs.enqueue(writer, a_job(table_id, key="b", due=20.0))
        first = await queries.jobs.enqueue(writer, a_job(table_id, key="a", due=10.0))
        third = await queries.jobs.enqueue(writer, a_job(table_id, key="c", due=20.0))
        await queries.jobs.enqueue(writer, a_job(table_id, key="d", due=30.0))
    async with store.read() as reader:
        assert await queries.jobs.due(reader, 20.0) == (first, second, third)
        assert await queries.jobs.due(reader, 20.0, limit=2) == (first, second)
        assert await queries.jobs.due(reader, 9.9) == ()
        assert await queries.jobs.next_due(reader) == 10.0


async def test_people_who_have_set_nothing_have_the_defaults(store: Store) -> None:
    async with store.read() as reader:
        assert await queries.people.get(reader, ANNA) == Person(user_id=ANNA)
        assert await queries.servers.get(reader, GUILD) == Server(guild_id=GUILD)


async def test_settings_are_kept_and_replaced(store: Store) -> None:
    anna = Person(
        user_id=ANNA, settings={"quiet": [22, 7], "zone": "Europe/Zürich"}, vacation_from=1.5, vacation_until=2.5,
        vacation_days={"2026": 7.5},
    )  # fmt: skip
    server = Server(guild_id=GUILD, settings={"language": "de"})
    async with store.write() as writer:
        await queries.people.put(writer, Person(user_id=ANNA, settings={"zone": "UTC"}))
        await queries.people.put(writer, anna)
        await queries.servers.put(writer, Server(guild_id=GUILD))
        await queries.servers.put(writer, server)
    async with store.read() as reader:
        assert await queries.people.get(reader, ANNA) == anna
        assert await queries.servers.get(reader, GUILD) == server


async def test_ratings_come_from_the_best_to_the_worst(store: Store) -> None:
    lucky = a_rating(ANNA, mu=29.0, sigma=8.0, played=1, won=1)
    steady = a_rating(BERT, mu=30.0, sigma=2.0, played=40, won=25, drawn=5, lost=10)
    elsewhere = a_rating(BERT, guild_id=OTHER_GUILD)
    other_game = a_rating(BERT, game="pucks", mu=50.0)
    async with store.write() as writer:
        for rating in (lucky, replace(steady, mu=1.0), steady, elsewhere, other_game):
            await queries.ratings.put(writer, rating)
    async with store.read() as reader:
        assert await queries.ratings.find(reader, guild_id=GUILD, game="bouncers") == (steady, lucky)
        assert await queries.ratings.find(reader, guild_id=GUILD, game="bouncers", limit=1) == (steady,)
        assert await queries.ratings.find(reader, guild_id=GUILD, game="bouncers", played_at_least=2) == (steady,)
        assert await queries.ratings.find(reader, user_id=BERT) == (other_game, steady, elsewhere)
        assert await queries.ratings.get(reader, GUILD, BERT, "bouncers") == steady
        assert await queries.ratings.get(reader, GUILD, CARL, "bouncers") is None


async def test_watchers_are_kept_by_table_and_by_person(store: Store) -> None:
    async with store.write() as writer:
        one, two = await keep(writer, {}, {})
        for watch in (
            Watch(table_id=one, user_id=ANNA, what=WatchFor.TURN),
            Watch(table_id=two, user_id=ANNA, what=WatchFor.END),
        ):
            await queries.seats.put_watch(writer, watch)
        await queries.seats.put_watch(writer, Watch(table_id=one, user_id=ANNA, what=WatchFor.END))
        await queries.seats.put_watch(writer, Watch(table_id=one, user_id=BERT, what=WatchFor.TURN))
        await queries.seats.remove_watch(writer, two, BERT)
    async with store.read() as reader:
        assert [(watch.user_id, watch.what) for watch in await queries.seats.watches_of_table(reader, one)] == [
            (ANNA, "end"),
            (BERT, "turn"),
        ]
        assert [watch.table_id for watch in await queries.seats.watches_of_user(reader, ANNA)] == [one, two]
    async with store.write() as writer:
        await queries.seats.remove_watch(writer, one, ANNA)
        assert [watch.table_id for watch in await queries.seats.watches_of_user(writer, ANNA)] == [two]


async def test_only_open_and_running_tables_of_this_server_count_as_a_persons_own(store: Store) -> None:
    async with store.write() as writer:
        await keep(writer, {}, {"status": Status.PLAYING}, {"status": Status.FINISHED}, {"status": Status.CLOSED})
        await keep(writer, {"guild_id": OTHER_GUILD}, {"opened_by": BERT})
    async with store.read() as reader:
        assert await queries.tables.count_open(reader, GUILD, ANNA) == 2
        assert await queries.tables.count_open(reader, GUILD, CARL) == 0


@pytest.mark.parametrize(
    "statement",
    [
        sa.select(actions).where(actions.c.table_id == 1, actions.c.number > 2).order_by(actions.c.number),
        sa.select(actions).where(actions.c.interaction_id == 1),
        sa.select(outbox).where(outbox.c.due <= 1.0).order_by(outbox.c.due, outbox.c.id),
    ],
)
async def test_queries_of_every_click_use_an_index(tmp_path: Path, statement: sa.Select[Any]) -> None:
    assert all("SCAN" not in step for step in await plan(tmp_path, statement))


async def test_the_sweep_of_deadlines_looks_at_no_table_that_is_not_due(tmp_path: Path) -> None:
    asked: list[sa.ClauseElement] = []

    def listen(connection: sa.Connection) -> None:
        sa.event.listen(connection, "before_execute", lambda _, statement, *__: asked.append(statement))

    async with opened(tmp_path / "listened.db") as store, store.read() as listener:
        await listener.run(listen)
        await queries.clocks.due(listener, 1.0)
        await queries.clocks.next_due(listener, 0.0)
        await queries.tables.find(listener, guild_id=GUILD, statuses=[Status.OPEN])
        await queries.tables.find(listener, channel_id=CHANNEL, statuses=[Status.PLAYING])
        await queries.tables.find(listener, user_id=ANNA)
        await queries.tables.count_open(listener, GUILD, ANNA)
        await queries.ratings.find(listener, guild_id=GUILD, game="bouncers")
    assert len(asked) == 7
    for statement in asked:
        steps = await plan(tmp_path, statement)
        assert all("SCAN" not in step for step in steps if step != "SCAN CONSTANT ROW"), steps


async def plan(folder: Path, statement: sa.ClauseElement) -> list[str]:
    """How SQLite plans a query; "SCAN" marks a read of a whole table."""
    async with opened(folder / "plan.db") as store:
        text = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
        async with store.read() as reader:
            rows = await reader.run(
                lambda connection: connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}").mappings().all()
            )
            steps = [str(row["detail"]) for row in rows]
    return steps


async def test_a_table_with_a_seat_that_cannot_be_read_spoils_no_list(store: Store) -> None:
    async with store.write() as writer:
        sound, damaged = (await queries.tables.add(writer, a_table())).id, (await queries.tables.add(writer, a_table())).id
        for table_id in (sound, damaged):
            await queries.seats.put(writer, a_seat(table_id, ANNA, 0))
            await queries.seats.put(writer, a_seat(table_id, BERT, 1))
        bad = sa.text(f"UPDATE seats SET status = 'asleep' WHERE table_id = {damaged} AND user_id = {ANNA}")
        await writer.execute(bad)
    async with store.read() as reader:
        assert [
            (table_id, len(there)) for table_id, there in (await queries.seats.of_tables(reader, [sound, damaged])).items()
        ] == [(sound, 2)]
        with pytest.raises(UnreadableRow, match="status: 'asleep' is not"):
            await queries.seats.of_table(reader, damaged)


async def test_the_content_of_any_database_can_be_checked(store: Store) -> None:
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(clock=-5))
        await queries.ratings.put(writer, a_rating(ANNA, sigma=-1.0))
        await queries.quarantine.put(writer, table.id, "for a reason")
    found = await store.inspect(lambda connection: list(findings(connection)))
    for words in ("clock:", "sigma:", f"Table {table.id} is set aside: for a reason."):
        assert any(words in problem for problem in found), found


@pytest.mark.parametrize("kind", [*JobKind])
async def test_a_job_with_a_payload_of_another_kind_is_left_out_of_every_list(
    kind: JobKind, store: Store, table: Table
) -> None:
    async with store.write() as writer:
        good = await queries.jobs.enqueue(writer, a_job(table.id, kind=JobKind.REMINDER, key="good"))
        key = "draw" if kind is JobKind.OFFER else "5"
        bad = a_job(table.id, kind=kind, key=key)
        bad = await queries.jobs.enqueue(
            writer, replace(bad, payload=dict.fromkeys(("user", "silent", "answered", "declined", "to"), "x"))
        )
    async with store.read() as reader:
        known = {
            job.id
            for job in (
                *await queries.jobs.due(reader, 2000.0),
                *await queries.jobs.unfinished(reader),
                *await queries.jobs.reminders(reader),
            )
        }
        unread = {error.row_id for error in reader.unreadable}
    says_nothing = kind in {JobKind.REFRESH, JobKind.LOBBY, JobKind.INVITATION, JobKind.SET_ASIDE, JobKind.POST}
    assert (known, unread) == (({good.id, bad.id}, set()) if says_nothing else ({good.id}, {bad.id}))


@pytest.mark.parametrize(
    ("key", "payload", "readable"),
    [
        ("5", {"channel": 6, "message": 5, "version": 0, "since": 0}, True),
        ("5", {"channel": 6, "message": 5, "how": "lapsed"}, False),
        ("question-5", {"channel": 6, "message": 5, "how": "lapsed"}, True),
        ("question-5", {"channel": 6, "message": 5, "how": "agreed", "offer": "draw", "seat": 1}, True),
        ("question-5", {"channel": 6, "message": 5, "version": 0, "since": 0}, False),
        ("question-5", {"channel": 6, "message": 5, "how": "somehow"}, False),
        ("question-5", {"channel": 6, "message": 5, "how": "lapsed", "offer": "tea"}, False),
    ],
)
async def test_the_buttons_of_boards_and_of_questions_are_taken_off_by_jobs_with_keys_and_payloads_of_their_own(
    key: str, payload: dict[str, Any], readable: bool, store: Store, table: Table
) -> None:
    async with store.write() as writer:
        written = replace(a_job(table.id, kind=JobKind.RETIRE, key=key), payload=payload)
        job = await queries.jobs.enqueue(writer, written)
        assert await queries.jobs.is_readable(writer, job.id) == readable
    assert is_of_question(written) == key.startswith("question-")
    assert question_key(5) == "question-5"


async def test_pings_are_found_by_who_caused_them_oldest_first_until_forgotten(store: Store) -> None:
    async with store.write() as writer:
        await queries.people.add_pings(writer, ANNA, [BERT, CARL], 1000.0)
        await queries.people.add_pings(writer, BERT, [CARL], 1001.0)
        await queries.people.add_pings(writer, ANNA, [BERT], 1002.0)
        await queries.people.add_pings(writer, ANNA, [], 1003.0)
    async with store.write() as writer:
        assert [(ping.to_user, ping.at) for ping in await queries.people.pings_by(writer, ANNA, 999.0)] == [
            (BERT, 1000.0),
            (CARL, 1000.0),
            (BERT, 1002.0),
        ]
        assert [ping.at for ping in await queries.people.pings_by(writer, ANNA, 1000.0)] == [1002.0]
        await queries.people.forget_pings(writer, 1001.0)
        assert [ping.at for ping in await queries.people.pings_by(writer, ANNA, 0.0)] == [1002.0]
        assert await queries.people.pings_by(writer, BERT, 0.0) == ()
