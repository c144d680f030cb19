"""A process killed while a computer thinks: the computer thinks again, and its decision is played once."""

import random
import time
from pathlib import Path

import pytest

from bot.core.core import Core
from bot.core.table.computer_players import is_computer
from bot.core.table.imagining import imagine, memory_of
from bot.features.computers.service import Computers
from bot.parts import PARTS
from opponents.asked import choose
from storage.schema.records import Entry, EntryKind, Status
from storage.store import Store
from tests.bot.core.playing_until_killed import play_until_killed
from tests.bot.features.computers.computer_process import play_on

pytestmark = pytest.mark.slow

KILLS = 8


async def test_a_computer_killed_while_thinking_thinks_again_and_plays_once(tmp_path: Path) -> None:
    database, chance = tmp_path / "springboard.sqlite3", random.Random(5)
    asked: list[tuple[int, int]] = []
    acknowledged: set[tuple[int, int]] = set()
    for kill in range(KILLS):
        # It says in turn what the computer is asked, and that it was played: after an odd number of words it thinks.
        words = 2 * chance.randrange(1, 4) + kill % 2
        for kind, table_id, version in play_until_killed(play_on, database, words=words):
            if kind == "ask":
                asked.append((table_id, version))
            else:
                acknowledged.add((table_id, version))
    assert len(asked) > len(set(asked)), "some kill has fallen between a question and its answer"

    store = await Store.open(database)
    try:
        core = Core(store, parts=PARTS, now=time.time)
        played: set[tuple[int, int]] = set()
        waited_for = False
        for table in await core.tables(guild_id=1, statuses=(Status.PLAYING, Status.FINISHED)):
            history = (await core.snapshot(table.id)).playing
            played |= {(table.id, logged.entry.number - 1) for logged in history.log if by_computer(logged.entry)}
            for entry in (logged.entry for logged in history.log if by_computer(logged.entry)):
                then, stream = history.at(entry.number - 1), f"{table.id}.{entry.number - 1}.1"
                thought = choose(table.game, table.rules, "easy", imagine(then, 1, stream), 1, memory_of(then, 1), stream)
                assert entry.seat == 1
                assert entry.kind is EntryKind.WITHDRAW or entry.tokens == thought.action, "it thinks the same each time"
            waited_for |= table.status is Status.PLAYING and history.to_act == (1,)
        assert (await core.service(Computers).next_due() is not None) == waited_for, "it is asked whenever it is its turn"
    finally:
        await store.close()
    assert acknowledged <= played <= set(asked)


def by_computer(entry: Entry) -> bool:
    return is_computer(entry.user_id or 0)
