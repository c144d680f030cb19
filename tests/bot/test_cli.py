"""The command line: what an operator is told, and how the process ends."""

import asyncio
import builtins
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp import web
from click.testing import CliRunner, Result

from bot.__main__ import main
from bot.config import Settings, load
from bot.process import CannotRun, serve
from storage.errors import StorageError
from storage.store import Store
from tests.bot.test_config import NAMES, TOKEN


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting from outside, and logging as it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.logs.configure", lambda *_, **__: None)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def springboard(*words: str) -> Result:
    return CliRunner().invoke(main, words)


# ------------------------------------------------------------------- doctor


def test_the_doctor_tells_a_newcomer_what_to_do_and_that_all_is_well(tmp_path: Path) -> None:
    said = springboard("doctor")
    assert said.exit_code == 0
    assert "--  Token: none. Set DISCORD_TOKEN or DISCORD_TOKEN_FILE" in said.output
    assert f"ok  Database (SPRINGBOARD_DATABASE): {tmp_path / 'data' / 'springboard.sqlite3'} will be made" in said.output
    assert "ok  Typefaces: all there." in said.output
    assert "client_id=APPLICATION_ID&scope=bot+applications.commands&permissions=377957223424" in said.output
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_prints_the_invitation_but_not_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    said = springboard("doctor")
    assert said.exit_code == 0
    assert "Token: set (from DISCORD_TOKEN), of application 1234567890123456789." in said.output
    assert "https://discord.com/oauth2/authorize?client_id=1234567890123456789&" in said.output
    assert TOKEN not in said.output
    assert "abcdefghijklmnopqrstuvwxyz" not in said.output


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("/dev/null/springboard.sqlite3", "/dev/null cannot be written to"),
        ("mysql://db/springboard", "it knows nothing of mysql"),
        ("postgresql://bot:p4ssw0rd@127.0.0.1:1/springboard", "cannot be reached"),
    ],
)
def test_the_doctor_finds_a_database_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, database: str, said: str) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", database)
    told = springboard("doctor")
    assert told.exit_code == 1
    (line,) = (line for line in told.output.splitlines() if line.startswith("!!"))
    assert line.startswith("!!  Database (SPRINGBOARD_DATABASE): ")
    assert said in line
    assert "p4ssw0rd" not in told.output


def test_the_doctor_finds_a_folder_that_is_closed_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    told = springboard("doctor")
    assert told.exit_code == 1
    assert f"cannot be made: {tmp_path} cannot be written to." in told.output


def test_the_doctor_finds_a_damaged_database_and_leaves_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"x" * 10000)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(damaged))
    told = springboard("doctor")
    assert told.exit_code == 1
    assert "is damaged" in told.output
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
    told = springboard("doctor")
    assert told.exit_code == 1
    assert "!!  Token: none, and the sandbox is not installed." in told.output


@pytest.mark.parametrize("command", ["doctor", "run", "check", "sandbox"])
def test_a_wrong_setting_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("SPRINGBOARD_LOG", "loud")
    told = springboard(command)
    assert told.exit_code == 1
    assert told.output.startswith("Error: SPRINGBOARD_LOG: 'loud' is not one of")
    assert isinstance(told.exception, SystemExit)


# ------------------------------------------------------------ the README


README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_in_the_readme(name: str) -> None:
    (row,) = (line for line in README.splitlines() if line.startswith(f"| `{name}` |"))
    (default,) = (field.default for field in Settings.model_fields.values() if field.validation_alias == name)
    shown = default.get_secret_value() if hasattr(default, "get_secret_value") else default
    assert shown is None or str(shown) in row


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert re.search(rf"^springboard {name}\b.*#", README, flags=re.MULTILINE)


# ---------------------------------------------- backup, restore and check


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
    found = springboard("check")
    assert found.exit_code == 1
    assert "is damaged" in found.output
    put_back = springboard("restore", str(copy))
    assert put_back.exit_code == 0
    assert "is kept as" in put_back.output
    assert (await asyncio.to_thread(springboard, "check")).output == "The database is sound.\n"


