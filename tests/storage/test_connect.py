import errno
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from storage import queries
from storage.connections.addresses import Address
from storage.connections.connect import explain_errors
from storage.store import StorageError, Store
from tests.databases import tell
from tests.storage.reading_back import once, opened
from tests.storage.samples import a_table

pytestmark = pytest.mark.usefixtures("from_scratch")

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "springboard.db"


async def refusal(path: str | Path) -> str:
    with pytest.raises(StorageError) as refused:
        await Store.open(path)
    return str(refused.value)


async def a_database(path: Path) -> None:
    async with opened(path) as store:
        await once(store.write(), queries.tables.add, a_table())


async def test_the_folder_of_a_new_database_is_made(tmp_path: Path) -> None:
    await a_database(tmp_path / "a" / "b" / "springboard.db")
    assert (tmp_path / "a" / "b" / "springboard.db").is_file()


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+aiosqlite:///{}"])
async def test_a_file_is_found_by_its_path_and_by_its_url(path: Path, form: str) -> None:
    await a_database(path)
    async with opened(form.format(path)) as store:
        assert len(await once(store.read(), queries.tables.find)) == 1


async def test_a_name_with_odd_characters_is_a_name(tmp_path: Path) -> None:
    await a_database(tmp_path / "50% of #1?" / "ä b.db")
    assert [file.name for file in (tmp_path / "50% of #1?").iterdir() if file.suffix == ".db"] == ["ä b.db"]


@pytest.mark.parametrize("address", ["", ":memory:", "sqlite://", "mysql://host/games", "postgresql://[host/games"])
async def test_an_address_that_keeps_nothing_or_means_nothing_is_refused(address: str) -> None:
    await refusal(address)


