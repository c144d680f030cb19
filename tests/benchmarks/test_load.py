"""What the load sees of a bot: its questions to the database, its boards, what its processes use."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.load.front import BareBot, discord, started
from benchmarks.load.jumping import Clock
from benchmarks.load.lapse import pass_time, threads
from benchmarks.load.process import JUMPING, cpu_of, family, memory_of
from benchmarks.load.spy import summary
from benchmarks.load.watch import Watch, boards_in
from benchmarks.tracing import Counts, counted, counted_in, read
from loopback.faults import Call, Route
from loopback.server import Loopback
from storage import queries
from storage.store import Store

BOARD = [{"type": 17, "components": [{"type": 12, "items": [{"media": {"url": "attachment://bouncers-12-34.png"}}]}]}]


def test_a_board_is_known_by_its_picture() -> None:
    assert list(boards_in(BOARD)) == [(12, 34)]
    assert list(boards_in([{"type": 10, "content": "no picture"}])) == []


def test_a_board_that_is_waited_for_may_be_a_later_one() -> None:
    async def waited() -> bool:
        async with Loopback(time.time) as loopback:
            watch = Watch(loopback)
            shown, not_yet = watch.board(12, 33), watch.board(13, 0)
            guild = loopback.discord.guild("Server")
            channel = loopback.discord.channel(guild, "games")
            loopback.after(Call(Route.SEND, "POST", f"/channels/{channel.id}/messages", {"components": BOARD}, 0.0))
            return shown.done() and not not_yet.done()

    assert asyncio.run(waited())


def test_statements_are_counted_by_sqlite_itself(tmp_path: Path) -> None:
    with counted() as counts:
        connection = sqlite3.connect(tmp_path / "some.sqlite3", isolation_level=None)
        for sql in (
            "begin immediate",
            "create table a (b)",
            "insert into a values (1)",
            "commit",
            "BEGIN",
            "select b from a",
            "ROLLBACK",
        ):
            connection.execute(sql)
        connection.close()
    assert counts == Counts(snapshots=1, writes=1, statements=3)


def test_another_process_can_read_the_counts_in_the_meantime(tmp_path: Path) -> None:
    file = tmp_path / "counts"
    with counted_in(file):
        assert read(file) == Counts()
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.execute("create table a (b)")
        connection.execute("begin")
        assert read(file) == Counts(snapshots=1, statements=1)
        connection.close()
    assert read(file) == Counts(snapshots=1, statements=1)


def test_the_statements_of_the_store_are_counted(tmp_path: Path) -> None:
    async def looked() -> tuple[Counts, Counts]:
        store = await Store.open(tmp_path / "store.sqlite3")
        before = counts.copy()
        async with store.read() as reader:
            await queries.clocks.due(reader, 0.0, limit=1)
        looked_at = counts.since(before)
        before = counts.copy()
        async with store.write() as writer:
            await queries.clocks.due(writer, 0.0, limit=1)
        written = counts.since(before)
        await store.close()
        return looked_at, written

    with counted() as counts:
        read, written = asyncio.run(looked())
    assert read == Counts(snapshots=1, statements=1)
    assert written == Counts(writes=1, statements=1)


def test_a_process_is_measured_with_its_children() -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1, flush=True); input()'])"
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    parent.stdout.readline()
    assert len(family(parent.pid)) == 2
    assert memory_of(parent.pid) > memory_of(family(parent.pid)[1]) > 0
    assert parent.pid in family(os.getpid())
    parent.communicate("\n")
    assert cpu_of(os.getpid()) > 0


def test_a_profile_is_summed_up_by_function(tmp_path: Path) -> None:
    stacks = tmp_path / "stacks"
    stacks.write_text("main;draw;paste 3\nmain;draw 1\nmain;read 1\n", encoding="utf-8")
    lines = list(summary(stacks, 2))
    assert lines[1:3] == ["  60.00%  paste", "  20.00%  draw"]
    assert lines[4:] == [" 100.00%  main", "  80.00%  draw"]


SLEEPER = """
import asyncio, time

async def sleep():
    for seconds in (0, 100, 1000):
        await asyncio.sleep(seconds)
        print(time.time(), time.monotonic(), asyncio.get_running_loop().time(), flush=True)

asyncio.run(sleep())
"""


def test_a_clock_jumps_to_the_next_timer_and_no_further(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    (tmp_path / "sleeper.py").write_text(SLEEPER, encoding="utf-8")
    sleeper = subprocess.Popen(
        [sys.executable, "-P", str(JUMPING), str(clock.file), str(tmp_path / "sleeper.py")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert sleeper.stdin is not None
    assert sleeper.stdout is not None
    told = [[float(word) for word in sleeper.stdout.readline().split()]]
    ahead = []
    for seconds, fires in ((40, False), (3600, True), (3600, True)):
        sleeper.stdin.write(f"{seconds}\n")
        sleeper.stdin.flush()
        assert sleeper.stdout.readline() == "\n"
        ahead.append(clock.ahead)
        told += [[float(word) for word in sleeper.stdout.readline().split()]] if fires else []
    sleeper.communicate()
    assert sleeper.returncode == 0
    assert ahead[0] == 40
    assert ahead[1] <= 100, "the rest has passed by itself"
    assert ahead[2] <= 1100
    assert all(later - earlier >= 100 for earlier, later in zip(told[0], told[1], strict=True)), "all clocks have jumped"
    assert all(later - earlier >= 1000 for earlier, later in zip(told[1], told[2], strict=True))


@pytest.mark.slow
async def test_a_bot_outlives_an_hour_that_passes_at_once(tmp_path: Path) -> None:
    clock = Clock(tmp_path / "clock")
    async with discord(clock) as loopback, started(loopback, tmp_path / "bot", "bare", clock=clock) as at:
        began = clock()
        await pass_time(at, 3600)
        assert clock() - began >= 3600
        assert not loopback.gateway.lost.is_set(), "its heartbeats were heard"
        assert await BareBot(at).answers(1)
        assert all(len(one) == 2 for one in threads(at.bot.pid).values())
        assert not at.problems()
