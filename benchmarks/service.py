"""The cost of an action through the service alone, without Discord and pictures, in time and in statements.

The number of actions a second stands beside raw `sqlite3` in the same run: transactions of one insert and one update in WAL
mode, each of which is on the disk before the next begins (`synchronous=FULL`). Growth is measured with n, 4 n and 16 n
entries in the log.
"""

import asyncio
import contextlib
import random
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.figures import Figure, Reference, at_most, times_at_least, times_at_most
from benchmarks.in_service import EndlessGame, played_here, service
from benchmarks.load.watch import Watch
from benchmarks.tracing import Counts, counted
from bot.core.core import Core
from bot.core.table.snapshot import Snapshot
from bot.parts import PARTS
from engines import GAMES
from opponents.playouts import random_action
from tests.loopback.natures import Nature

GROWTH: Final = (1, 4, 16)
ROUNDS: Final = 3
TINY: Final[Mapping[str, Any]] = {"actions": 6, "entries": 2, "moves": 2}

QUIET: Final = 0.3
"""The seconds without a statement after which the bot counts as having done everything."""
_ASKED: Final = (("read snapshots", "snapshots", 3), ("write transactions", "writes", 2), ("statements", "statements", 14))

INSERT, UPDATE = "insert into log (game, number, tokens) values (?, ?, ?)", "update games set version = ? where id = ?"


@dataclass
class ActionCosts:
    """The cost of actions: the seconds of the clock and the processor for each, and what was asked of the database in all."""

    wall: list[float]
    cpu: list[float]
    counts: Counts


def total(costs: Sequence[ActionCosts]) -> ActionCosts:
    return ActionCosts(
        [one for cost in costs for one in cost.wall],
        [one for cost in costs for one in cost.cpu],
        sum((cost.counts for cost in costs), Counts()),
    )


async def played(core: Core, actions: int, counts: Counts, game: str = "bouncers") -> ActionCosts:
    """Play this many actions, one after another, after a few that do not count."""
    line, cost = EndlessGame(core, game), ActionCosts([], [], Counts())
    for _ in range(5):
        await line.act()
    for _ in range(actions):
        await line.ready()
        before = counts.copy()
        wall, cpu = await line.act()
        more = counts.since(before)
        cost.wall.append(wall)
        cost.cpu.append(cpu)
        cost.counts += more
    return cost