def test_what_is_not_there_cannot_be_checked(tmp_path: Path) -> None:
    told = springboard("check")
    assert told.exit_code == 1
    assert told.output == f"Error: There is no database {tmp_path / 'data' / 'springboard.sqlite3'}.\n"


# ---------------------------------------------------------------- running


def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(tmp_path / "games.sqlite3"))
    return load()


@pytest.fixture
async def discord_says(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[int, Any], None]]:
    """A stand-in for Discord's HTTP interface which answers everything alike."""
    answer: list[Any] = [500, {}]

    async def reply(request: web.Request) -> web.Response:
        return web.json_response(answer[1], status=answer[0])

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", reply)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield lambda status, body: answer.__setitem__(slice(None), [status, body])
    await runner.cleanup()


async def test_a_token_that_discord_refuses_ends_the_bot_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, discord_says: Callable[[int, Any], None]
) -> None:
    discord_says(401, {"message": "401: Unauthorized", "code": 0})
    with pytest.raises(CannotRun, match="does not accept the token") as error:
        await serve(settings(monkeypatch, tmp_path))
    assert TOKEN not in str(error.value)
    store = await Store.open(tmp_path / "games.sqlite3")  # the bot has let go of it
    await store.close()


async def test_no_network_ends_the_bot_with_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    with pytest.raises(CannotRun, match="cannot be reached"):
        await serve(settings(monkeypatch, tmp_path))


class Idle(discord.Client):
    """A client that is connected and waits, as far as `serve` can see."""

    def __init__(self, store: Store, *, now: Callable[[], float]) -> None:
        super().__init__(intents=discord.Intents.none())
        self.store = store
        self.started = asyncio.Event()
        self.left = asyncio.Event()

    async def start(self, token: str, *, reconnect: bool = True) -> None:
        self.started.set()
        await self.left.wait()

    async def close(self) -> None:
        async with self.store.read():  # the store is still there when the bot says goodbye
            self.left.set()
        await super().close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_bot_in_good_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: signal.Signals
) -> None:
    clients: list[Idle] = []

    def make(store: Store, *, now: Callable[[], float]) -> Idle:
        clients.append(Idle(store, now=now))
        return clients[0]

    serving = asyncio.create_task(serve(settings(monkeypatch, tmp_path), make))
    while not clients or not clients[0].started.is_set():
        await asyncio.sleep(0.01)
    os.kill(os.getpid(), number)
    await serving
    assert clients[0].is_closed()
    with pytest.raises(StorageError, match="closed"):
        async with clients[0].store.read():
            pass
    assert signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)


async def test_an_error_of_the_client_is_not_swallowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Broken(Idle):
        async def start(self, token: str, *, reconnect: bool = True) -> None:
            raise ArithmeticError("broken")

    with pytest.raises(ArithmeticError, match="broken"):
        await serve(settings(monkeypatch, tmp_path), Broken)


def test_run_without_a_token_is_the_sandbox_and_a_taken_port_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("SPRINGBOARD_SANDBOX_PORT", str(port))
        told = springboard("run")
    assert told.exit_code == 1
    assert told.output.splitlines()[0].startswith("No DISCORD_TOKEN is set: this is the sandbox.")
    assert f"cannot be served on port {port}: Address already in use" in told.output
    assert "Traceback" not in told.output


def test_an_installation_without_the_sandbox_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **also: Any) -> Any:
        if name.startswith("bot.sandbox"):
            raise ModuleNotFoundError("No module named 'simcord'", name="simcord")
        return real(name, *more, **also)

    monkeypatch.setattr(builtins, "__import__", without)
    told = springboard("sandbox")
    assert told.exit_code == 1
    assert "The sandbox is not part of this installation (simcord is missing). Set DISCORD_TOKEN" in told.output


def test_the_bot_itself_does_not_need_the_sandbox() -> None:
    code = "import sys; sys.modules['simcord'] = None; import bot.__main__; assert 'bot.sandbox' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
