"""Moving a database: everything arrives as it was, or nothing does, and no number is given twice."""

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from bot.features.analysis import sql as analysis_sql
from bot.features.computers import sql as computers_sql
from bot.features.ladders import sql as ladders_sql
from bot.features.matchmaking import sql as matchmaking_sql
from bot.features.plans import sql as plans_sql
from bot.features.posts import sql as posts_sql
from bot.features.puzzles import sql as puzzles_sql
from bot.features.reviews import sql as reviews_sql
from bot.features.tournaments import sql as tournaments_sql
from storage import queries
from storage.cluster.leases import Leases
from storage.connections.addresses import address_of
from storage.connections.server import ALONE
from storage.connections.versions import NEWEST
from storage.schema.kinds import TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.ladder_records import Ladder
from storage.schema.puzzle_records import VoidedDay
from storage.schema.records import (
    Choice,
    Contribution,
    EntryKind,
    Heartbeat,
    Outage,
    Person,
    Review,
    Server,
    Standing,
    Status,
    Thinking,
    Watch,
    WatchFor,
)
from storage.schema.structures import TournamentAct, TournamentGame, TournamentRound
from storage.store import StorageError, Store
from storage.upkeep.moving import move
from tests.databases import PostgreSQL, tell
from tests.forking import Tell, fork, rest_of
from tests.storage.reading_back import once, opened
from tests.storage.samples import (
    ANNA,
    BERT,
    CARL,
    GUILD,
    OTHER_GUILD,
    a_departure,
    a_job,
    a_ladder_badge,
    a_ladder_place,
    a_plan,
    a_post,
    a_puzzle_attempt,
    a_puzzle_rating,
    a_rating,
    a_seat,
    a_seek,
    a_solver_rating,
    a_table,
    a_tournament,
    a_tournament_entry,
    an_analysis,
    an_entry,
)


def untold(done: int, total: int) -> None:
    pass


