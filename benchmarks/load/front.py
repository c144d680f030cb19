"""A bot in front of the loopback Discord, and measured actions."""

import asyncio
import contextlib
import random
import resource
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.load.control_group import ControlGroup
from benchmarks.load.jumping import Clock
from benchmarks.load.players import GAMES, BusyTable, Player, Times
from benchmarks.load.process import HERE, Bot
from benchmarks.load.watch import Watch
from loopback.server import Loopback
from tests.loopback.people import People

BEATS: Final = 41_250
"""The milliseconds between two heartbeats, as on Discord."""
SERVERS: Final = 10
REST: Final = 1.0
"""The seconds before and after a measurement in which the bot can finish its remaining work."""


@dataclass
class Front:
    """A bot, and the Discord in front of it."""

    loopback: Loopback
    people: People
    watch: Watch
    bot: Bot

    def problems(self) -> list[str]:
        """Return what Discord would have refused, and what the bot has complained about."""
        # The loopback answers a heartbeat before discord.py has noted when it was sent.
        complaints = [line for line in self.bot.complaints() if "Can't keep up" not in line]
        return [*self.loopback.breaches, *self.loopback.strange, *complaints]


@dataclass
class LoadResult:
    """The result of some actions.

    Attributes:
        times: the times of all answers and boards.
        actions: the number of actions that were played.
        wall, cpu, own_cpu: the seconds that the actions took: by the clock, of the bot's CPU, and of this process's CPU.
        calls: the number of calls that the bot made.
        nothing: the seconds that a bare bot took for each of its empty answers in the meantime.
    """

    times: Times = field(default_factory=Times)
    actions: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    own_cpu: float = 0.0
    calls: int = 0
    nothing: list[float] = field(default_factory=list)


@contextlib.asynccontextmanager
async def discord(now: Callable[[], float] = time.time) -> AsyncIterator[Loopback]:
    """Yield a Discord with some servers, which knows the bot. A new bot would first draw its avatar and its banner."""
    async with Loopback(now, beats=BEATS) as loopback:
        loopback.discord.bot.avatar = loopback.discord.bot.banner = b"\x89PNG"
        for number in range(SERVERS):
            loopback.discord.guild(f"Server {number}")
        yield loopback


@contextlib.asynccontextmanager
async def started(
    loopback: Loopback,
    folder: Path,
    kind: str = "springboard",
    checkout: Path = HERE,
    *,
    clock: Clock | None = None,
    group: ControlGroup | None = None,
) -> AsyncIterator[Front]:
    """Yield a bot that is ready. If it gets a clock, it is that of the Discord."""
    async with Bot(loopback.discord.base, folder, kind, checkout, clock=clock, group=group) as bot:
        await loopback.gateway.ready.wait()
        yield Front(loopback, People(loopback), Watch(loopback), bot)


@contextlib.asynccontextmanager
async def front(folder: Path, kind: str = "springboard", checkout: Path = HERE) -> AsyncIterator[Front]:
    """Yield a bot that is ready, in front of a Discord of its own."""
    async with discord() as loopback, started(loopback, folder, kind, checkout) as at:
        yield at


async def tables(at: Front, count: int) -> list[BusyTable]:
    """Return tables that have just begun, with the games in turn."""
    known = at.loopback.discord
    servers = list(known.guilds.values())
    made = []
    for number in range(count):
        game, seats = GAMES[number % len(GAMES)]
        where = known.channel(servers[number % len(servers)], f"{number}")
        made.append(BusyTable(at.people, at.watch, Times(), where, game, seats, random.Random(number)))
        await made[-1].open()
    return made


class Measuring:
    """Measures what is played in a block, from when the bot is quiet until it is quiet again."""

    def __init__(self, at: Front) -> None:
        self.at, self.found = at, LoadResult()

    async def __aenter__(self) -> LoadResult:
        await asyncio.sleep(REST)
        self._began = time.perf_counter(), self.at.bot.cpu, own_cpu(), self.at.watch.calls
        return self.found

    async def __aexit__(self, *_: object) -> None:
        wall, cpu, own, calls = self._began
        found = self.found
        found.wall = time.perf_counter() - wall
        await asyncio.sleep(REST)
        found.cpu, found.own_cpu, found.calls = self.at.bot.cpu - cpu, own_cpu() - own, self.at.watch.calls - calls


def own_cpu() -> float:
    """Return the seconds of CPU of this process, which plays Discord and all people."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def all_at_once(at: Front, at_tables: Sequence[BusyTable], actions: int) -> LoadResult:
    """Play this many actions, at all tables at once."""
    left = iter(range(actions))
    async with Measuring(at) as found:

        async def keep_on(table: BusyTable) -> None:
            table.times = found.times
            for _ in left:
                if not await table.act():
                    return
                found.actions += 1

        await asyncio.gather(*(keep_on(table) for table in at_tables))
    return found


async def at_a_rate(at: Front, at_tables: Sequence[BusyTable], actions: int, rate: float) -> LoadResult:
    """Play this many actions, at the tables in turn, and begin `rate` of them each second, whether or not others are done.

    An action waits only for a table at which nobody is playing one.
    """
    free: asyncio.Queue[BusyTable] = asyncio.Queue()
    for table in at_tables:
        free.put_nowait(table)
    async with Measuring(at) as found:

        async def act() -> None:
            table = await free.get()
            while not await table.act():  # its game is over
                table = await free.get()
            found.actions += 1
            free.put_nowait(table)

        loop = asyncio.get_running_loop()
        began = loop.time()
        for table in at_tables:
            table.times = found.times
        async with asyncio.TaskGroup() as playing:
            for number in range(actions):
                await asyncio.sleep(began + number / rate - loop.time())
                playing.create_task(act())
    return found


async def one_by_one(at: Front, at_tables: Sequence[BusyTable], actions: int, bare: "BareBot") -> LoadResult:
    """Play this many actions one after another, with answers of the bare bot between them."""
    async with Measuring(at) as found:
        for number in range(actions):
            table = at_tables[number % len(at_tables)]
            table.times = found.times
            found.actions += await table.act()
            found.nothing += await bare.answers(2)
    return found


class BareBot:
    """The bare bot, and somebody who asks it for nothing."""

    def __init__(self, at: Front) -> None:
        self.at = at
        guild = next(iter(at.loopback.discord.guilds.values()))
        self._where = at.loopback.discord.channel(guild, "nothing")
        self._who = at.loopback.discord.person("Ann")
        self._player = Player(at.people, at.watch, Times())

    async def answers(self, count: int) -> list[float]:
        """Return the seconds until each of `count` empty answers."""
        taken = []
        for _ in range(count):
            began = time.perf_counter()
            taken.append(await self._player.answered(self.at.people.begin_slash(self._who, self._where, "nothing"), began))
        return taken
