"""The restore drill: a bot makes a backup, is killed, loses its database, gets the backup back, and goes on."""

import asyncio
import copy
import os
import random
import signal
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.admin import check
from loopback.server import Loopback
from storage.upkeep.backups import BackupFolder
from tests.bot.command_line import springboard
from tests.loopback.people import People
from tests.loopback.players import Players, Told
from tests.loopback.reading import rows
from tests.loopback.successive_bots import SuccessiveBots
from tests.loopback.torment import BEATS, NAMES

DOINGS = 25
"""How many things people do at least before the backup, and after the restore."""
DOINGS_AT_MOST = 50 * DOINGS
"""After so many, something must have been acknowledged, however late answers are on a busy machine."""
HANGS_AFTER = 1200.0
"""Seconds after which an expected backup will never come. Making it yields to everything else on the machine."""


async def do(players: Players) -> None:
    """Do many things, until a move and a table have been acknowledged."""
    for number in range(DOINGS_AT_MOST):
        if number >= DOINGS and players.told.moves and players.told.tables:
            return
        await players.something()
    pytest.fail(f"of {DOINGS_AT_MOST} things that people did, no move or no table was acknowledged")


def assert_kept(told: Told, database: Path) -> None:
    assert told.moves <= {row["interaction_id"] for row in rows(database, "select interaction_id from actions")}
    assert told.tables.items() <= {row["id"]: row["opened_by"] for row in rows(database, "select * from tables")}.items()


async def drill(folder: Path) -> None:
    database, place = folder / "springboard.sqlite3", BackupFolder(folder / "backups")
    dice = random.Random(1)
    async with Loopback(time.time, beats=BEATS) as loopback:
        discord = loopback.discord
        where = discord.channel(discord.guild("Bounce Club"), "games")
        players = Players(People(loopback), where, [discord.person(name) for name in NAMES], dice)
        bots = SuccessiveBots(loopback, database, dice)
        async with bots.ready():
            pid = await bots.begin()
            await loopback.gateway.ready.wait()
            await do(players)
            assert await bots.stop(pid) == 0
            for backup in place.backups():
                backup.path.unlink()
            told = copy.deepcopy(players.told)

            pid = await bots.begin()
            await loopback.gateway.ready.wait()
            async with asyncio.timeout(HANGS_AFTER):
                while not place.backups():  # the bot makes it, soon after its start, while people play
                    await players.something()
                    await asyncio.sleep(0.1)
            os.kill(pid, signal.SIGKILL)
            await bots.end(pid)
            while loopback.gateway.ready.is_set():  # the end of the connection is still to be heard
                await asyncio.sleep(0.001)

            for file in folder.glob("springboard.sqlite3*"):
                file.write_bytes(b"\xff" * 100_000)
            said = await asyncio.to_thread(springboard, "restore", "latest")
            assert said.exit_code == 0, said.output
            assert_kept(told, database)

            pid = await bots.begin()
            await loopback.gateway.ready.wait()
            players.told = Told()
            players.most *= 2  # the messages of what was lost stay in the channel, and are counted as tables for ever
            await do(players)  # the game goes on
            assert await bots.stop(pid) == 0
        assert players.told.moves <= {row["interaction_id"] for row in rows(database, "select interaction_id from actions")}
        assert_kept(told, database)
        assert await asyncio.to_thread(lambda: list(check.problems(database))) == []
    assert [path.name for path in place.path.iterdir() if "unfinished" in path.name] == []


@pytest.mark.slow
def test_what_was_acknowledged_before_a_backup_is_there_after_the_database_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    with TemporaryDirectory() as folder:
        monkeypatch.setenv("SPRINGBOARD_DATABASE", str(Path(folder) / "springboard.sqlite3"))
        monkeypatch.setenv("SPRINGBOARD_BACKUPS", str(Path(folder) / "backups"))
        monkeypatch.setattr("bot.logs.configure", lambda *_, **__: None)
        asyncio.run(drill(Path(folder)))
