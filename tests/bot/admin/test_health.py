"""`springboard health`: alive, or why that is not known."""

import asyncio
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.admin.health import FRESH, complaint, trouble
from bot.monitoring.endpoints import serve_site
from bot.monitoring.health import Health
from storage import queries
from storage.schema.errors import StorageError
from storage.schema.records import Heartbeat
from storage.store import Store

pytestmark = pytest.mark.usefixtures("bare")


@pytest.fixture
async def database(tmp_path: Path) -> str:
    """The database of a bot that was last alive at time 1000."""
    store = await Store.open(tmp_path / "games.sqlite3")
    async with store.write() as writer:
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=1000.0))
    await store.close()
    return str(tmp_path / "games.sqlite3")


async def test_a_bot_is_alive_while_its_heartbeat_is_fresh(database: str) -> None:
    assert trouble(database, 1000.0 + FRESH) is None
    assert trouble(database, 1000.0 + FRESH + 1800) == "The bot was last connected to Discord 42 minutes ago."


async def test_it_is_asked_while_the_bot_is_running(database: str) -> None:
    store = await Store.open(database)
    async with store.write() as writer:
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=9000.0))
    assert trouble(database, 9001.0) is None
    await store.close()


async def test_a_bot_that_was_never_connected_is_not_alive(tmp_path: Path) -> None:
    await (await Store.open(tmp_path / "new.sqlite3")).close()
    assert trouble(str(tmp_path / "new.sqlite3"), 1000.0) == "The bot has never been connected to Discord."


def test_no_database_is_told_and_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be read"):
        trouble(str(tmp_path / "none.sqlite3"), 1000.0)
    assert list(tmp_path.iterdir()) == []


async def test_the_command_tells_it_by_its_exit_status(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", database)
    dead = CliRunner().invoke(main, ["health"])
    assert dead.exit_code == 1
    assert "minutes ago" in dead.output
    store = await Store.open(database)
    async with store.write() as writer:
        await queries.heartbeats.put(writer, Heartbeat(name="main", at=time.time()))
    await store.close()
    alive = CliRunner().invoke(main, ["health"])
    assert (alive.exit_code, alive.output) == (0, "The bot is alive.\n")


async def test_a_bot_that_answers_monitors_is_asked_itself() -> None:
    health = Health(fresh_for=0)
    reasons: list[str | None] = [None]

    async def gateway() -> str | None:
        return reasons[0]

    health.add("gateway", gateway)
    async with serve_site(("127.0.0.1", 0), health) as port:
        assert await asyncio.to_thread(complaint, f"0.0.0.0:{port}") is None
        reasons[0] = "There is no connection to Discord."
        assert await asyncio.to_thread(complaint, f"127.0.0.1:{port}") == "gateway: There is no connection to Discord."
    said = await asyncio.to_thread(complaint, f"127.0.0.1:{port}")
    assert said is not None
    assert said.startswith(f"The bot does not answer at 127.0.0.1:{port}: ")
