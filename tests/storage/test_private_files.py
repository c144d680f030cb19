"""Only the user that the bot runs as can read what it keeps."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage import queries
from storage.connections.connect import keep_private
from storage.connections.private_files import make_folder, open_private, tighten
from storage.store import Store
from storage.upkeep.maintenance import backup, restore
from storage.upkeep.moving import move
from tests.storage.reading_back import once
from tests.storage.samples import a_table

pytestmark = pytest.mark.usefixtures("from_scratch")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """A umask that lets everybody read and write everything."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The permissions of everything in a folder, by name."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}


async def filled(path: Path) -> Store:
    store = await Store.open(path)
    await once(store.write(), queries.tables.add, a_table())
    return store


async def test_a_new_database_the_files_beside_it_and_its_folder_are_private(tmp_path: Path) -> None:
    path = tmp_path / "data" / "of the bot" / "springboard.db"
    store = await filled(path)
    async with store.read() as reader:
        await queries.tables.find(reader)
        found = modes(tmp_path)
    await store.close()
    assert found == {
        "data": 0o700, "of the bot": 0o700, "springboard.db": 0o600, "springboard.db-wal": 0o600,
        "springboard.db-shm": 0o600, "springboard.db.lock": 0o600,
    }  # fmt: skip


async def test_a_database_that_others_could_read_is_tightened_when_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "springboard.db"
    await (await filled(path)).close()
    path.chmod(0o644)
    path.with_name("springboard.db.lock").chmod(0o644)
    store = await filled(path)
    found = modes(tmp_path)
    await store.close()
    assert found == dict.fromkeys(("springboard.db", "springboard.db-wal", "springboard.db-shm", "springboard.db.lock"), 0o600)


def test_files_that_a_killed_process_left_beside_a_database_are_tightened_too(tmp_path: Path) -> None:
    left = [tmp_path / f"springboard.db{end}" for end in ("", "-wal", "-shm", "-journal", ".lock")]
    for file in left:
        file.touch(mode=0o666)
    keep_private(left[0])
    assert modes(tmp_path) == {file.name: 0o600 for file in left}


async def test_a_folder_that_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    await (await filled(tmp_path / "springboard.db")).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


async def test_a_backup_a_restored_database_and_the_one_before_it_are_private(tmp_path: Path) -> None:
    path, copy = tmp_path / "springboard.db", tmp_path / "backup.db"
    await (await filled(path)).close()
    backup(path, copy)
    assert modes(tmp_path)["backup.db"] == 0o600
    copy.chmod(0o644)
    path.chmod(0o644)
    before = restore(copy, path)
    assert before is not None
    found = modes(tmp_path)
    assert found.pop("backup.db") == 0o644, "a backup belongs to the operator; restoring it only reads it"
    assert set(found.values()) == {0o600}
    backup(path, copy, overwrite=True)
    assert modes(tmp_path)["backup.db"] == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_files_that_root_restores_or_moves_belong_to_the_user_of_the_folder(tmp_path: Path) -> None:
    copy, folder = tmp_path / "backup.db", tmp_path / "of the bot"
    await (await filled(copy)).close()
    folder.mkdir()
    os.chown(folder, 10001, 10002)
    restore(copy, folder / "restored.db")
    moved = [f"moved.db{end}" for end in ("", ".lock")]
    await move(copy, folder / moved[0], lambda *_: None)
    owners = {path.name: (path.stat().st_uid, path.stat().st_gid) for path in folder.iterdir()}
    assert owners == dict.fromkeys(("restored.db", "restored.db.lock", *moved), (10001, 10002))
    backup(folder / "restored.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_uid == 0


def test_a_user_who_may_not_give_files_away_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "geteuid", lambda: 0)  # the root of a container without capabilities
    monkeypatch.setattr(os, "chown", refuse)
    os.close(open_private(tmp_path / "file"))
    assert (tmp_path / "file").is_file()


def test_rights_that_the_owner_lacks_are_not_given_back(tmp_path: Path) -> None:
    file = tmp_path / "read only"
    file.touch()
    file.chmod(0o444)
    tighten(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o400


def test_a_file_of_another_user_is_left_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "theirs"
    file.touch()
    file.chmod(0o664)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with caplog.at_level(logging.WARNING):
        tighten(file)
        tighten(tmp_path / "nothing")
    (line,) = caplog.messages
    assert line == f"others may be able to read {file}, whose permissions cannot be changed: Operation not permitted"


def test_a_folder_is_made_private_together_with_those_above_it_that_were_missing(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    make_folder(tmp_path / "a" / "b" / "c")
    assert modes(tmp_path) == {"a": 0o700, "b": 0o700, "c": 0o700}