async def test_the_file_is_written_durably_and_holds_its_references(path: Path) -> None:
    async with opened(path) as store, store.write() as writer:
        set_to = {
            name: (await writer.execute(sa.text(f"PRAGMA {name}"))).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    full = 2
    assert set_to == {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1}


async def test_closing_leaves_everything_in_the_one_file(path: Path) -> None:
    await a_database(path)
    alone = path.with_name("alone.db")
    shutil.copy(path, alone)
    assert not path.with_name(path.name + "-wal").exists()
    assert sqlite3.connect(alone).execute("SELECT count(*) FROM tables").fetchone() == (1,)


async def test_closing_brings_the_log_into_the_file_even_while_somebody_else_is_reading(path: Path) -> None:
    async with opened(path) as store:
        await once(store.write(), queries.tables.add, a_table())
        onlooker = sqlite3.connect(path)
        assert onlooker.execute("SELECT count(*) FROM tables").fetchone() == (1,)
    assert path.with_name(path.name + "-wal").stat().st_size == 0
    onlooker.close()


@pytest.mark.slow
async def test_a_second_process_is_refused(path: Path) -> None:
    await a_database(path)
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    said = await refusal(path)
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    assert said.startswith(f"Another Springboard (process {child.pid}) is using the database {path}.")
    # The kernel has let go of the lock of a process that was killed.
    await (await Store.open(path)).close()


HOLD = """
import asyncio, sys
from storage.store import Store

async def main():
    store = await Store.open(sys.argv[1])
    print("open", flush=True)
    sys.stdin.read()

asyncio.run(main())
"""


async def test_another_name_of_the_same_file_is_refused_too(path: Path) -> None:
    async with opened(path):
        other = path.with_name("link.db")
        other.symlink_to(path)
        assert "Another Springboard" in await refusal(other)


async def test_a_refused_database_is_not_locked_afterwards(path: Path) -> None:
    path.write_text("no database at all, but long enough to be taken for one" * 100)
    await refusal(path)
    with path.with_name(path.name + ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert f"{tmp_path} is a folder" in await refusal(tmp_path)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert f"The folder {tmp_path / 'file'} cannot be made" in await refusal(tmp_path / "file" / "springboard.db")


async def test_a_file_that_is_no_database_is_left_as_it_is(path: Path) -> None:
    text = "Dear diary, today I bounced. " * 1000
    path.write_text(text)
    said = await refusal(path)
    assert f"{path} is damaged, or is no database at all" in said
    assert "springboard restore" in said
    assert path.read_text() == text


async def test_a_damaged_database_is_left_as_it_is(path: Path) -> None:
    await a_database(path)
    content = bytearray(path.read_bytes())
    # A page in the middle of the file.
    content[8192 : 8192 + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    assert "damaged" in await refusal(path)
    assert path.read_bytes() == content


async def test_a_database_that_has_lost_its_end_is_refused(path: Path) -> None:
    await a_database(path)
    os.truncate(path, path.stat().st_size // 2)
    assert "damaged" in await refusal(path)


@pytest.mark.parametrize("empty", [True, False])
async def test_a_log_without_its_database_is_not_thrown_away(path: Path, empty: bool) -> None:
    log = path.with_name(path.name + "-wal")
    log.write_bytes(b"the newest actions")
    if empty:
        path.write_bytes(b"")
    assert "is missing, but its log" in await refusal(path)
    assert log.read_bytes() == b"the newest actions"


async def test_a_database_of_a_newer_program_is_refused(address: str) -> None:
    async with opened(address) as store, store.write() as writer:
        await writer.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    said = await refusal(address)
    assert "used by a newer Springboard (its schema is 9999" in said


async def test_a_database_of_another_program_is_refused(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    content = path.read_bytes()
    assert "the tables of another program" in await refusal(path)
    assert path.read_bytes() == content


async def test_a_database_that_another_program_is_writing_to_is_named_as_locked(path: Path) -> None:
    await a_database(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="is locked by another program"):
        await Store.open(path, busy_timeout=0)
    other.close()


def opened_without_rights(path: Path) -> str:
    """What a process without rights is told. The tests may run as root, who may do anything."""
    command = [sys.executable, "-c", OPEN_WITHOUT_RIGHTS, str(path)]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout


OPEN_WITHOUT_RIGHTS = """
import asyncio, os, sys, tempfile
from storage.store import StorageError, Store

async def main():
    # Once before, while the rights to read the program are still there.
    with tempfile.TemporaryDirectory() as folder:
        await (await Store.open(folder + "/springboard.db")).close()
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    await Store.open(sys.argv[1])

try:
    asyncio.run(main())
except StorageError as error:
    print(error)
"""


@pytest.mark.slow
async def test_a_file_that_may_not_be_written_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "springboard.db"
        await a_database(path)
        Path(folder).chmod(0o777)
        path.with_name(path.name + ".lock").chmod(0o666)
        path.chmod(0o444)
        said = opened_without_rights(path)
        assert f"The database {path} cannot be opened: attempt to write a readonly database" in said
        assert "Give the user that Springboard runs as the right to write there" in said


@pytest.mark.slow
async def test_a_folder_that_may_not_be_written_is_refused() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        path = Path(folder) / "springboard.db"
        assert f"The file {path}.lock cannot be written: Permission denied" in opened_without_rights(path)
        Path(folder).chmod(0o755)


async def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    said = await refusal(f"postgresql://anna:secret@/games?host={tmp_path}")
    assert "cannot be used" in said
    assert "secret" not in said


async def test_a_database_that_the_server_does_not_have_is_named(server: str) -> None:
    url = make_url(server).set(database="no_such_database")
    assert 'database "no_such_database" does not exist' in await refusal(url.render_as_string(hide_password=False))


async def test_another_programs_database_on_the_server_is_refused(server: str) -> None:
    await tell(server, "CREATE TABLE recipes (name TEXT)")
    assert "the tables of another program" in await refusal(server)


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), sqlite3.OperationalError("database or disk is full")]
)
def test_a_full_disk_is_told_from_a_lack_of_rights(error: Exception, tmp_path: Path) -> None:
    said = r"cannot be opened: .*\. Make space there, or choose another place\."
    with pytest.raises(StorageError, match=said), explain_errors(Address(tmp_path / "games.sqlite3")):
        raise error
