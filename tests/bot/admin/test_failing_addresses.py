"""Whatever keeps the bot from its database server, every command says it in one sentence."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from storage.store import Store
from tests.bot.command_line import TOKEN, springboard
from tests.databases import WANTED, WHY_NOT
from tests.encrypting import OPENSSL, WHY_NO_CERTIFICATES, Encrypting
from tests.pgbouncer import free_port

COMMANDS: Final = (["run"], ["check"], ["doctor", "--offline"], ["health"], ["release"], ["resume-clocks"], ["void-day", "1"],
                   ["move-database", "here.sqlite3", "-"], ["move-database", "-", "there.sqlite3"])  # fmt: skip


def failing(port: int) -> list[str]:
    """Addresses that cannot be used. For `port` see the fixture."""
    there = f"postgresql://springboard:s3cret@localhost:{port}/postgres"
    return [
        f"postgresql://springboard:s3cret@localhost:{free_port()}/postgres?sslmode=require",
        f"{there}?sslmode=disable",
        f"{there}?sslmode=verify-full&sslrootcert=system",
        f"{there}?sslmode=sometimes",
        f"{there}?sslmod=require",
        f"{there}?sslmode=require&channel_binding=require",
        f"{there}?sslmode=require&target_session_attrs=standby",
        f"{there}?sslmode=require&options=-c%20nothing=1",
        f"postgresql://nobody:s3cret@localhost:{port}/postgres?sslmode=require",
        f"postgresql://springboard:s3cret@localhost:{port}/nothing?sslmode=require",
        "postgresql://springboard:s3cret@nowhere.invalid/games",
        "postgresql://springboard:s3cret@/games?service=none",
    ]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server that only takes encrypted connections."""
    server = Encrypting()

    async def start() -> None:
        await server.__aenter__()
        await server.made(tmp_path)

    asyncio.run(start())
    yield server.port
    asyncio.run(server.__aexit__())


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(not WANTED, reason=WHY_NOT)
@pytest.mark.skipif(OPENSSL is None, reason=WHY_NO_CERTIFICATES)
@pytest.mark.usefixtures("bare")
def test_it_is_said_in_one_sentence_everywhere(port: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_file(tmp_path / "here.sqlite3")
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    for address in failing(port):
        monkeypatch.setenv("SPRINGBOARD_DATABASE", address)
        for command in COMMANDS:
            told = springboard(*command)
            assert told.exit_code == 1, (command, address)
            assert isinstance(told.exception, SystemExit), (command, address, told.exception)
            # The doctor says more, and what moves shows how far it is.
            begin = {"doctor": "!!", "move-database": "Error: "}.get(command[0], "")
            lines = [line for line in told.output.splitlines() if line.startswith(begin)]
            assert len(lines) == 1, (command, address, told.output)
            assert lines[0].endswith((".", "?")), lines
            assert "s3cret" not in told.output


def make_file(path: Path) -> None:
    async def make() -> None:
        await (await Store.open(path)).close()

    asyncio.run(make())
