"""The process is killed at any moment of a game: no acknowledged move is lost, and none is played twice."""

import collections
import random
import subprocess
import sys
import time
from pathlib import Path

from bot.sessions import Sessions
from storage.records import Status
from storage.store import Store

KILLS = 12


def life(database: Path, unanswered: list[tuple[int, int, int]], seconds: float) -> list[list[str]]:
    """Let a player play for so long, kill it, and give what it had said."""
    words = [":".join(map(str, asked)) for asked in unanswered]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bot.player_process", str(database), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "up\n", process.stderr.read()
    time.sleep(seconds)
    process.kill()
    said, complaints = process.communicate()
    assert process.returncode == -9, complaints
    return [line.split() for line in said.splitlines(keepends=True) if line.endswith("\n")]


async def test_killed_at_any_moment_no_acknowledged_move_is_lost_and_none_is_played_twice(tmp_path: Path) -> None:
    database = tmp_path / "springboard.sqlite3"
    chance = random.Random(7)
    asked: dict[int, tuple[int, int]] = {}
    acknowledged: dict[int, tuple[int, int]] = {}
    refused: set[int] = set()
    repeats = 0
    for _ in range(KILLS):
        open_questions = [(i, *at) for i, at in asked.items() if i not in acknowledged and i not in refused]
        repeats += len(open_questions)
        for kind, number, *rest in life(database, open_questions, chance.uniform(0.02, 0.5)):
            interaction = int(number)
            if kind == "ask":
                asked.setdefault(interaction, (int(rest[0]), int(rest[1])))
            elif kind == "ack":
                acknowledged.setdefault(interaction, (int(rest[0]), int(rest[1])))
            else:
                refused.add(interaction)

    store = await Store.open(database)
    try:
        sessions = Sessions(store, now=time.time)
        tables = await sessions.tables(guild_id=1, statuses=tuple(Status), limit=10_000)
        played: collections.Counter[int] = collections.Counter()
        async with store.read() as reader:
            for table in tables:
                entries = await reader.entries(table.id)
                assert [entry.number for entry in entries] == list(range(1, table.version + 1))
                played.update(entry.interaction_id for entry in entries if entry.interaction_id is not None)
                owed = {(job.table_id, job.kind) for job in await reader.jobs_due(time.time() + 60)}
                assert table.version == (table.board_version or 0) or (table.id, "board") in owed
        for table in tables:
            await sessions.snapshot(table.id)  # replays the log: it holds nothing that the rules do not allow
    finally:
        await store.close()
    assert len(acknowledged) > 50, "the player must have got something done between the kills"
    assert repeats > 0, "some kill must have fallen between a question and its answer"
    assert set(acknowledged) <= set(played)
    assert set(played) <= set(asked)
    assert set(played.values()) == {1}
