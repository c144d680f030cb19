"""The process is killed at any moment of a game: no acknowledged move is lost, and none is played twice."""

import collections
import random
import time
from itertools import pairwise
from pathlib import Path

import pytest

from bot.core.core import Core
from bot.features.plans.tree import played_forward
from bot.parts import PARTS
from storage import queries
from storage.schema.records import JobKind, Status
from storage.store import Store
from tests.bot.core.player_process import play_on
from tests.bot.core.playing_until_killed import play_until_killed

pytestmark = pytest.mark.slow

KILLS = 12
WORDS_AT_MOST = 24
"""The most reports a player makes before it is killed. This counts its progress, not the time it takes."""


async def test_killed_at_any_moment_no_acknowledged_move_is_lost_and_none_is_played_twice(tmp_path: Path) -> None:
    database = tmp_path / "springboard.sqlite3"
    chance = random.Random(7)
    asked: dict[int, tuple[int, int]] = {}
    acknowledged: dict[int, tuple[int, int]] = {}
    refused: set[int] = set()
    repeats = 0
    for kill in range(KILLS):
        # A player says in turn what it asks for and what came of it: after an odd number of words it is at work.
        words = 2 * chance.randrange(2, WORDS_AT_MOST // 2) + kill % 2
        open_questions = [(i, *at) for i, at in asked.items() if i not in acknowledged and i not in refused]
        repeats += len(open_questions)
        for kind, interaction, *rest in play_until_killed(play_on, database, open_questions, words=words):
            if kind == "ask":
                asked.setdefault(interaction, (rest[0], rest[1]))
            elif kind == "ack":
                acknowledged.setdefault(interaction, (rest[0], rest[1]))
            else:
                refused.add(interaction)

    store = await Store.open(database)
    try:
        core = Core(store, parts=PARTS, now=time.time)
        tables = await core.tables(guild_id=1, statuses=tuple(Status), limit=10_000)
        played: collections.Counter[int] = collections.Counter()
        fired: list[bool] = []
        async with store.read() as reader:
            for table in tables:
                entries = await queries.entries.of_table(reader, table.id)
                assert [entry.number for entry in entries] == list(range(1, table.version + 1))
                played.update(entry.interaction_id for entry in entries if entry.interaction_id is not None)
                owed = {(job.table_id, job.kind) for job in await queries.jobs.due(reader, time.time() + 60)}
                assert table.version == (table.board_version or 0) or (table.id, JobKind.BOARD) in owed
                fired.extend(entry.fired for entry in entries)
                assert not any(a.fired and b.fired for a, b in pairwise(entries)), "one plan answers, and then its owner waits"
        for table in tables:
            snapshot = await core.snapshot(table.id)  # replays the log: it holds nothing that the rules do not allow
            for planned in snapshot.plans:
                for reply in planned.replies:  # what is planned is planned for the position as it is, and for no other
                    played_forward(snapshot.playing, planned.seat, (reply,))
    finally:
        await store.close()
    assert len(acknowledged) > 50, "the player must have got something done between the kills"
    assert sum(fired) > 10, "and something that was planned ahead"
    assert repeats > 0, "some kill must have fallen between a question and its answer"
    assert set(acknowledged) <= set(played)
    assert set(played) <= set(asked)
    assert set(played.values()) == {1}
