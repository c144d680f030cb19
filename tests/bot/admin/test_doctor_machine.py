"""`springboard doctor` checks the machine: database, backups, disk, port, time zones, fonts."""

import asyncio
import os
import shutil
import socket
import uuid
import zoneinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web
from PIL import features
from sqlalchemy.engine import make_url

from bot.admin.backups import make
from bot.admin.doctor import Finding, Mark, examine
from bot.admin.doctor.databases import _crowd, _faults_of
from bot.admin.doctor.machine import http
from bot.config import load
from bot.runtime.rival import COMPLAINT
from storage import queries
from storage.schema.records import Person
from storage.store import Store
from storage.upkeep.backups import HOUR
from tests.bot.command_line import output_of
from tests.databases import tell

pytestmark = pytest.mark.usefixtures("bare")
NOW = 1_767_614_400.0


def about(findings: list[Finding], what: str) -> list[Finding]:
    return [finding for finding in findings if finding.text.startswith(what)]


async def found(what: str, **options: Any) -> list[Finding]:
    return about(await examine(load(), offline=True, **options), what)


@pytest.fixture
async def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "data" / "games.sqlite3"
    await (await Store.open(path)).close()
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(path))
    return path


@pytest.mark.parametrize(("closed", "said"), [
    ("data", "data cannot be written to, and SQLite keeps a log beside"),
    ("games.sqlite3", "games.sqlite3 cannot be read and written by this user"),
    ("games.sqlite3.lock", "games.sqlite3.lock cannot be read and written by this user"),
])  # fmt: skip
async def test_a_database_of_another_user_is_told(games: Path, monkeypatch: pytest.MonkeyPatch, closed: str, said: str) -> None:
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != closed and real(path, mode))
    (finding,) = await found("Database")
    assert finding.mark is Mark.BAD
    assert said in finding.text
    assert "(chown)" in finding.text


async def test_a_server_where_tables_may_be_made_is_well(monkeypatch: pytest.MonkeyPatch, server: str) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", server)
    findings = await examine(load(), offline=True)
    (finding,) = about(findings, "Database")
    assert finding.mark is Mark.GOOD
    assert "answers: PostgreSQL " in finding.text
    (shards,) = about(findings, "Shards")
    assert shards.text == "Shards: as many as Discord recommends (SPRINGBOARD_SHARDS), shared out among all processes."
    (backups,) = about(findings, "Backups")
    assert "pg_dump" in backups.text


@pytest.mark.usefixtures("from_scratch")
@pytest.mark.parametrize(("commands", "said"), [
    (["REVOKE CREATE ON SCHEMA public FROM PUBLIC", "GRANT USAGE ON SCHEMA public TO PUBLIC"],
     "may not create tables in the schema public. As its owner: GRANT USAGE, CREATE ON SCHEMA public TO {user};"),
    (["DROP SCHEMA public"],
     "has no schema to create tables in. As a superuser: CREATE SCHEMA {user} AUTHORIZATION {user};"),
])  # fmt: skip
async def test_rights_that_are_missing_on_a_server_are_told_with_the_statement_that_gives_them(
    monkeypatch: pytest.MonkeyPatch, server: str, commands: list[str], said: str
) -> None:
    user = f"patient_{uuid.uuid4().hex}"
    await tell(server, f"CREATE ROLE {user} LOGIN", *commands)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", make_url(server).set(username=user).render_as_string(hide_password=False))
    try:
        (finding,) = await found("Database")
        await tell(server, said.format(user=user).partition(": ")[2])
        (cured,) = await found("Database")
    finally:
        await tell(server, f"DROP OWNED BY {user}", f"DROP ROLE {user}", "CREATE SCHEMA IF NOT EXISTS public")
    assert finding.mark is Mark.BAD
    assert said.format(user=user) in finding.text
    assert cured.mark is Mark.GOOD


@pytest.mark.parametrize(("facts", "said"), [
    ({"version": 110_020, "name": "11.20"}, "the server is PostgreSQL 11.20; at least 12 is needed. Update it."),
    ({"copy": True}, "the server is a copy that can only be read (hot standby)."),
    ({"read_only": True}, "nothing can be written (default_transaction_read_only is on for"),
])  # fmt: skip
def test_a_server_that_is_too_old_or_only_a_copy_is_told(facts: dict[str, Any], said: str) -> None:
    well = {"version": 150_004, "name": "15.4", "copy": False, "schema": "public", "may_create": True, "may_use": True}
    well |= {"read_only": False, "database": "games"}
    assert list(_faults_of(SimpleNamespace(**well))) == []
    (told,) = _faults_of(SimpleNamespace(**well | facts))
    assert told.startswith(said)


def test_a_server_with_few_connections_left_is_told() -> None:
    assert list(_crowd(SimpleNamespace(used=89, most=97), "Database:")) == []
    (finding,) = _crowd(SimpleNamespace(used=90, most=97), "Database:")
    assert finding.mark is Mark.POOR
    assert "90 of 97 connections are used, and each process of the bot may need 8." in finding.text


