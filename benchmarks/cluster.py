"""Several bots on one PostgreSQL, in front of one Discord with twelve shards: what a second and a third process gain.

People play at many tables at once, as in discord_load. Everything shares the processors of one machine. So the figures say how
the work is shared out and what an action costs; on machines of their own, the bots would not be in each other's way. The CPU
time of PostgreSQL is that of all its processes.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.figures import Figure, Reference
from benchmarks.load.front import BEATS, Front, LoadResult, all_at_once
from benchmarks.load.players import GAMES, BusyTable, Times
from benchmarks.load.process import Bot, cpu_of
from benchmarks.load.watch import Watch
from loopback.server import Loopback
from tests.loopback.people import People
from tests.loopback.postgresql import Server

SHARDS: Final = 12
MOST: Final = 3
TINY: Final[Mapping[str, Any]] = {"at_tables": 6, "actions": 6, "shards": 3}


class Bots(Bot):
    """Several bots, treated as one."""

    def __init__(self, bots: list[Bot]) -> None:
        super().__init__("", Path())
        self.bots = bots

    @property
    def cpu(self) -> float:
        return sum(bot.cpu for bot in self.bots)


@dataclass(frozen=True)
class Load:
    """The result of some actions, and the seconds of CPU that the database took for them."""

    found: LoadResult
    database: float

    @property
    def rate(self) -> float:
        return self.found.actions / self.found.wall

    def each(self, seconds: float) -> float:
        """Return the milliseconds for each action, given the seconds for all."""
        return seconds / self.found.actions * 1e3


@contextlib.asynccontextmanager
async def bots(loopback: Loopback, database: str, folder: Path, count: int, shards: int) -> AsyncIterator[Bots]:
    """Run a number of bots, each with its share of the shards."""
    share = shards // count
    async with contextlib.AsyncExitStack() as running:
        found = []
        for number in range(count):
            last = shards - 1 if number == count - 1 else (number + 1) * share - 1
            settings = {"SPRINGBOARD_DATABASE": database, "SPRINGBOARD_SHARDS": f"total:{shards}",
                        "SPRINGBOARD_SHARD_IDS": f"{number * share}-{last}"}  # fmt: skip
            bot = Bot(loopback.discord.base, folder / f"{count}-{number}", settings=settings)
            found.append(await running.enter_async_context(bot))
        await loopback.gateway.ready.wait()
        yield Bots(found)


async def tables(at: Front, count: int, shards: int) -> list[BusyTable]:
    """Return tables that have just begun, on the server of each shard in turn."""
    known = at.loopback.discord
    servers = [known.guild(f"Server {number}", (1_000_000 + number) << 22) for number in range(shards)]
    made = []
    for number in range(count):
        game, seats = GAMES[number % len(GAMES)]
        where = known.channel(servers[number % shards], f"{number}")
        made.append(BusyTable(at.people, at.watch, Times(), where, game, seats, random.Random(number)))
        await made[-1].open()
    return made


async def played(folder: Path, count: int, at_tables: int, actions: int, shards: int) -> Load:
    # As a large bot, these may identify with all their shards at once, and not with one every five seconds.
    discord = Loopback(time.time, beats=BEATS, shards=shards, concurrency=shards)
    async with Server() as server, discord as loopback:
        async with bots(loopback, server.url, folder, count, shards) as running:
            at = Front(loopback, People(loopback), Watch(loopback), running)
            at_once = await tables(at, at_tables, shards)
            await all_at_once(at, at_once, at_tables)  # what is done only once
            before = cpu_of(server.pid)
            found = await all_at_once(at, at_once, actions)
            load = Load(found, cpu_of(server.pid) - before)
        assert not (problems := [*loopback.breaches, *loopback.strange, *loopback.gateway.breaches]), problems
    return load


def run(at_tables: int = 48, actions: int = 480, shards: int = SHARDS) -> Iterator[Figure]:
    with TemporaryDirectory(prefix="springboard-cluster-") as folder:
        loads = [asyncio.run(played(Path(folder), count, at_tables, actions, shards)) for count in range(1, MOST + 1)]
    for count, load in enumerate(loads, start=1):
        what = f"many tables at once, {count} process{'es' if count > 1 else ''}"
        size = f"{at_tables} tables" if count == 1 else ""
        own = f"Discord and the people took {load.each(load.found.own_cpu):.1f} ms"
        values = (
            (f"actions, {what}", "a second", size, lambda one: one.rate),
            (f"first answer, {what}, p50", "ms", "", lambda one: median(one.found.times.answers) * 1e3),
            (f"CPU of an action, {what}", "ms", own, lambda one: one.each(one.found.cpu)),
            (f"CPU of PostgreSQL for an action, {what}", "ms", "", lambda one: one.each(one.database)),
        )
        for name, unit, note, value in values:
            one = Reference("one process", value(loads[0])) if count > 1 else None
            yield Figure(name=name, value=value(load), unit=unit, note=note, reference=one)
