"""Verifying: replaying a game from its seed and log, for its players and for operators."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import NoSuchTable, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.features.offers.service import Consent
from bot.features.settings.moderation import Moderation
from bot.features.verify.service import Proof, Verdict, check_games, verify
from bot.parts import PARTS
from engines import GAMES
from engines.chance import seed_hash
from storage import queries
from storage.schema.records import Ending, Entry, EntryKind, OfferKind, Result, Status
from storage.store import Store
from tests.bot.present import present

ANN, BEN = User(1, "Ann"), User(2, "Ben")
BOUNCERS = TableRequest(guild_id=10, channel_id=20, game="bouncers")
SEED = b"\x07" * 32


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    store = await Store.open(tmp_path / "games.sqlite3")
    yield Core(store, parts=PARTS, now=lambda: 1_000_000.0, entropy=lambda _: SEED)
    await store.close()


async def started(core: Core, request: TableRequest = BOUNCERS) -> int:
    table_id = (await core.service(Lobby).open(ANN, request)).table.id
    await core.service(Lobby).join(table_id, BEN)
    return table_id


async def finished(core: Core) -> int:
    table_id = await started(core)
    await core.service(Play).act(table_id, ANN, "b2 b3")
    await core.service(Play).resign(table_id, BEN)
    return table_id


async def test_a_finished_game_shows_its_seed_and_plays_again_to_the_same_end(core: Core) -> None:
    verdict = await core.service(Proof).verify(await finished(core), 10)
    assert (verdict.seed, verdict.hash) == (SEED, seed_hash(SEED))
    assert verdict.problems == ()
    history = present(verdict.history)
    assert (history.version, present(history.outcome).winners) == (2, (0,))
    assert [p.name for p in verdict.players] == ["Ann", "Ben"]


async def test_a_running_game_shows_only_the_hash_of_its_seed(core: Core) -> None:
    verdict = await core.service(Proof).verify(await started(core))
    assert (verdict.seed, verdict.hash, verdict.problems) == (None, seed_hash(SEED), ())


async def test_an_unstarted_or_unknown_game_cannot_be_verified(core: Core) -> None:
    waiting = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    with pytest.raises(WrongStage, match="hasn’t started yet"):
        await core.service(Proof).verify(waiting)
    with pytest.raises(NoSuchTable):
        await core.service(Proof).verify(waiting, 11)
    with pytest.raises(NoSuchTable):
        await core.service(Proof).verify(99)


async def test_games_ended_by_people_are_in_order_too(core: Core) -> None:
    agreed, closed = await started(core), await started(core)
    for user in (ANN, BEN):
        await core.service(Consent).propose(agreed, user, OfferKind.DRAW)
    await core.service(Moderation).close(closed, 10, User(9, "Chief"))
    for table_id in (agreed, closed):
        verdict = await core.service(Proof).verify(table_id)
        assert (verdict.problems, verdict.seed) == ((), SEED)


async def test_shuffled_seats_and_dice_come_from_the_seed(core: Core) -> None:
    request = replace(BOUNCERS, game="trampoline", seats=2, options={"order": "shuffled"})
    table_id = await started(core, request)
    snapshot = await core.snapshot(table_id)
    while snapshot.table.status is Status.PLAYING:
        player = snapshot.awaited[0]
        snapshot = (await core.service(Play).act(table_id, User(player.user_id, player.name), "roll")).snapshot
    verdict = await core.service(Proof).verify(table_id)
    assert verdict.problems == ()
    assert present(verdict.history).state == snapshot.playing.state


async def forged(core: Core, **fields: Any) -> Verdict:
    """The verdict on a finished game with a falsified record."""
    table_id = await finished(core)
    async with core.store.read() as reader:
        table = present(await queries.tables.get(reader, table_id))
        people, entries = await queries.seats.of_table(reader, table_id), await queries.entries.of_table(reader, table_id)
    return verify(GAMES["bouncers"], replace(table, **fields), people, entries)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"outcome": Result(winners=(1,), how=Ending.RULES, reason="")}, "on record are Blue, but in the replay: Red."),
        ({"outcome": Result(winners=(), how=Ending.RULES, reason="")}, "on record are –, but in the replay: Red."),
        ({"outcome": Result(winners=(0,), how=Ending.AGREED, reason="")}, "by the rules, but it isn’t marked that way"),
        ({"outcome": None}, "marked as over, but its result is missing"),
        ({"status": Status.PLAYING}, "but the game isn’t marked as over"),
        ({"version": 7}, "The table counts 7 actions, but its log has 2."),
        ({"variant": "9x9"}, "The rules reject the log: Bouncers has no variant 9x9"),
    ],
)
async def test_a_wrong_record_is_found(core: Core, fields: dict[str, Any], problem: str) -> None:
    assert problem in " ".join((await forged(core, **fields)).problems)


async def test_a_game_that_is_not_over_by_its_rules_is_found(core: Core) -> None:
    table = (await core.snapshot(await started(core))).table
    over = replace(table, status=Status.FINISHED, outcome=Result(winners=(0,), how=Ending.RULES, reason=""))
    (problem,) = verify(GAMES["bouncers"], over, (await core.snapshot(table.id)).people, ()).problems
    assert "in the replay it goes on" in problem


async def test_an_illegal_action_is_found_with_its_number(core: Core) -> None:
    snapshot = await core.snapshot(await finished(core))
    entries = [x.entry for x in snapshot.playing.log]
    entries[0] = replace(entries[0], tokens=("b2", "b5"))
    verdict = verify(GAMES["bouncers"], snapshot.table, snapshot.people, entries)
    assert verdict.history is None
    assert "The rules reject the log: entry 1" in verdict.problems[0]


async def test_every_game_is_checked_and_each_problem_names_its_table(core: Core) -> None:
    sound, waiting = await finished(core), (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    wrong, broken, unknown = await finished(core), await finished(core), await finished(core)
    store = core.store
    assert [problem async for problem in check_games(store)] == []
    async with store.write() as writer:
        await queries.tables.change(writer, wrong, outcome=Result(winners=(1,), how=Ending.RULES, reason=""))
        for number in (3, 4, 5):  # the game has two entries: the third of these has nothing left to take back
            undo = Entry(table_id=broken, number=number, kind=EntryKind.UNDO, seat=0, user_id=None, at=0.0)
            await queries.entries.append(writer, undo)
        await queries.tables.change(writer, unknown, game="chess")
    problems = [problem async for problem in check_games(store)]
    assert [problem.split(":")[0] for problem in problems] == [f"Table {n}" for n in (wrong, broken, unknown)]
    assert "takes back an action, but there is none" in problems[1]
    assert "no game “chess”" in problems[2]
    assert (sound, waiting) == (1, 2)


async def test_tables_are_checked_beyond_the_first_batch(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.verify.service.CHECKED_AT_ONCE", 2)
    tables = [await finished(core) for _ in range(5)]
    async with core.store.write() as writer:
        for table_id in tables:
            await queries.tables.change(writer, table_id, version=9)
    assert len([problem async for problem in check_games(core.store)]) == 5


async def test_springboard_check_replays_all_games(core: Core, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.logs.configure", lambda *_, **__: None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(tmp_path / "games.sqlite3"))
    table_id = await finished(core)
    said = await asyncio.to_thread(CliRunner().invoke, main, ["check"])
    assert (said.exit_code, said.output) == (0, "The database is sound.\n")
    with sqlite3.connect(tmp_path / "games.sqlite3") as connection:
        connection.execute('UPDATE actions SET tokens = \'["b2", "b5"]\' WHERE number = 1')
    connection.close()
    said = await asyncio.to_thread(CliRunner().invoke, main, ["check"])
    assert said.exit_code == 1
    assert f"Table {table_id}: The rules reject the log: entry 1" in said.output
