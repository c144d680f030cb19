"""The command line: what an operator is told."""

import asyncio
import builtins
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.config import Settings
from storage.store import Store
from tests.bot.command_line import NAMES, output_of, springboard

pytestmark = pytest.mark.usefixtures("bare")


@pytest.mark.parametrize("command", ["doctor", "run", "check", "sandbox"])
def test_a_wrong_setting_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("SPRINGBOARD_LOG", "loud")
    told = springboard(command)
    assert told.exit_code == 1
    assert told.output.startswith("Error: SPRINGBOARD_LOG: 'loud' is not one of")
    assert isinstance(told.exception, SystemExit)


async def test_a_database_is_backed_up_checked_and_restored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(games))
    store = await Store.open(games)
    made = await asyncio.to_thread(springboard, "backup", str(copy))
    await store.close()
    assert (made.exit_code, made.output) == (0, f"The database is copied to {copy}.\n")
    assert (
        springboard("backup", str(copy)).output == f"Error: The file {copy} is there already. Give the backup another name.\n"
    )
    assert springboard("backup", "--overwrite", str(copy)).exit_code == 0
    games.write_bytes(b"x" * 10000)
    for words, status, said in ((("check",), 1, "is damaged"), (("restore", str(copy)), 0, "is kept as")):
        told = springboard(*words)
        assert told.exit_code == status
        assert said in told.output
    assert (await asyncio.to_thread(springboard, "check")).output == "The database is sound.\n"


def test_what_is_not_there_cannot_be_checked(tmp_path: Path) -> None:
    told = output_of("check", status=1)
    assert told == f"Error: There is no database {tmp_path / 'data' / 'springboard.sqlite3'}.\n"


@pytest.mark.slow
def test_run_without_a_token_is_the_sandbox_and_a_taken_port_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("SPRINGBOARD_SANDBOX_PORT", str(port))
        told = output_of("run", status=1)
    assert told.splitlines()[0].startswith("No DISCORD_TOKEN is set: this is the sandbox.")
    assert f"cannot be served on port {port}: Address already in use" in told
    assert "Traceback" not in told


def test_an_installation_without_the_sandbox_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **also: Any) -> Any:
        if name.startswith("bot.sandbox"):
            raise ModuleNotFoundError("No module named 'simcord'", name="simcord")
        return real(name, *more, **also)

    monkeypatch.setattr(builtins, "__import__", without)
    told = output_of("sandbox", status=1)
    assert "The sandbox is not part of this installation (simcord is missing). Set DISCORD_TOKEN" in told


def test_run_without_a_token_and_without_the_sandbox_says_how_to_give_it_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simcord", None)
    told = output_of("run", status=1)
    assert told.startswith("Error: No DISCORD_TOKEN is set, and without one the bot cannot connect to Discord.\n")
    for way in (
        "https://discord.com/developers/applications", "under Bot, press Reset Token", "docker run:  --env DISCORD_TOKEN=",
        "in the file .env beside compose.yaml", "the environment variable DISCORD_TOKEN", "DISCORD_TOKEN_FILE",
        "springboard doctor",
    ):  # fmt: skip
        assert way in told
    assert "sandbox" not in told
    assert "Traceback" not in told


@pytest.mark.slow
def test_the_bot_itself_does_not_need_the_sandbox() -> None:
    code = "import sys; sys.modules['simcord'] = None; import bot.command_line; assert 'bot.sandbox' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_on_the_page_for_hosts(name: str) -> None:
    (row,) = (line for line in HOSTING.splitlines() if line.startswith(f"| `{name}` |"))
    (default,) = (field.default for field in Settings.model_fields.values() if field.validation_alias == name)
    shown = default.get_secret_value() if hasattr(default, "get_secret_value") else default
    assert shown is None or str(shown) in row


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_on_the_page_for_hosts(name: str) -> None:
    assert re.search(rf"^\| `springboard {name}\b", HOSTING, flags=re.MULTILINE)
