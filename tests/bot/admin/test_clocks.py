"""`springboard resume-clocks`, and where an operator reads that it is needed."""

import asyncio
import time
from pathlib import Path

import pytest

from bot.core.core import Core
from bot.parts import PARTS
from storage import queries
from storage.schema.errors import StorageError
from storage.schema.records import Heartbeat, Table
from storage.store import Store
from tests.bot.command_line import output_of, springboard
from tests.bot.service import BOUNCERS, started

pytestmark = pytest.mark.usefixtures("bare")

SAID = (
    "Nobody runs out of time, because time-outs are stopped: The clock of this machine jumped back by 5 h. "
    "Set the clock of this machine right: they go on as soon as it agrees with Discord's. Or run `springboard resume-clocks`."
)


async def a_game(path: Path, halted: str | None) -> None:
    """A database with a game whose time ran out long ago, as after a jump of the system clock."""
    store = await Store.open(path)
    try:
        table = (await started(Core(store, parts=PARTS, now=lambda: 1_000_000.0), BOUNCERS)).table.id
        async with store.write() as writer:
            await queries.tables.change(writer, table, clock=3600, deadline=1_003_600.0)
            await queries.heartbeats.put(writer, Heartbeat(name="main", at=1_000_000.0, halted=halted))
    finally:
        await store.close()


async def heartbeat_and_table(path: Path) -> tuple[Heartbeat, Table]:
    store = await Store.beside(path)
    try:
        async with store.read() as reader:
            (beat,), (table,) = await queries.heartbeats.find(reader), await queries.tables.find(reader)
            return beat, table
    finally:
        await store.close()


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(path))
    return path


@pytest.mark.parametrize("running", [False, True])
def test_the_operator_lets_the_clocks_go_on_whether_the_bot_is_running_or_not(database: Path, running: bool) -> None:
    asyncio.run(a_game(database, "The clock of this machine jumped back by 5 h."))
    checked = springboard("check")
    assert SAID in checked.output
    assert checked.exit_code == 1
    assert f"??  Clocks: {SAID}" in springboard("doctor").output

    async def beside_a_bot() -> None:
        bot = await Store.open(database)
        try:
            said = await asyncio.to_thread(springboard, "resume-clocks")
            assert said.exit_code == 0, said.output
        finally:
            await bot.close()

    if running:
        asyncio.run(beside_a_bot())
    else:
        assert "Whoever is awaited has all of their time again." in springboard("resume-clocks").output
    beat, table = asyncio.run(heartbeat_and_table(database))
    now = time.time()
    assert beat.halted is None
    assert table.deadline is not None
    assert now - 600 < beat.at <= now
    assert now + 3000 < table.deadline <= now + 3600
    assert "Clocks:" not in springboard("doctor").output


def test_clocks_that_are_not_stopped_are_left_alone(database: Path) -> None:
    asyncio.run(a_game(database, None))
    before = asyncio.run(heartbeat_and_table(database))
    said = springboard("resume-clocks")
    assert (said.exit_code, said.output) == (0, "Time-outs are not stopped.\n")
    assert asyncio.run(heartbeat_and_table(database)) == before
    assert "stopped" not in springboard("check").output


def test_without_a_database_nothing_is_made(database: Path) -> None:
    assert f"There is no database {database}." in output_of("resume-clocks", status=1)
    assert not database.exists()


async def test_a_database_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letters.txt"
    path.write_text("Dear Ann, " * 1000)
    with pytest.raises(StorageError, match="is no database at all"):
        await Store.beside(path)
    (tmp_path / "empty.sqlite3").touch()
    with pytest.raises(StorageError, match="of an older Springboard"):
        await Store.beside(tmp_path / "empty.sqlite3")