def raw(path: Path, moves: int) -> float:
    """Return the median of the seconds that a transaction takes through `sqlite3` alone."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(
            "pragma journal_mode=wal; pragma synchronous=full;"
            "create table if not exists games (id integer primary key, version integer);"
            "create table if not exists log (game integer, number integer, tokens text, primary key (game, number));"
            "delete from log; insert or replace into games values (1, 0);"
        )
        taken = []
        for number in range(moves):
            began = time.perf_counter()
            connection.execute("begin immediate")
            connection.execute(INSERT, (1, number, "c2 c3 d4"))
            connection.execute(UPDATE, (number, 1))
            connection.execute("commit")
            taken.append(time.perf_counter() - began)
    return median(taken)


async def acting(actions: int) -> Iterator[Figure]:
    costs, references = [], []
    with TemporaryDirectory() as folder, counted() as counts:
        async with service(Path(folder)) as core:
            for _ in range(ROUNDS):  # in turns, since the disk is not always equally fast
                costs.append(await played(core, actions, counts))
                references.append(await asyncio.to_thread(raw, Path(folder, "raw.sqlite3"), actions * 5))
    cost, reference = total(costs), Reference("raw sqlite3 transactions", 1 / median(references))
    return iter((
        Figure(name="an action through the service", value=median(cost.cpu) * 1e3, unit="ms CPU"),
        Figure(name="actions through the service, one after another", value=1 / median(cost.wall), unit="a second",
               reference=reference, aims=times_at_least(0.12)),
        *(Figure(name=f"{what} of an action through the service", value=getattr(cost.counts, field) / len(cost.cpu))
          for what, field, _ in _ASKED),
    ))  # fmt: skip


async def quiet(counts: Counts) -> Counts:
    """Wait until nothing is asked of the database any more. Return the counts."""
    before = counts.copy()
    await asyncio.sleep(QUIET)
    while counts != before:
        before = counts.copy()
        await asyncio.sleep(QUIET)
    return before


async def moving(moves: int) -> Iterator[Figure]:
    """Return what a `/move` on the loopback asks of the database, until the board is there and until everything is done."""
    to_board, in_all = [], []
    game, dice = GAMES["bouncers"], random.Random(1)
    with TemporaryDirectory() as folder, counted() as counts:
        async with played_here(Path(folder)) as people:
            known, watch = people.discord, Watch(people.loopback)
            ann, ben = known.person("Ann"), known.person("Ben")
            where = known.channel(known.guild("Bounce Club"), "games")
            opened = await people.slash(ann, where, "open", game=game.id, opponent=ben)
            await people.filled(opened)
            assert opened.original is not None
            await people.click(ben, opened.original, "sb|accept|")
            state = game.start(2, game.variants[0])
            for version in range(1, moves + 1):
                before = await quiet(counts)
                action = random_action(game, state, game.to_act(state)[0], dice)
                shown = watch.board(1, version)
                text = people.seen(where, Nature.BOARD)[-1].text
                awaited = next(person for person in people.discord.people.values() if f"<@{person.id}>" in text)
                await people.slash(awaited, where, "move", action=" ".join(action))
                await shown
                to_board.append(counts.since(before))
                in_all.append((await quiet(counts)).since(before))
                state = game.play(state, game.to_act(state)[0], action).state
    return iter([
        figure for what, field, aim in _ASKED for figure in (
            Figure(name=f"{what} of a /move, to the board", value=median(getattr(one, field) for one in to_board),
                   aims=at_most(aim)),
            Figure(name=f"{what} of a /move, with all that follows", value=median(getattr(one, field) for one in in_all)),
        )
    ])  # fmt: skip


async def growing_logs(entries: int, actions: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of CPU of an action and of the first look after a start, at n, 4 n and 16 n log entries."""
    acts, looks = [], []
    with TemporaryDirectory() as folder:
        async with service(Path(folder)) as core:
            line, length = EndlessGame(core, "pucks"), 0
            for times in GROWTH:
                while length < entries * times:
                    await line.act()
                    length = (await line.ready()).playing.version
                acts.append(median([(await line.act())[1] for _ in range(actions)]) * 1e3)
                looks.append(min([await _first_look(core, await line.ready()) for _ in range(ROUNDS)]) * 1e3)
    return acts, looks


async def _first_look(core: Core, at: Snapshot) -> float:
    """Return the seconds of CPU to read a table of which nothing is in memory."""
    fresh = Core(core.store, parts=PARTS, now=core.now)
    began = time.process_time()
    await fresh.snapshot(at.table.id)
    return time.process_time() - began


def grown(name: str, entries: int, values: Sequence[float], most: float) -> Iterator[Figure]:
    """Yield the figures at n, 4 n and 16 n entries beside the first one. The last may be at most `most` times the first."""
    for times, value in zip(GROWTH, values, strict=True):
        first = times == GROWTH[0]
        yield Figure(
            name=f"{name}, {'n' if first else f'{times} n'} entries", value=value, unit="ms CPU",
            reference=None if first else Reference("n entries", values[0]), note=f"n = {entries:,}" if first else "",
            aims=times_at_most(most) if times == GROWTH[-1] else (),
        )  # fmt: skip


def run(actions: int = 200, entries: int = 25, moves: int = 9) -> Iterator[Figure]:
    """Yield the figures. `entries` is the n of the growth, and `moves` is the number typed on the loopback."""
    yield from asyncio.run(acting(actions))
    yield from asyncio.run(moving(moves))
    acts, looks = asyncio.run(growing_logs(entries, min(actions, 10)))
    yield from grown("an action of a long game", entries, acts, 1.5)
    yield from grown("the first look at a game after a start", entries, looks, GROWTH[-1])
