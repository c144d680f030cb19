"""The process is killed while a computer thinks: it thinks again, and what it decides is played once."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.sessions import Sessions
from bot.sessions.table.computer_players import is_computer
from bot.sessions.table.imagining import imagine, memory_of
from opponents.asked import choose
from storage.schema.records import Entry, EntryKind, Status
from storage.store import Store

pytestmark = pytest.mark.slow

KILLS = 8


def life(database: Path, lines: int) -> list[tuple[str, int, int]]:
    """Let a person and a computer play until the process has said so many lines, kill it, and give all that it had said."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bot.sessions.computer_process", str(database)],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "up\n", process.stderr.read()
    said = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest, complaints = process.stdout.read(), process.stderr.read()
    process.wait()
    assert process.returncode == -9, complaints
    whole = (line.split() for line in (*said, *rest.splitlines(keepends=True)) if line.endswith("\n"))
    return [(kind, int(table), int(version)) for kind, table, version in whole]


async def test_killed_while_it_thinks_a_computer_thinks_again_and_plays_once(tmp_path: Path) -> None:
    database, chance = tmp_path / "springboard.sqlite3", random.Random(5)
    asked: list[tuple[int, int]] = []
    acknowledged: set[tuple[int, int]] = set()
    for kill in range(KILLS):
        # It says in turn what the computer is asked, and that it was played: after an odd number of lines it thinks.
        for kind, *what in life(database, 2 * chance.randrange(1, 4) + kill % 2):
            if kind == "ask":
                asked.append((what[0], what[1]))
            else:
                acknowledged.add((what[0], what[1]))
    assert len(asked) > len(set(asked)), "some kill has fallen between a question and its answer"

    store = await Store.open(database)
    try:
        sessions = Sessions(store, now=time.time)
        played: set[tuple[int, int]] = set()
        waited_for = False
        for table in await sessions.tables(guild_id=1, statuses=(Status.PLAYING, Status.FINISHED)):
            history = (await sessions.snapshot(table.id)).playing
            played |= {(table.id, logged.entry.number - 1) for logged in history.log if by_computer(logged.entry)}
            for entry in (logged.entry for logged in history.log if by_computer(logged.entry)):
                then, stream = history.at(entry.number - 1), f"{table.id}.{entry.number - 1}.1"
                thought = choose(table.game, table.rules, "easy", imagine(then, 1, stream), 1, memory_of(then, 1), stream)
                assert entry.seat == 1
                assert entry.kind is EntryKind.WITHDRAW or entry.tokens == thought.action, "it thinks the same each time"
            waited_for |= table.status is Status.PLAYING and history.to_act == (1,)
        assert (await sessions.computers.next_due() is not None) == waited_for, "it is asked whenever it is its turn"
    finally:
        await store.close()
    assert acknowledged <= played <= set(asked)


def by_computer(entry: Entry) -> bool:
    return is_computer(entry.user_id or 0)