async def fill(database: str | Path) -> None:
    """Something in every table, at the edges of what its columns hold, and numbers whose rows are gone."""
    async with opened(database) as store:
        async with store.write() as writer:
            for number in range(1, 5):
                known = {"seed": bytes(range(32)), "options": {"größe": "8×8 🐇"}, "event_id": 1 if number == 1 else None}
                await queries.tables.add(writer, a_table(status=Status.PLAYING, version=2, **known))
                await queries.seats.put(writer, a_seat(number, ANNA, 0, name='O\'Brien "Ann" \\ \U0001f407'))
                await queries.seats.put(writer, a_seat(number, -BERT, 1, name="", asked_at=0.1 + 0.2))
                await queries.entries.append(
                    writer, an_entry(number, 1, interaction_id=2**63 - number, link="ab" * 32, fired=True)
                )
                await queries.entries.append(
                    writer, an_entry(number, 2, kind=EntryKind.UNDO, tokens=(), user_id=None, at=1e9 + 1 / 3)
                )
                await queries.jobs.enqueue(writer, a_job(number, payload={"deep": [{"a": None, "b": 1.5, "ü": "\u2028"}]}))
            await queries.seats.put_departure(writer, a_departure(1, CARL, 1))
            await queries.entries.put_contribution(
                writer, Contribution(table_id=2, interaction_id=2**62, user_id=ANNA, word="luck 🍀")
            )
            await plans_sql.put(writer, a_plan(1, ANNA, 0))
            await computers_sql.put(writer, Thinking(table_id=1, version=2, due=5.5, asked=(0, 1), created_at=4.25))
            standings, choices = (Standing(0, (0.5, 0.5)),), (Choice(1, 0.1, 1 / 3, ((0, ("c2", "c3")),)),)
            await reviews_sql.put(
                writer, Review(table_id=1, reviewer=1, version=2, asked_at=7.0, done=True, standings=standings, choices=choices)
            )
            for person, game in ((ANNA, "Pucks"), (ANNA, "bouncers"), (BERT, "_"), (BERT, "éclair")):
                await queries.ratings.put(writer, a_rating(person, game=game, sigma=8.0 / 3))
            await queries.people.put(
                writer, Person(user_id=ANNA, settings={"zone": "Europe/Berlin"}, vacation_days={"2026": 7.5})
            )
            await queries.servers.put(writer, Server(guild_id=GUILD, settings={"channels": [1, 2]}, left_at=99.5))
            for person in (ANNA, BERT):
                await analysis_sql.add(writer, an_analysis(person), most=20)
                await puzzles_sql.put(writer, a_puzzle_attempt(person, name='O\'Brien "Ann" \\ \U0001f407'))
                await puzzles_sql.put_solver_rating(writer, a_solver_rating(person))
            undecided: dict[str, Any] = {
                "outcome": None, "ended_at": None, "ongoing": True, "solved": 0, "streak": None, "forgiven": None,
            }  # fmt: skip
            await puzzles_sql.put(writer, a_puzzle_attempt(CARL, guild_id=None, day=None, day_ends=None, **undecided))
            await puzzles_sql.put_puzzle_rating(writer, a_puzzle_rating())
            await puzzles_sql.void(writer, VoidedDay(day=3, at=0.1 + 0.2))
            for post in (a_post(), a_post(OTHER_GUILD, role_id=2**63 - 1, due=None, refused=50013)):
                await posts_sql.put(writer, post)
            for person, since in ((ANNA, 0.1 + 0.2), (BERT, None)):
                waits = {"since": since, "until": since, "remaining": int(since is not None)}
                await matchmaking_sql.put(writer, a_seek(person, name='O\'Brien "Ann" \\ \U0001f407', **waits))
                await ladders_sql.put_place(writer, a_ladder_place(person, place=person - ANNA + 1, name="Ö 🪜"))
                await ladders_sql.put_badge(writer, a_ladder_badge(person, place=person - ANNA + 1))
            await ladders_sql.put(writer, Ladder(guild_id=GUILD, game="bouncers", season=8105, looked_at=0.1 + 0.2))
            await matchmaking_sql.avoid(writer, ANNA, (BERT, 2**63 - 1), 1000.0)
            rounds = (
                TournamentRound(games=(TournamentGame(seats=(1, 2), table_id=1, places=(1, 1), timeouts=(0, 2)),), byes=(3,)),
            )
            acts = (TournamentAct(at=0.1 + 0.2, deed=TournamentDeed.DECIDED, by=TournamentActor.MANAGER, round=0, game=0),)
            for name in ("Ö 🏆", "gone"):
                event = a_tournament(
                    name=name, rounds=rounds, forced=((1, 2), (3,)), acts=acts, outages=((0.1 + 0.2, 1.5),), lots=bytes(32),
                    status=TournamentStatus.RUNNING,
                )  # fmt: skip
                event = await tournaments_sql.add(writer, event)
                for number, press in ((1, 2**63 - 1), (2, None), (3, 5)):
                    await tournaments_sql.put_entry(
                        writer, a_tournament_entry(ANNA, event_id=event.id, number=number, press=press)
                    )
            await queries.seats.put_watch(writer, Watch(table_id=1, user_id=CARL, what=WatchFor.END))
            await queries.people.add_pings(writer, ANNA, [BERT, CARL], 1000.0)
            for name in ("main", "shard 0 of 2", "Shard 1 of 2"):
                await queries.heartbeats.put(
                    writer, Heartbeat(name=name, at=1234.5, halted="The clock …" if name == "main" else None)
                )
                await queries.heartbeats.add_outage(writer, Outage(name=name, since=1.5, until=1234.5))
        # The last of each are gone, but were known to somebody.
        async with store.write() as writer:
            for gone in ("tables WHERE id = 4", "outbox WHERE id > 2", "pings WHERE id > 1"):
                await writer.execute(sa.text(f"DELETE FROM {gone}"))
            for gone in ("outages WHERE id > 2", "analyses WHERE id > 1", "events WHERE id > 1"):
                await writer.execute(sa.text(f"DELETE FROM {gone}"))
        await Leases(store).add("shard 0 of 1")
        await Leases(store).claim("shard 0 of 1", "somebody", 60.0)


@pytest.fixture
async def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite3"
    await fill(path)
    return path


@pytest.fixture
async def server(postgresql: PostgreSQL) -> str:
    """An empty database on the PostgreSQL server, as a target must be."""
    await postgresql.clear()
    return postgresql.url