async def test_that_there_are_no_backups_is_told(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (finding,) = await found("Backups")
    assert finding.mark is Mark.NOTE
    assert "Set SPRINGBOARD_BACKUPS to a folder" in finding.text
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", "backups")
    (finding,) = await found("Backups")
    assert "none yet in " in finding.text


async def test_backups_that_have_stopped_are_told(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", str(tmp_path / "backups"))
    await asyncio.to_thread(make, games, tmp_path / "backups", NOW)
    (fresh,) = await found("Backups", now=lambda: NOW + HOUR / 2)
    assert fresh.mark is Mark.GOOD
    assert fresh.text.endswith("the newest 30 minutes old.")
    (late,) = await found("Backups", now=lambda: NOW + 5 * HOUR)
    assert late.mark is Mark.POOR
    assert "the newest of 1 is 5 hours old. Is the bot running?" in late.text


async def test_faults_in_the_newest_backup_are_told(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", str(tmp_path / "backups"))
    store = await Store.open(games)
    async with store.write() as writer:
        await queries.people.put(writer, Person(user_id=1, settings={"language": "xx"}))
    await store.close()
    await asyncio.to_thread(make, games, tmp_path / "backups", NOW)
    _, faults = await found("Backups", now=lambda: NOW)
    assert faults.mark is Mark.POOR
    assert "Run `springboard check`" in faults.text


async def test_a_folder_for_backups_that_cannot_be_written_to_is_told(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", "/dev/null/backups")
    (finding,) = await found("Backups")
    assert finding.mark is Mark.BAD, "the bot would not start"
    assert "No backup can be written to /dev/null/backups" in finding.text
    assert "/dev/null: Not a directory" in finding.text
    assert "Name a folder" in finding.text


async def test_a_backup_folder_of_an_unknown_user_is_told_once(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", "~nobody-of-this-name/backups")
    (finding,) = await found("Backups")
    assert finding.mark is Mark.BAD
    assert await found("Disk") == []


async def test_a_disk_that_is_nearly_full_is_told(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", "backups")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10**8))
    database, backups = await found("Disk")
    assert database.mark is Mark.GOOD
    assert backups.mark is Mark.POOR, "a backup needs space for two copies more"
    assert "100 MB are free in " in backups.text
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    assert [finding.mark for finding in await found("Disk")] == [Mark.POOR, Mark.POOR]


async def alive(_: web.Request) -> web.Response:
    return web.Response(text="alive")


async def complains(_: web.Request) -> web.Response:
    return web.Response(text=f"token: {COMPLAINT}\n", status=503)


async def test_a_port_that_is_free_taken_or_the_bots_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("bot.admin.doctor.machine.TIMEOUT", 0.1)
        (finding,) = await http(("127.0.0.1", port))
    assert finding.mark is Mark.BAD
    assert f"127.0.0.1:{port} (SPRINGBOARD_HTTP) cannot be used: Address already in use." in finding.text
    monkeypatch.undo()
    (finding,) = await http(("127.0.0.1", port))
    assert finding.mark is Mark.GOOD
    (free, note) = await http(("0.0.0.0", port))
    assert free.mark is Mark.GOOD
    assert "can be read from outside" in note.text
    (finding,) = await http(("no.such.host.invalid", port))
    assert finding.mark is Mark.BAD
    app = web.Application()
    app.router.add_get("/health/live", alive)
    app.router.add_get("/health/ready", complains)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        finding, complaint = await http(("127.0.0.1", runner.addresses[0][1]))
    finally:
        await runner.cleanup()
    assert finding.mark is Mark.GOOD
    assert "a bot answers" in finding.text
    assert complaint.mark is Mark.POOR
    assert complaint.text == f"Health and metrics: that bot complains of its token: {COMPLAINT}"
    assert await http(None) == []


async def test_missing_time_zones_and_fribidi_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [finding.mark for finding in await found("Time zones")] == [Mark.GOOD]
    monkeypatch.setattr(features, "check", lambda _: False)
    _, finding = await found("Typefaces")
    assert "Install libfribidi0" in finding.text

    def unknown(key: str) -> None:
        raise zoneinfo.ZoneInfoNotFoundError(key)

    monkeypatch.setattr("bot.admin.doctor.machine.ZoneInfo", unknown)
    (finding,) = await found("Time zones")
    assert finding.mark is Mark.POOR
    assert "Install the package tzdata" in finding.text


def test_shards_with_sqlite_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_SHARDS", "total:4")
    said = output_of("doctor", status=1)
    assert said.startswith("Error: SPRINGBOARD_SHARDS: several shards need a postgresql:// database.")


@pytest.mark.parametrize(("shards", "ids", "mark", "said"), [
    ("total:4", "0-1", Mark.GOOD, "Shards: 4 (SPRINGBOARD_SHARDS), of which this process runs only those of"),
    ("total:4", "4-7", Mark.BAD, "none of them is for this process"),
])  # fmt: skip
async def test_missing_shards_are_told(monkeypatch: pytest.MonkeyPatch, shards: str, ids: str, mark: Mark, said: str) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", "postgresql://bot@127.0.0.1:1/springboard")
    monkeypatch.setenv("SPRINGBOARD_SHARDS", shards)
    monkeypatch.setenv("SPRINGBOARD_SHARD_IDS", ids)
    (finding,) = await found("Shards")
    assert finding.mark is mark
    assert said in finding.text
