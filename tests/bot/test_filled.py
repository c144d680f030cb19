"""Every kept database is migrated to the newest version, is sound there, and is moved and continued."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.admin.check import problems
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.table.snapshot import User
from bot.features.privacy.service import Privacy
from bot.parts import PARTS
from opponents.puzzles.days import Calendar
from storage import queries
from storage.connections.versions import KNOWN, NEWEST
from storage.schema import tables as kept_tables
from storage.schema.records import Status
from storage.store import Store
from storage.upkeep.maintenance import restore
from tests.bot.admin.every_state import Club
from tests.bot.command_line import springboard
from tests.bot.filled import FIRST, fill, filled_files, keep, unpack
from tests.bot.service import BEN, DAY, Time
from tests.marks import quick_first

pytestmark = pytest.mark.usefixtures("bare")
FULL = sorted((version for version in filled_files() if version >= FIRST), reverse=True)


@pytest.fixture(params=quick_first(1, FULL))
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A kept database of an earlier or the current version."""
    path = tmp_path / "filled.sqlite3"
    unpack(filled_files()[request.param], path)
    return path


def test_of_every_release_before_the_present_version_a_filled_database_is_kept() -> None:
    before = {version for version in KNOWN if version < NEWEST}
    assert set(filled_files()) >= before, "see tests/bot/filled.py: it is kept with the program of the release"
    assert set(filled_files()) <= KNOWN


def test_what_was_kept_is_never_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bot.filled.NEWEST", FIRST)
    before = filled_files()[FIRST].read_bytes()
    with pytest.raises(FileExistsError):
        keep()
    assert filled_files()[FIRST].read_bytes() == before


def test_something_is_in_every_table(filled: Path) -> None:
    look_through(filled)


@pytest.mark.slow
async def test_the_present_program_can_fill_one(tmp_path: Path) -> None:
    path = tmp_path / "filled.sqlite3"
    await fill(path)
    look_through(path)
    assert await asyncio.to_thread(lambda: list(problems(path))) == []


def look_through(path: Path) -> None:
    """Fail if a database table is empty, or if tables lack a state."""
    with closing(sqlite3.connect(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert [name for name in names if not connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]] == []
        states = {status for (status,) in connection.execute("SELECT status FROM tables")}
        played = set(connection.execute("SELECT game, status FROM tables WHERE status IN ('playing', 'finished')"))
    assert states == set(Status)
    assert len(played) == 8, "all four games, running and over"


async def test_it_is_brought_up_and_sound_and_played_on_here_and_where_it_is_moved(filled: Path, server: str) -> None:
    await play_on(filled)
    assert await asyncio.to_thread(lambda: list(problems(filled))) == []
    told = await asyncio.to_thread(springboard, "move-database", str(filled), server)
    assert told.exit_code == 0, told.output
    assert await asyncio.to_thread(lambda: list(problems(server))) == []
    await play_on(server)
    assert await asyncio.to_thread(lambda: list(problems(server))) == []


@pytest.mark.slow
async def test_it_is_brought_up_and_sound_before_anything_is_done(filled: Path) -> None:
    await (await Store.open(filled)).close()
    assert await asyncio.to_thread(lambda: list(problems(filled))) == []
    await play_on(filled)
    assert await asyncio.to_thread(lambda: list(problems(filled))) == []


@pytest.mark.slow
@pytest.mark.parametrize("version", filled_files())
async def test_a_backup_of_an_earlier_release_is_restored_and_brought_up(version: str, tmp_path: Path) -> None:
    path, backup = tmp_path / "games.sqlite3", tmp_path / "backup.sqlite3"
    unpack(filled_files()[version], backup)
    assert await asyncio.to_thread(restore, backup, path) is None, "there was no database to keep"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(version,)]
    await (await Store.open(path)).close()
    assert await asyncio.to_thread(lambda: list(problems(path))) == []


async def test_running_games_keep_their_deadlines(filled: Path) -> None:
    def deadlines() -> dict[int, float]:
        with closing(sqlite3.connect(filled)) as connection:
            return dict(connection.execute("SELECT id, deadline FROM tables WHERE status = 'playing' AND clock IS NOT NULL"))

    before = deadlines()
    assert before
    store = await Store.open(filled)
    clock = Time(await latest(store))
    await Core(store, parts=PARTS, now=clock).service(Timing).sweep()
    await store.close()
    after = deadlines()
    assert {table: after.get(table) for table in before if before[table] > clock.now} == {
        table: deadline for table, deadline in before.items() if deadline > clock.now
    }