@pytest.fixture
async def another_server(postgresql: PostgreSQL) -> AsyncIterator[str]:
    """One more database on the PostgreSQL server."""
    url = make_url(postgresql.url)
    name = f"{url.database}_2"
    await tell(postgresql.url, f'CREATE DATABASE "{name}"')
    yield url.set(database=name).render_as_string(hide_password=False)
    await tell(postgresql.url, f'DROP DATABASE "{name}" WITH (FORCE)')


def content(path: Path, *, leases: bool = False) -> list[str]:
    """Everything in a file, with the numbers it has given."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda text: text.decode(errors="backslashreplace")
        lines = list(connection.iterdump())
    return sorted(line for line in lines if leases or 'INSERT INTO "leases"' not in line)


def files(path: Path) -> dict[str, bytes]:
    """A database's files as they are."""
    return {end: beside.read_bytes() for end in ("", "-wal", "-shm") if (beside := path.with_name(path.name + end)).exists()}


async def tables_on(server: str) -> int:
    with psycopg.connect(server) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    assert found is not None
    return int(found[0])


def change(path: Path, *statements: str) -> None:
    """Do to a database what the store never would."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


async def test_everything_goes_to_a_server_and_comes_back_as_it_was(games: Path, server: str, tmp_path: Path) -> None:
    before, back = files(games), tmp_path / "back.sqlite3"
    there = await move(games, server, untold)
    assert files(games) == before
    assert all(there.rows.values()), "a table of the sample is empty"
    assert there.rows["tables"] == 3
    assert "leases" not in there.rows
    again = await move(server, back, untold)
    assert again == there
    assert content(back) == content(games)
    assert content(back, leases=True) != content(games, leases=True)
    assert not back.stat().st_mode & 0o077


async def test_everything_goes_to_another_file_and_to_another_server(
    games: Path, server: str, another_server: str, tmp_path: Path
) -> None:
    await move(games, tmp_path / "one.sqlite3", untold)
    await move(tmp_path / "one.sqlite3", server, untold)
    await move(server, another_server, untold)
    await move(another_server, tmp_path / "two.sqlite3", untold)
    assert content(tmp_path / "one.sqlite3") == content(games)
    assert content(tmp_path / "two.sqlite3") == content(games)


async def test_the_log_of_a_killed_bot_is_moved_and_stays(games: Path, server: str, tmp_path: Path) -> None:
    async with opened(games) as store:
        await once(store.write(), queries.heartbeats.put, Heartbeat(name="newest", at=5000.0))
        # As if it were killed now: the newest row is in the log alone.
        copy = tmp_path / "killed.sqlite3"
        for end in ("", "-wal"):
            shutil.copy(games.with_name(games.name + end), copy.with_name(copy.name + end))
    before = files(copy)
    await move(copy, server, untold)
    assert files(copy) == before
    async with opened(server) as moved:
        assert "newest" in {beat.name for beat in await once(moved.read(), queries.heartbeats.find)}


@pytest.mark.slow
async def test_no_number_is_given_twice_even_if_its_row_is_gone(games: Path, address: str) -> None:
    await move(games, address, untold)
    async with opened(address) as store, store.write() as writer:
        table = await queries.tables.add(writer, a_table())
        job = await queries.jobs.enqueue(writer, a_job(table.id))
        await queries.people.add_pings(writer, ANNA, [CARL], 2000.0)
        event = await tournaments_sql.add(writer, a_tournament())
        numbers = (await writer.execute(sa.text("SELECT id FROM pings"))).scalars().all()
    assert (table.id, job.id, event.id, list(numbers)) == (5, 5, 3, [1, 3])


async def test_a_database_without_anything_in_it_can_be_moved(tmp_path: Path, address: str) -> None:
    source = tmp_path / "new.sqlite3"
    await (await Store.open(source)).close()
    told: list[tuple[int, int]] = []
    there = await move(source, address, lambda done, total: told.append((done, total)))
    assert set(there.rows.values()) == {0}
    assert told == [(0, 0)]


async def test_progress_is_reported(games: Path, address: str) -> None:
    told: list[tuple[int, int]] = []
    there = await move(games, address, lambda done, total: told.append((done, total)))
    total = 2 * sum(there.rows.values())
    assert {of for _, of in told} == {total}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (total, total)


@pytest.mark.slow
async def test_batches_leave_nothing_out(games: Path, address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("storage.upkeep.moving_rows.BATCH", 2)
    await move(games, address, untold)
    await move(address, tmp_path / "back.sqlite3", untold)
    assert content(tmp_path / "back.sqlite3") == content(games)


async def refused(source: str | Path, target: str | Path, why: str) -> str:
    """The reason why a database is not moved."""
    with pytest.raises(StorageError, match=why) as error:
        await move(source, target, untold)
    return str(error.value)


async def test_a_database_that_a_bot_is_using_is_not_moved(games: Path, server: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.sqlite3"
    bot = await Store.open(games)
    await refused(games, server, "Another Springboard .* is using the database .*games")
    await bot.close()
    await move(games, server, untold)
    for alone in (True, False):
        async with opened(server, alone=alone) as bot:
            told = await refused(server, elsewhere, "Another Springboard is using the database")
            assert str(address_of(server)) in told
    assert not elsewhere.exists()


async def test_a_server_is_not_moved_away_from_a_bot_that_has_lost_its_connection_for_a_moment(
    games: Path, server: str, tmp_path: Path
) -> None:
    await move(games, server, untold)
    async with opened(server, alone=False) as bot:
        await Leases(bot).add("process 1")
        await Leases(bot).claim("process 1", "1", 60.0)
    await refused(server, tmp_path / "elsewhere.sqlite3", "was using the database some seconds ago")
    await tell(server, "UPDATE leases SET expires = 1000.0")
    await move(server, tmp_path / "elsewhere.sqlite3", untold)


async def test_nothing_is_moved_to_a_database_that_a_bot_is_using(games: Path, server: str, tmp_path: Path) -> None:
    for target in (server, str(tmp_path / "there.sqlite3")):
        async with opened(target):
            await refused(games, target, "Another Springboard .*is using the database")


async def test_no_bot_can_begin_while_a_database_is_moved(games: Path, server: str) -> None:
    found: list[bool] = []

    def look(done: int, total: int) -> None:
        # The move goes on when this returns, so that it needs a loop of its own.
        thread = threading.Thread(target=lambda: found.append(asyncio.run(_kept_away(games, server))))
        thread.start()
        thread.join()

    await move(games, server, look)
    assert found
    assert all(found)


async def _kept_away(games: Path, server: str) -> bool:
    """Whether no bot can begin, alone or with others, on a file and on a server."""
    with pytest.raises(StorageError, match="is using the database"):
        await Store.open(games)
    with psycopg.connect(server) as connection:
        return connection.execute("SELECT pg_try_advisory_lock_shared(%s)", [ALONE]).fetchone() == (False,)


async def test_a_database_is_not_moved_over_another(games: Path, server: str, tmp_path: Path) -> None:
    await refused(games, games, "cannot be moved to itself")
    await move(games, server, untold)
    await refused(server, server, "cannot be moved to itself")
    await refused(server, games, "is there already")
    await refused(games, server, "is not empty: it has rows in .*tables")
    lost = tmp_path / "lost.sqlite3"
    lost.with_name("lost.sqlite3-wal").write_bytes(b"x")
    await refused(games, lost, "seems to have been moved")


async def test_a_server_that_a_bot_has_made_ready_but_nobody_has_played_on_is_empty(games: Path, server: str) -> None:
    async with opened(server) as bot:
        await Leases(bot).add("shard 0 of 1")
    assert (await move(games, server, untold)).rows["tables"] == 3


async def test_only_a_database_of_this_version_is_moved(games: Path, server: str, tmp_path: Path) -> None:
    await refused(tmp_path / "nothing.sqlite3", server, "There is no database")
    assert not (tmp_path / "nothing.sqlite3.lock").exists()
    await refused(server, tmp_path / "a.sqlite3", "There is nothing in")
    empty = tmp_path / "empty.sqlite3"
    empty.touch()
    await refused(empty, server, "There is nothing in")
    change(games, "UPDATE alembic_version SET version_num = '0021'")
    before = files(games)
    await refused(games, server, "is of an older Springboard. Start the bot of this version once")
    change(games, "UPDATE alembic_version SET version_num = '9999'")
    await refused(games, server, "was last used by a newer Springboard")
    assert files(games).keys() == before.keys()
    await tell(server, "CREATE TABLE of_others (number int)")
    change(games, f"UPDATE alembic_version SET version_num = '{NEWEST}'")
    await refused(games, server, "the tables of another program")
    games.write_bytes(b"x" * 10000)
    await refused(games, tmp_path / "b.sqlite3", "is damaged, or is no database at all")
    assert await tables_on(server) == 1


async def test_a_damaged_file_is_not_moved(games: Path, server: str) -> None:
    whole = games.read_bytes()
    games.write_bytes(whole[: len(whole) // 2])
    await refused(games, server, "damaged")
    assert await tables_on(server) == 0


STRANGE = (
    ("UPDATE actions SET at = 'noon' WHERE table_id = 2 AND number = 1", "actions (table_id 2, number 1): at: it is a text"),
    (
        "UPDATE actions SET seat = 3000000000 WHERE table_id = 1",
        "actions (table_id 1, number 2): seat: it has more than 32 bits",
    ),
    ("UPDATE seats SET place = 1.5 WHERE table_id = 1", "seats (table_id 1, user_id 70000000000000001): place: it is a number"),
    ("UPDATE seats SET name = 'a' || char(0) || 'b' WHERE table_id = 3", "name: it contains the character NUL"),
    ("UPDATE seats SET name = CAST(x'6fff' AS TEXT) WHERE table_id = 3", "name: it is no text ('utf-8' codec"),
    ("UPDATE tables SET rated = 7 WHERE id = 2", "tables (id 2): rated: it is a number"),
    ("UPDATE outbox SET payload = '{' WHERE id = 1", "outbox (id 1): payload: "),
    ("UPDATE people SET settings = 5", "people (user_id 70000000000000001): settings: it is a number"),
    ("UPDATE heartbeats SET halted = x'00ff' WHERE name = 'main'", "heartbeats (name 'main'): halted: it is bytes"),
    ("DELETE FROM tables WHERE id = 2", "(table_id 2"),
)


@pytest.mark.parametrize(("damage", "told"), STRANGE)
async def test_a_row_that_a_server_cannot_hold_is_named_and_nothing_is_moved(
    games: Path, server: str, damage: str, told: str
) -> None:
    change(games, damage)
    before = files(games)
    reason = await refused(games, server, "Nothing was moved, because of rows that the other database cannot hold")
    assert told in reason
    assert "INSERT" not in reason
    assert files(games) == before
    assert await tables_on(server) == 0


async def test_all_rows_that_a_server_cannot_hold_are_named_at_once_unless_they_are_many(games: Path, server: str) -> None:
    change(games, *(damage for damage, _ in STRANGE[:-1]))
    reason = await refused(games, server, "Nothing was moved")
    for table in ("actions", "seats", "tables", "people", "heartbeats"):
        assert f"The row of {table} (" in reason
    change(games, *(f"INSERT INTO pings (by_user, to_user, at) VALUES (1, 2, 'x{number}')" for number in range(50)))
    reason = await refused(games, server, "There may be more")
    assert len(reason.splitlines()) == 22


async def test_a_file_holds_whatever_a_file_has_held(games: Path, tmp_path: Path) -> None:
    change(games, *(damage for damage, _ in STRANGE[:-1]), "UPDATE seats SET name = x'00ff' WHERE table_id = 1")
    there = await move(games, tmp_path / "copy.sqlite3", untold)
    assert content(tmp_path / "copy.sqlite3") == content(games)
    assert any("A row of actions cannot be read" in sentence for sentence in there.findings)


async def test_unreadable_rows_that_the_target_can_hold_are_moved_and_reported(
    games: Path, server: str, tmp_path: Path
) -> None:
    change(
        games,
        "UPDATE seats SET status = 'dancing' WHERE table_id = 1 AND place = 0",
        "UPDATE tables SET version = 7 WHERE id = 2",
    )
    change(games, """UPDATE outbox SET payload = '["no", "object"]' WHERE id = 1""")
    there = await move(games, server, untold)
    found = (
        "Table 2 says that its log has 7 entries", "User 70000000000000001 has planned ahead at table 1",
        "Computers are to think at table 1", "Table 1 has a review", "A row of seats cannot be read",
        "A row of outbox cannot be read",
    )  # fmt: skip
    assert len(there.findings) == len(found), there.findings
    assert all(one.startswith(words) for one, words in zip(there.findings, found, strict=True)), there.findings
    assert (await move(server, tmp_path / "back.sqlite3", untold)).findings == there.findings
    assert content(tmp_path / "back.sqlite3") == content(games)


async def test_a_server_that_stores_something_else_is_found_out(games: Path, server: str) -> None:
    await (await Store.open(server)).close()
    await tell(
        server,
        "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.at = NEW.at + 1e-6; RETURN NEW; END'",
        "CREATE TRIGGER spoiling BEFORE INSERT ON actions FOR EACH ROW WHEN (NEW.number = 2) EXECUTE FUNCTION spoil()",
    )
    await refused(games, server, r"The row of actions \(table_id 1, number 2\) is not the same in both: at\. Nothing was moved")
    await tell(server, "CREATE RULE swallowing AS ON INSERT TO watches DO INSTEAD NOTHING", "DROP TRIGGER spoiling ON actions")
    await refused(games, server, r"The row of watches .* is in one of the two databases only")
    async with opened(server) as store:
        assert await once(store.read(), queries.tables.find) == ()


async def test_a_disk_that_is_full_leaves_nothing_behind(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "there"
    monkeypatch.setattr(os, "fsync", full)
    await refused(games, folder / "games.sqlite3", "No space left on device")
    assert [file.name for file in folder.iterdir()] == ["games.sqlite3.lock"]


async def test_a_server_that_goes_away_is_reported(games: Path, server: str, tmp_path: Path) -> None:
    await move(games, server, untold)

    def cut_off(done: int, total: int) -> None:
        others = "FROM pg_stat_activity WHERE pid != pg_backend_pid() AND datname = current_database()"
        thread = threading.Thread(target=lambda: asyncio.run(tell(server, f"SELECT pg_terminate_backend(pid) {others}")))
        thread.start()
        thread.join()

    with pytest.raises(StorageError, match="The move was broken off"):
        await move(server, tmp_path / "back.sqlite3", cut_off)
    assert [file.name for file in tmp_path.iterdir() if "back" in file.name] == ["back.sqlite3.lock"]


def move_and_die(say: Tell, source: Path, target: str, at: int | None) -> None:
    """Move a database and be killed before the statement or file operation `at`, or say how many there were."""
    count = 0

    def step() -> None:
        nonlocal count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)

    sa.event.listen(sa.Engine, "before_cursor_execute", lambda *_: step())
    sa.event.listen(sa.Engine, "commit", lambda *_: step())
    sys.addaudithook(lambda event, _: step() if event in {"os.rename", "os.remove"} else None)
    asyncio.run(move(source, target, untold))
    say(count)


def outcome(source: Path, target: str, at: int | None) -> tuple[int | None, list[int]]:
    """The status with which `move_and_die` ends, and its words."""
    process, pipe = fork(move_and_die, source, target, at)
    told = rest_of(pipe)
    process.join()
    return process.exitcode, told


async def arrived(address: str, games: Path, folder: Path) -> bool:
    """Whether everything is there, or nothing; anything else fails."""
    path = address_of(address).path
    if path is None:
        if not await tables_on(address):
            return False
        path = folder / "brought-back.sqlite3"
        await move(address, path, untold)
    elif not path.exists():
        return False
    assert content(path) == content(games)
    return True


async def clear(address: str, folder: Path) -> None:
    if address_of(address).path is None:
        await tell(address, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    for file in (Path(address), folder / "brought-back.sqlite3"):
        file.unlink(missing_ok=True)


@pytest.mark.slow
async def test_a_killed_move_has_moved_everything_or_nothing(games: Path, address: str, tmp_path: Path) -> None:
    before = files(games)
    status, (steps,) = outcome(games, address, None)
    assert status == 0
    chance, whole = random.Random(14), list[bool]()
    for at in sorted({1, *range(steps - 5, steps + 2), *(chance.randrange(2, steps - 5) for _ in range(4))}):
        await clear(address, tmp_path)
        status, _ = outcome(games, address, at)
        assert status == (0 if at > steps else -signal.SIGKILL)
        whole.append(await arrived(address, games, tmp_path))
        if not whole[-1]:
            # What was left behind is in nobody's way.
            await move(games, address, untold)
            assert await arrived(address, games, tmp_path)
    assert whole[0] is False
    assert whole[-1] is True
    assert whole == sorted(whole)
    assert files(games) == before
