import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from storage import queries
from storage.schema.records import Heartbeat, Person, SeatStatus, Status
from storage.store import StorageError
from storage.upkeep.maintenance import backup, check, restore
from tests.storage.reading_back import log_of, once, opened, stored_table
from tests.storage.samples import ANNA, BERT, a_seat, a_table, an_entry

SEED = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "springboard.db"


async def play_until(path: Path, last: int) -> None:
    """A game with `last` entries, keeping those that exist."""
    async with opened(path) as store, store.write() as writer:
        if not await queries.tables.find(writer):
            await queries.tables.add(writer, a_table(seed=SEED, status=Status.PLAYING))
            await queries.seats.put(writer, a_seat(1, ANNA, 0))
        for number in range((await stored_table(writer, 1)).version + 1, last + 1):
            await queries.entries.append(writer, an_entry(1, number))
            await queries.tables.change(writer, 1, version=number)


async def entries_in(path: Path) -> list[int]:
    async with opened(path) as store:
        return await log_of(store, 1)


def change(path: Path, *statements: str) -> None:
    """Do to a database what the store never would."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


async def test_a_sound_database_has_no_problems(path: Path) -> None:
    await play_until(path, 5)
    assert list(check(path)) == []


async def test_a_database_can_be_checked_and_backed_up_while_it_is_written_to(path: Path, tmp_path: Path) -> None:
    await play_until(path, 1)
    async with opened(path) as store:
        stop = asyncio.Event()

        async def play_on() -> int:
            number = 1
            while not stop.is_set():
                number += 1
                async with store.write() as writer:
                    await queries.entries.append(writer, an_entry(1, number))
                    await queries.tables.change(writer, 1, version=number)
            return number

        playing = asyncio.create_task(play_on())
        for count in range(5):
            assert await asyncio.to_thread(lambda: list(check(path))) == []
            await asyncio.to_thread(backup, path, tmp_path / f"backup-{count}.db")
        stop.set()
        last = await playing
    kept = [await entries_in(tmp_path / f"backup-{count}.db") for count in range(5)]
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in kept)
    assert [1] <= kept[0] <= kept[4] <= list(range(1, last + 1))


async def test_a_backup_is_one_file_with_everything(path: Path, tmp_path: Path) -> None:
    await play_until(path, 3)
    folder = tmp_path / "backups"
    folder.mkdir()
    async with opened(path) as store:
        async with store.write() as writer:
            await queries.entries.append(writer, an_entry(1, 4))
            await queries.tables.change(writer, 1, version=4)
        # The newest entry is still in the log beside the database.
        backup(path, folder / "monday.db")
    assert [file.name for file in folder.iterdir()] == ["monday.db"]
    assert await entries_in(folder / "monday.db") == [1, 2, 3, 4]


async def test_a_backup_overwrites_nothing_unless_told_to(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    to = tmp_path / "backup.db"
    to.write_text("something dear")
    with pytest.raises(StorageError, match="is there already"):
        backup(path, to)
    assert to.read_text() == "something dear"
    backup(path, to, overwrite=True)
    assert await entries_in(to) == [1, 2]


async def test_a_database_is_not_its_own_backup(path: Path) -> None:
    await play_until(path, 1)
    with pytest.raises(StorageError, match="is the database itself"):
        backup(path, path, overwrite=True)
    with pytest.raises(StorageError, match="is the database itself"):
        restore(path, path)


async def test_a_damaged_database_is_not_backed_up_over_a_good_backup(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    to = tmp_path / "backup.db"
    backup(path, to)
    good = to.read_bytes()
    change(path, "DELETE FROM actions WHERE number = 1")
    with pytest.raises(StorageError, match="is not sound, so it was not copied"):
        backup(path, to, overwrite=True)
    assert to.read_bytes() == good
    assert sorted(file.name for file in tmp_path.iterdir()) == ["backup.db", "springboard.db", "springboard.db.lock"]


def test_a_missing_database_cannot_be_backed_up_restored_or_checked(path: Path, tmp_path: Path) -> None:
    for attempt in (
        lambda: backup(path, tmp_path / "b.db"),
        lambda: restore(path, tmp_path / "b.db"),
        lambda: list(check(path)),
    ):
        with pytest.raises(StorageError, match="There is no database"):
            attempt()
    assert list(tmp_path.iterdir()) == []


def test_a_server_has_its_own_tools(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="pg_dump"):
        backup("postgresql://host/games", tmp_path / "backup.db")


async def test_a_backup_that_cannot_be_written_is_reported(path: Path, tmp_path: Path) -> None:
    await play_until(path, 1)
    with pytest.raises(StorageError, match=r"cannot be copied to|cannot be written"):
        backup(path, tmp_path / "no" / "such" / "folder.db")


async def test_a_backup_is_restored_where_there_is_no_database(path: Path, tmp_path: Path) -> None:
    await play_until(path, 3)
    backup(path, tmp_path / "backup.db")
    assert restore(tmp_path / "backup.db", tmp_path / "new" / "springboard.db") is None
    assert await entries_in(tmp_path / "new" / "springboard.db") == [1, 2, 3]


async def test_a_database_is_not_replaced_by_an_older_one_unless_told_to(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    await play_until(path, 4)
    with pytest.raises(
        StorageError, match=r"goes on until 1970-01-01 00:16:44 UTC, the backup only until 1970-01-01 00:16:42 UTC"
    ):
        restore(tmp_path / "backup.db", path)
    assert await entries_in(path) == [1, 2, 3, 4]
    before = restore(tmp_path / "backup.db", path, force=True)
    assert await entries_in(path) == [1, 2]
    assert before == tmp_path / "springboard.db.before-restore"
    assert await entries_in(before) == [1, 2, 3, 4]


async def test_a_database_is_not_replaced_by_a_backup_of_the_same_time_that_is_not_the_same_unless_told_to(
    path: Path, tmp_path: Path
) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    async with opened(path) as store, store.write() as writer:
        await queries.seats.put(writer, a_seat(1, BERT, 1))
        await queries.people.put(writer, Person(user_id=ANNA, settings={"zone": "UTC"}))
    with pytest.raises(
        StorageError, match=r"both go on until 1970-01-01 00:16:42 UTC.* not the same \(people, seats\).*--force"
    ):
        restore(tmp_path / "backup.db", path)
    assert restore(tmp_path / "backup.db", path, force=True) is not None
    async with opened(path) as store:
        assert [seat.user_id for seat in await once(store.read(), queries.seats.of_table, 1)] == [ANNA]


async def test_a_complete_backup_replaces_the_database_although_the_bot_has_been_running(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    async with opened(path) as store:
        await once(store.write(), queries.heartbeats.put, Heartbeat(name="main", at=5000.0))
    assert restore(tmp_path / "backup.db", path) is not None
    assert await entries_in(path) == [1, 2]


async def test_a_backup_of_an_older_schema_and_the_same_time_is_not_restored_unless_told_to(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    change(tmp_path / "backup.db", "UPDATE alembic_version SET version_num = '0021'")
    with pytest.raises(StorageError, match=r"they cannot be compared.*--force"):
        restore(tmp_path / "backup.db", path)


async def test_every_database_that_was_replaced_is_kept(path: Path, tmp_path: Path) -> None:
    await play_until(path, 1)
    backup(path, tmp_path / "backup.db")
    await play_until(path, 2)
    first = restore(tmp_path / "backup.db", path, force=True)
    await play_until(path, 3)
    second = restore(tmp_path / "backup.db", path, force=True)
    assert first is not None
    assert second not in (None, first)
    assert [await entries_in(file) for file in (path, first, second)] == [[1], [1, 2], [1, 2, 3]]


async def test_a_database_in_use_is_not_replaced_even_if_forced(path: Path, tmp_path: Path) -> None:
    await play_until(path, 1)
    backup(path, tmp_path / "backup.db")
    async with opened(path):
        with pytest.raises(StorageError, match="Another Springboard"):
            restore(tmp_path / "backup.db", path, force=True)


async def test_the_log_of_a_killed_process_is_kept_and_does_not_get_into_the_restored_database(
    path: Path, tmp_path: Path
) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    async with opened(path) as store:
        async with store.write() as writer:
            await queries.entries.append(writer, an_entry(1, 3))
            await queries.tables.change(writer, 1, version=3)
        killed = tmp_path / "killed"
        killed.mkdir()
        for file in (path, path.with_name("springboard.db-wal")):
            (killed / file.name).write_bytes(file.read_bytes())
    with pytest.raises(StorageError, match="goes on until"):
        restore(tmp_path / "backup.db", killed / path.name)
    before = restore(tmp_path / "backup.db", killed / path.name, force=True)
    assert await entries_in(killed / path.name) == [1, 2]
    assert before is not None
    assert await entries_in(before) == [1, 2, 3]


@pytest.mark.parametrize("what_is_left", [b"no database " * 1000, b""])
async def test_a_damaged_or_emptied_database_is_replaced_and_kept_with_its_log(
    path: Path, tmp_path: Path, what_is_left: bytes
) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    path.write_bytes(what_is_left)
    path.with_name("springboard.db-wal").write_bytes(b"the newest actions")
    before = restore(tmp_path / "backup.db", path)
    assert await entries_in(path) == [1, 2]
    assert before is not None
    assert before.read_bytes() == what_is_left
    assert before.with_name(before.name + "-wal").read_bytes() == b"the newest actions"


async def test_a_log_whose_database_is_gone_is_kept_when_a_backup_is_restored(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    backup(path, tmp_path / "backup.db")
    path.unlink()
    path.with_name("springboard.db-wal").write_bytes(b"the newest actions")
    before = restore(tmp_path / "backup.db", path)
    assert before is not None
    assert before.with_name(before.name + "-wal").read_bytes() == b"the newest actions"
    assert await entries_in(path) == [1, 2]


async def test_another_programs_database_is_not_replaced_unless_told_to(path: Path, tmp_path: Path) -> None:
    await play_until(path, 1)
    other = tmp_path / "recipes.db"
    change(other, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StorageError, match="tables of another program"):
        restore(path, other)


async def test_a_backup_that_is_not_sound_is_not_restored(path: Path, tmp_path: Path) -> None:
    await play_until(path, 2)
    source = tmp_path / "backup.db"
    backup(path, source)
    for damage in (
        lambda: change(source, "UPDATE tables SET version = 7"),
        lambda: change(source, "UPDATE alembic_version SET version_num = '9999'"),
        lambda: os.truncate(source, 5000),
        lambda: source.write_text("Dear diary"),
        lambda: source.write_bytes(b""),
    ):
        damage()
        with pytest.raises(StorageError):
            restore(source, path, force=True)
    assert await entries_in(path) == [1, 2]
    assert not path.with_name("springboard.db.restored").exists()


FIRST = "Table (id 1, guild_id 80000000000000001)"


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM actions WHERE number = 2", "The log of table 1 has gaps: its last number is 3, but there are 2 entries."),
        ("DELETE FROM actions WHERE number = 3", "Table 1 says that its log has 3 entries, but it has 2."),
        ("UPDATE tables SET seed = NULL", "The game of table 1 has begun without a seed for its dice."),
        ("UPDATE tables SET status = 'paused'", f"A row of tables cannot be read: {FIRST}: status: 'paused' is"),
        ("UPDATE actions SET kind = 'pass'", "A row of actions cannot be read: Entry (table_id 1, number 1, "),
        ("UPDATE tables SET options = '{'", f"A row of tables cannot be read: {FIRST}: options: it is no JSON"),
        ("UPDATE tables SET outcome = '[]'", f"A row of tables cannot be read: {FIRST}: outcome:"),
        ("INSERT INTO watches VALUES (9, 1, 'end')", "Row 1 of watches belongs to a row of tables that is not there."),
        (f"UPDATE seats SET place = 0 WHERE user_id = {BERT}", "Several people sit in place 0 of table 1."),
        ("UPDATE alembic_version SET version_num = '9999'", "The database was last used by a newer Springboard"),
    ],
)
async def test_problems_are_described(path: Path, damage: str, told: str) -> None:
    await play_until(path, 3)
    async with opened(path) as store:
        await once(store.write(), queries.seats.put, a_seat(1, BERT, 1, status=SeatStatus.JOINED))
    change(path, damage)
    assert any(problem.startswith(told) for problem in check(path))


async def test_a_damaged_page_is_reported(path: Path) -> None:
    await play_until(path, 50)
    content = bytearray(path.read_bytes())
    content[8192 : 8192 + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    problems = list(check(path))
    assert problems
    assert all("damaged" in problem for problem in problems)


@pytest.mark.parametrize(("content", "told"), [(b"Dear diary, " * 1000, "is no database at all"), (b"", "is empty")])
def test_a_file_that_is_no_database_is_reported(path: Path, content: bytes, told: str) -> None:
    path.write_bytes(content)
    (problem,) = check(path)
    assert told in problem


async def test_checking_changes_nothing(path: Path) -> None:
    await play_until(path, 3)
    content = path.read_bytes()
    assert list(check(path)) == []
    assert path.read_bytes() == content