async def test_the_days_that_people_have_begun_still_end_when_they_did_which_once_was_midnight_utc(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as connection:
        names = [name for _, name, *_ in connection.execute("PRAGMA table_info(puzzle_attempts)")]
        ends = "day_ends" if "day_ends" in names else "NULL" if "day" in names else None
        before = [] if ends is None else connection.execute(f"SELECT day, {ends} FROM puzzle_attempts").fetchall()
    await (await Store.open(filled)).close()
    with closing(sqlite3.connect(filled)) as connection:
        known = connection.execute("SELECT day, day_ends FROM puzzle_attempts").fetchall()
    if ends == "NULL":
        before = [(day, None if day is None else Calendar().begins(day + 1)) for day, _ in before]
    assert sorted(known, key=str) == sorted(before, key=str)


@pytest.mark.slow
async def test_time_goes_on_and_people_are_exported_and_forgotten_there(filled: Path) -> None:
    store = await Store.open(filled)
    clock = Time(await latest(store))
    club = Club(Core(store, parts=PARTS, now=clock), clock)
    for _ in range(10):
        clock.pass_(DAY)
        await club.core.service(Timing).sweep()
    made = await club.core.service(Privacy).export(BEN.id)
    assert made is not None
    assert (made.left_out, made.unreadable) == (0, 0)
    await club.core.service(Privacy).forget(BEN)
    left = await club.core.service(Privacy).export(BEN.id)
    tables = [] if left is None else json.loads(left.content)["tables"]
    assert {job["kind"] for table in tables for job in table.pop("still_to_be_sent")} <= {"dismissal"}
    assert [table for table in tables if table.keys() - {"table", "about"}] == [], "he is still to be taken out of threads"
    await store.close()
    assert await asyncio.to_thread(lambda: list(problems(filled))) == []


@pytest.mark.parametrize("version", quick_first(1, [version for version in filled_files() if version < FIRST]))
async def test_a_database_of_the_first_versions_is_moved_and_continued(version: str, tmp_path: Path, server: str) -> None:
    path = tmp_path / "filled.sqlite3"
    unpack(filled_files()[version], path)
    with closing(sqlite3.connect(path)) as connection:
        games = set(connection.execute("SELECT game FROM tables WHERE status IN ('playing', 'finished')"))
        (someone,) = connection.execute("SELECT user_id FROM seats WHERE name = 'Ann'").fetchone()
        read = connection.execute("SELECT count(*) FROM actions").fetchone()
    assert len(games) == 4, "all games"
    await (await Store.open(path)).close()
    assert await asyncio.to_thread(lambda: list(problems(path))) == []
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM actions").fetchone() == read, "no action is lost"
    await play_on(path, at_least=4)
    told = await asyncio.to_thread(springboard, "move-database", str(path), server)
    assert told.exit_code == 0, told.output
    await play_on(server, at_least=1)
    assert await asyncio.to_thread(lambda: list(problems(server))) == []
    store = await Store.open(path)
    club = Club(Core(store, parts=PARTS, now=Time(await latest(store))), Time())
    made = await club.core.service(Privacy).export(someone)
    assert made is not None
    assert (made.left_out, made.unreadable) == (0, 0)
    await club.core.service(Privacy).forget(User(someone, "Ann"))
    await store.close()
    assert await asyncio.to_thread(lambda: list(problems(path))) == []


async def latest(store: Store) -> float:
    """The last moment at which the bot was there, or else somebody played, according to a database."""
    async with store.read() as reader:
        if beats := await queries.heartbeats.find(reader):
            return max(beat.at for beat in beats)
        played: float = (await reader.execute(sa.select(sa.func.max(kept_tables.actions.c.at)))).scalar_one()
        return played


async def play_on(address: str | Path, *, at_least: int = 11) -> None:
    """Continue every running game by some actions of awaited people."""
    store = await Store.open(address)
    clock = Time(await latest(store))
    club = Club(Core(store, parts=PARTS, now=clock), clock)
    await club.core.service(Timing).sweep()
    async with store.read() as reader:
        running = await queries.tables.find(reader, statuses=(Status.PLAYING,))
    assert len(running) >= at_least
    for before in running:
        after = await club.played(before.id, 3)
        assert after.table.version > before.version, f"table {before.id} does not go on"
    async with store.write() as writer:
        await writer.execute(sa.update(kept_tables.heartbeats).values(at=clock()))
    await store.close()
