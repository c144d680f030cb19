"""`springboard move-database`: what the operator sees, and how games go on after the move."""

import asyncio
from pathlib import Path

import pytest

from bot.admin.check import problems
from bot.core.clocks.heartbeats import Heartbeats
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.parts import PARTS
from storage import queries
from storage.store import Store
from tests.bot.admin.test_check import JUMPING, fill
from tests.bot.command_line import springboard
from tests.bot.damage import damage
from tests.bot.service import ANN, BEN, CLEO, HOUR, Time, first_action

pytestmark = pytest.mark.usefixtures("bare")
SECRET = "postgresql://somebody:secret@127.0.0.1:1/games"


@pytest.fixture
async def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite3"
    await fill(path)
    return path


async def play_on(address: str | Path) -> int:
    """Continue the first game and open another table. Returns its number."""
    store = await Store.open(address)
    core = Core(store, parts=PARTS, now=Time(1_767_614_400.0 + 50_000))
    for _ in range(3):
        snapshot = await core.snapshot(1)
        (seat,) = snapshot.playing.to_act
        await core.service(Play).act(1, (ANN, BEN)[seat], first_action(snapshot))
    opened = await core.service(Lobby).open(CLEO, JUMPING)
    await store.close()
    return opened.table.id


async def test_games_go_on_and_follow_their_rules_after_a_move_there_and_back(games: Path, server: str, tmp_path: Path) -> None:
    for number, source, target in ((9, str(games), server), (10, server, str(tmp_path / "back.sqlite3"))):
        told = await asyncio.to_thread(springboard, "move-database", source, target)
        assert told.exit_code == 0, told.output
        assert await play_on(target) == number
        assert await asyncio.to_thread(lambda: list(problems(target))) == []  # noqa: B023 – called at once


async def test_the_time_that_a_move_takes_is_given_back_by_the_shards_that_come_after(games: Path, server: str) -> None:
    assert (await asyncio.to_thread(springboard, "move-database", str(games), server)).exit_code == 0
    store = await Store.open(server, alone=False)
    async with store.read() as reader:
        (last,) = await queries.heartbeats.find(reader)
        before = await queries.tables.get(reader, 1)
    shard = Core(store, parts=PARTS, now=Time(last.at + 2 * HOUR), name="shard 0 of 1")
    assert (await shard.service(Heartbeats).beat()).given_back == 2 * HOUR
    after = (await shard.snapshot(1)).table
    await store.close()
    assert before is not None
    assert before.deadline is not None
    assert after.deadline == before.deadline + 2 * HOUR


@pytest.mark.slow
async def test_the_operator_is_told_what_was_moved_and_what_to_do_now(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "games.sqlite3"
    told = await asyncio.to_thread(springboard, "move-database", str(games), str(target))
    assert told.exit_code == 0
    lines = told.stdout.splitlines()
    assert ["tables", "8"] in [line.split() for line in lines]
    assert lines[-2] == f"Every row of {games} is in {target}, and the same there."
    assert lines[-1].startswith(f"Now set SPRINGBOARD_DATABASE to {target}, and start the bot.")
    again = await asyncio.to_thread(springboard, "move-database", str(games), str(target))
    assert again.exit_code == 1
    assert f"Error: The file {target} is there already." in again.output


@pytest.mark.slow
async def test_what_was_wrong_before_is_told_and_does_not_keep_the_rest(games: Path, tmp_path: Path) -> None:
    damage(games, "UPDATE seats SET status = 'dancing' WHERE table_id = 1 AND place = 0")
    told = await asyncio.to_thread(springboard, "move-database", str(games), str(tmp_path / "moved.sqlite3"))
    assert told.exit_code == 0
    assert "'dancing' is not a valid SeatStatus" in told.stdout


@pytest.mark.slow
async def test_a_dash_is_the_database_that_is_set(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(games))
    told = await asyncio.to_thread(springboard, "move-database", "-", str(tmp_path / "moved.sqlite3"))
    assert told.exit_code == 0, told.output
    assert (tmp_path / "moved.sqlite3").is_file()


async def test_a_password_is_shown_to_nobody(games: Path) -> None:
    for words in ((str(games), SECRET), (SECRET, str(games.with_name("new.sqlite3")))):
        told = await asyncio.to_thread(springboard, "move-database", *words)
        assert told.exit_code == 1
        assert "cannot be used" in told.output
        assert "secret" not in told.output
        assert told.exception is None or isinstance(told.exception, SystemExit)
