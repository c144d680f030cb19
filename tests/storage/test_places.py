"""Paths as people write them, and file systems on other machines."""

import asyncio
import logging
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from storage.connections.addresses import address_of
from storage.connections.places import network_file_system, warning_of
from storage.schema.errors import StorageError
from storage.store import Store

ROOT = Path(__file__).parents[2]


async def made(database: Path) -> None:
    await (await Store.open(database)).close()


def mounted(folder: Path, kind: str) -> Path:
    """The mounts of a machine where a folder is on a kind of file system."""
    device = folder.stat().st_dev
    mounts = folder / "mountinfo"
    mounts.write_text(
        "22 1 254:99 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
        f"36 22 {os.major(device)}:{os.minor(device)} / /mnt/my\\040games rw shared:2 master:1 - {kind} nas:/games rw\n"
    )
    return mounts


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "fuse.sshfs"])
def test_a_network_file_system_is_told_from_a_disk(kind: str, tmp_path: Path) -> None:
    assert network_file_system(tmp_path, mounted(tmp_path, kind)) == kind
    there = tmp_path / "data" / "springboard.sqlite3"
    warning = warning_of(there, mounted(tmp_path, kind))
    assert warning is not None
    assert warning.startswith(f"{tmp_path} is on a network file system ({kind}), where locks are not reliable")


def test_a_disk_is_no_network_file_system(tmp_path: Path) -> None:
    assert warning_of(tmp_path / "a.sqlite3", mounted(tmp_path, "ext4")) is None
    assert warning_of(tmp_path / "a.sqlite3") is None, "this machine's own disk"
    assert network_file_system(tmp_path, tmp_path / "nothing") is None, "not Linux"


async def test_the_start_warns(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    with mock.patch.object(warning_of, "__defaults__", (mounted(tmp_path, "nfs"),)):
        await (await Store.open(tmp_path / "springboard.sqlite3")).close()
    assert "network file system (nfs)" in caplog.text


@pytest.mark.parametrize("path", ["~/games.sqlite3", "~nobody-of-that-name/games.sqlite3"])
def test_an_unknown_home_is_explained(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", mock.Mock(side_effect=KeyError("getpwuid(): uid not found: 12345")))
    with pytest.raises(StorageError, match="there is no home for ~ to stand for"):
        address_of(path)


def test_a_path_in_a_circle_or_with_a_nul_is_explained(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(tmp_path / "one")
    for path in (tmp_path / "one" / "games.sqlite3", "games\0.sqlite3"):
        with pytest.raises(StorageError, match="leads nowhere"):
            address_of(str(path))


@pytest.mark.slow
def test_letters_that_the_locale_does_not_have(tmp_path: Path) -> None:
    """The environment has bytes, which need no encoding; a file `.env` has letters, which do."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("SPRINGBOARD_", "DISCORD_", "LC_"))}
    ascii_only = bare | {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONPATH": str(ROOT)}
    database = tmp_path / "gärten" / "springböard.sqlite3"

    def said(*words: str, **more: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "bot", *words]
        done = subprocess.run(command, cwd=tmp_path, env=ascii_only | more, capture_output=True, check=False)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")

    asyncio.run(made(database))
    assert said("backup", str(tmp_path / "kopie-ö.sqlite3"), SPRINGBOARD_DATABASE=str(database))[0] == 0
    assert (tmp_path / "kopie-ö.sqlite3").exists()
    status, text = said("check", SPRINGBOARD_DATABASE=str(database))
    assert status == 0, text
    (tmp_path / ".env").write_text(f"SPRINGBOARD_DATABASE={database}\n", encoding="utf-8")
    status, text = said("check")
    assert "Traceback" not in text
    assert "has letters that the locale of this machine (ascii) has no bytes for" in text
    assert status == 1
