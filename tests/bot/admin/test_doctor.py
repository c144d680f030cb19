"""`springboard doctor`: what it finds, and what it tells an operator to do."""

import asyncio
import importlib.util
import os
from pathlib import Path

import pytest

from storage.store import Store
from tests.bot.command_line import TOKEN, output_of, springboard

pytestmark = pytest.mark.usefixtures("bare")


def test_the_doctor_tells_a_newcomer_what_to_do_and_that_all_is_well(tmp_path: Path) -> None:
    said = output_of("doctor")
    assert "--  Token: none. Set DISCORD_TOKEN or DISCORD_TOKEN_FILE" in said
    assert f"ok  Database (SPRINGBOARD_DATABASE): {tmp_path / 'data' / 'springboard.sqlite3'} will be made" in said
    assert "ok  Typefaces: all there." in said
    assert "client_id=APPLICATION_ID&scope=bot+applications.commands&permissions=377957223424" in said
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_prints_the_invitation_but_not_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    said = output_of("doctor", "--offline")
    assert "--  Discord: not asked: --offline was given." in said
    assert "Token: set (from DISCORD_TOKEN), of application 1234567890123456789." in said
    assert "https://discord.com/oauth2/authorize?client_id=1234567890123456789&" in said
    assert TOKEN not in said
    assert "abcdefghijklmnopqrstuvwxyz" not in said


@pytest.mark.parametrize(("database", "said"), [
    ("/dev/null/springboard.sqlite3", "/dev/null cannot be written to"),
    ("mysql://db/springboard", "it knows nothing of mysql"),
    ("postgresql://bot:p4ssw0rd@127.0.0.1:1/springboard", "cannot be reached"),
])  # fmt: skip
def test_the_doctor_finds_a_database_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, database: str, said: str) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", database)
    told = output_of("doctor", status=1)
    (line,) = (line for line in told.splitlines() if line.startswith("!!"))
    assert line.startswith("!!  Database (SPRINGBOARD_DATABASE): ")
    assert said in line
    assert "p4ssw0rd" not in told


def test_the_doctor_finds_a_folder_that_is_closed_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert f"cannot be made: {tmp_path} cannot be written to." in output_of("doctor", status=1)


def test_the_doctor_finds_a_damaged_database_and_leaves_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"x" * 10000)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(damaged))
    assert "is damaged" in output_of("doctor", status=1)
    assert damaged.read_bytes() == b"x" * 10000


async def test_the_doctor_may_look_while_the_bot_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(tmp_path / "games.sqlite3"))
    store = await Store.open(tmp_path / "games.sqlite3")
    try:
        told = await asyncio.to_thread(springboard, "doctor")
    finally:
        await store.close()
    assert told.exit_code == 0
    assert "games.sqlite3 is sound." in told.output


def test_the_doctor_misses_both_token_and_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "simcord" else found(name, *more))
    assert "!!  Token: none, and the sandbox is not installed." in output_of("doctor", status=1)


def test_without_a_token_no_channel_is_looked_at() -> None:
    assert (
        "--  Channel 5: not looked at: without a token, Discord tells nothing."
        in springboard("doctor", "--channel", "5").output
    )
