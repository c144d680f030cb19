"""The running bot makes backups by itself, reports failures once, and keeps trying."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.backups import Backups, backing_up
from bot.config import ConfigError, load
from bot.core.core import Core
from bot.parts import PARTS
from storage.store import Store
from storage.upkeep.backups import HOUR, BackupFolder
from tests.bot.damage import damage
from tests.bot.service import Time, started

HANGS_AFTER = 600.0
"""Seconds after which an expected backup will never come."""


@pytest.fixture(autouse=True)
def not_yielding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups do not yield to other tests, which may keep the machine busy for long."""
    monkeypatch.setattr("bot.backups.NICE", 0)


@pytest.fixture
async def games(tmp_path: Path, clock: Time) -> Path:
    store = await Store.open(tmp_path / "games.sqlite3")
    await started(Core(store, parts=PARTS, now=clock))
    await store.close()
    return tmp_path / "games.sqlite3"


@pytest.fixture
async def backups(games: Path, tmp_path: Path, clock: Time) -> AsyncIterator[Backups]:
    made = Backups(games, tmp_path / "backups", now=clock)
    yield made
    made.close()


def moments(folder: Path) -> list[float]:
    return sorted(one.made for one in BackupFolder(folder).backups())


async def until_there_are(count: int, folder: Path) -> None:
    async with asyncio.timeout(HANGS_AFTER):
        while len(moments(folder)) < count:
            await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_a_backup_is_made_soon_after_the_start_and_then_every_so_often(games: Path, tmp_path: Path, clock: Time) -> None:
    def now() -> float:
        clock.pass_(HOUR)
        return clock.now

    backups = Backups(games, tmp_path / "backups", now=now, every=0.05, first=0.05)
    running = asyncio.create_task(backups.run())
    await until_there_are(3, tmp_path / "backups")
    assert not running.done()
    running.cancel()
    backups.close()
    assert backups.failures == 0
    assert await Store.open(tmp_path / "games.sqlite3")


@pytest.mark.slow
async def test_a_backup_that_is_young_enough_is_waited_for(games: Path, tmp_path: Path, clock: Time, backups: Backups) -> None:
    assert backups.age() is None
    assert await backups.make()
    assert backups.age() == 0
    clock.pass_(HOUR / 4)
    assert backups.age() == HOUR / 4
    again = Backups(games, tmp_path / "backups", now=clock)
    assert (again._begin(), again.age()) == (3 * HOUR / 4, HOUR / 4)
    clock.pass_(HOUR)
    assert again._begin() == 0
    again.close()


@pytest.mark.slow
async def test_backups_from_the_future_delay_nothing(tmp_path: Path, clock: Time, backups: Backups) -> None:
    clock.pass_(1000 * HOUR)
    assert await backups.make()
    clock.pass_(-1000 * HOUR)
    assert backups._begin() == 0
    assert await backups.make()
    assert (backups.age(), len(moments(tmp_path / "backups"))) == (0, 2)


@pytest.mark.slow
async def test_failures_are_told_once_and_delete_nothing(games: Path, tmp_path: Path, clock: Time, backups: Backups) -> None:
    assert await backups.make()
    content = games.read_bytes()
    with capture_logs() as logs:
        games.write_bytes(b"x" * 10000)
        for _ in range(3):
            clock.pass_(HOUR)
            assert not await backups.make()
        games.unlink()
        assert not await backups.make()
        games.write_bytes(content)
        assert await backups.make()
    told = [(line["log_level"], line["event"]) for line in logs if line["log_level"] != "debug"]
    assert told == [("error", "no backup"), ("error", "no backup"), ("info", "backups are made again")]
    assert "file is not a database" in logs[0]["reason"]
    assert (backups.failures, backups.age(), len(moments(tmp_path / "backups"))) == (4, 0, 2)


@pytest.mark.slow
async def test_a_backup_that_another_process_is_making_is_no_failure(tmp_path: Path, backups: Backups) -> None:
    with BackupFolder(tmp_path / "backups").alone(), capture_logs() as logs:
        assert backups._begin() == 0
        assert not await backups.make()
    assert ([line["event"] for line in logs], backups.failures) == (["another process is making a backup"], 0)
    assert await backups.make()


@pytest.mark.slow
async def test_faults_in_what_is_backed_up_are_told_once(games: Path, clock: Time, backups: Backups) -> None:
    damage(games, "UPDATE tables SET variant = 'nonsense'")
    with capture_logs() as logs:
        for _ in range(2):
            clock.pass_(HOUR)
            assert await backups.make()
    (line,) = (line for line in logs if line["log_level"] == "warning")
    assert (line["event"], line["file"][-15:], backups.failures) == ("backup has faults", "-faulty.sqlite3", 0)


@pytest.mark.slow
async def test_a_folder_that_cannot_be_used_is_told_and_keeps_the_bot_from_nothing(tmp_path: Path, games: Path) -> None:
    (tmp_path / "file").touch()
    backups = Backups(games, tmp_path / "file", first=0.01, retry=0.01)
    with capture_logs() as logs:
        running = asyncio.create_task(backups.run())
        async with asyncio.timeout(HANGS_AFTER):
            while backups.failures < 3:
                await asyncio.sleep(0.01)
        running.cancel()
        backups.close()
    assert [line["event"] for line in logs] == ["no backup"]
    assert "cannot be written to: File exists" in logs[0]["reason"] or "Not a directory" in logs[0]["reason"]


async def test_a_bot_that_stops_during_a_backup_does_not_wait_for_it(games: Path, tmp_path: Path) -> None:
    backups = Backups(games, tmp_path / "backups", first=0)
    running = asyncio.create_task(backups.run())
    async with asyncio.timeout(HANGS_AFTER):
        while backups._worker.pid is None:
            await asyncio.sleep(0.001)
    running.cancel()
    backups.close()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert backups._worker.pid is None


@pytest.mark.slow
@pytest.mark.usefixtures("bare")
async def test_the_settings_say_whether_there_are_backups(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(games))
    async with backing_up(load()) as none:
        assert none is None
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", str(tmp_path / "backups"))
    monkeypatch.setattr("bot.backups.FIRST", 0.0)
    async with backing_up(load()) as some:
        assert some is not None
        await until_there_are(1, tmp_path / "backups")
    monkeypatch.setenv("SPRINGBOARD_DATABASE", "postgresql://db/springboard")
    with pytest.raises(ConfigError, match=r"backs up SQLite only.*pg_dump"):
        load()


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("name", "value"), [("SHARDS", "total:2"), ("SHARD_IDS", "0-3")])
def test_several_shards_need_a_server(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"SPRINGBOARD_{name}", value)
    with pytest.raises(ConfigError, match=f"SPRINGBOARD_{name}: several shards need a postgresql"):
        load()
    monkeypatch.setenv("SPRINGBOARD_DATABASE", "postgresql://db/springboard")
    load()
