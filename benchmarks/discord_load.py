"""The real bot as a process, in front of a Discord of our own, beside a bare bot of discord.py in the same run.

`python -m benchmarks.discord_load [--before PATH] [--tables N] [--actions N] [--rounds N] [--profile FILE]`. With `--before`,
the bot of another checkout takes turns with this one.
"""

import argparse
import asyncio
import contextlib
import random
import resource
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.load.players import GAMES, Player, Table, Times
from benchmarks.load.process import HERE, Bot
from benchmarks.load.spy import spied, summary
from benchmarks.load.watch import Watch
from tests.loopback.people import People
from tests.loopback.server import Loopback

BEATS: Final = 41_250
"""Milliseconds between two heartbeats, as Discord has it."""
SERVERS: Final = 10


@dataclass
class Front:
    """A bot, and the Discord in front of it."""

    loopback: Loopback
    people: People
    watch: Watch
    bot: Bot


@contextlib.asynccontextmanager
async def front(folder: Path, kind: str = "springboard", checkout: Path = HERE) -> AsyncIterator[Front]:
    """A bot that is ready."""
    async with Loopback(time.time, beats=BEATS) as loopback:
        for number in range(SERVERS):
            loopback.discord.guild(f"Server {number}")
        async with Bot(loopback.discord.base, folder, kind, checkout) as bot:
            await loopback.gateway.ready.wait()
            yield Front(loopback, People(loopback), Watch(loopback), bot)


@dataclass
class Found:
    """What came of some actions.

    Attributes:
        times: of all answers and boards.
        actions: how many were played.
        wall, cpu, own_cpu: the seconds that they took: of the clock, of the bot's processors, of this process's.
        calls: how many calls the bot made.
    """

    times: Times = field(default_factory=Times)
    actions: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    own_cpu: float = 0.0
    calls: int = 0


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def tables(at: Front, count: int, times: Times) -> list[Table]:
    """So many tables that have just begun, of each game as many."""
    discord = at.loopback.discord
    servers = list(discord.guilds.values())
    made = []
    for number in range(count):
        game, seats = GAMES[number % len(GAMES)]
        where = discord.channel(servers[number % len(servers)], f"{number}")
        made.append(Table(at.people, at.watch, times, where, game, seats, random.Random(number)))
        await made[-1].open()
    return made


async def play(at: Front, at_tables: list[Table], actions: int) -> Found:
    """Play so many actions, at all tables at once."""
    found = Found()
    left = iter(range(actions))

    async def keep_on(table: Table) -> None:
        table.times = found.times
        for _ in left:
            if not await table.act():
                return
            found.actions += 1

    await asyncio.sleep(1)  # what the opening has left to do
    wall, cpu, own, calls = time.perf_counter(), at.bot.cpu, _own_cpu(), at.watch.calls
    await asyncio.gather(*(keep_on(table) for table in at_tables))
    found.wall = time.perf_counter() - wall
    await asyncio.sleep(1)  # what is done after the board
    found.cpu, found.own_cpu, found.calls = at.bot.cpu - cpu, _own_cpu() - own, at.watch.calls - calls
    return found


async def bare_answers(at: Front, count: int) -> list[float]:
    """The seconds until the empty answers of the bare bot."""
    player = Player(at.people, at.watch, Times())
    where = at.loopback.discord.channel(next(iter(at.loopback.discord.guilds.values())), "nothing")
    who = at.loopback.discord.person("Ann")
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        taken.append(await player.answered(at.people.begin_slash(who, where, "nothing"), began))
    return taken


def middle(values: list[float]) -> float:
    """The median in milliseconds; NaN if there is none."""
    return median(values) * 1e3 if values else float("nan")


def late(values: list[float]) -> float:
    """What one in twenty exceeds, in milliseconds."""
    return quantiles(values, n=20)[-1] * 1e3 if len(values) > 1 else float("nan")


def told(name: str, found: Found, nothing: float) -> str:
    """A few lines about what was found. `nothing`: the milliseconds of an empty answer."""
    times = found.times
    return (
        f"{name}: {found.actions} actions, {found.actions / found.wall:.1f} a second; "
        f"CPU {found.cpu / found.actions * 1e3:.1f} ms an action, load {found.own_cpu / found.actions * 1e3:.1f} ms; "
        f"{found.calls / found.actions:.1f} calls an action\n"
        f"    first answer p50 {middle(times.answers):.1f} ms ({middle(times.answers) / nothing:.1f} ×), "
        f"p95 {late(times.answers):.1f} ms, deferred {times.deferred} of {len(times.answers)}; "
        f"new board p50 {middle(times.boards):.1f} ms ({middle(times.boards) / nothing:.1f} ×); "
        f"panel opens p50 {middle(times.panels):.1f} ms ({middle(times.panels) / nothing:.1f} ×); "
        f"suggestions p50 {middle(times.suggestions):.1f} ms"
    )


async def once(name: str, checkout: Path, args: argparse.Namespace, folder: Path, nothing: float) -> None:
    """Measure one bot once."""
    async with front(folder, checkout=checkout) as at:
        print(f"{name}: ready after {at.bot.ready_wall:.2f} s, {at.bot.ready_cpu:.2f} s CPU")
        made = await tables(at, args.tables, Times())
        async with spied(at.bot.pid, args.profile):
            found = await play(at, made, args.actions)
        print(told(f"{name}, {args.tables} tables", found, nothing), flush=True)
        print(f"    memory {at.bot.memory:.0f} MB, peak {at.bot.peak:.0f} MB")
        problems = at.loopback.breaches + at.loopback.strange + at.bot.complaints()
        print(*problems[:20], sep="\n")


async def main(args: argparse.Namespace) -> None:
    """Measure, and print."""
    with TemporaryDirectory(prefix="springboard-load-") as folder:
        for number in range(args.rounds):
            async with front(Path(folder, f"bare-{number}"), "bare") as at:
                await bare_answers(at, 20)
                nothing = middle(await bare_answers(at, 200))
                print(f"bare bot: {nothing:.2f} ms an answer; {at.bot.memory:.0f} MB; ready after {at.bot.ready_cpu:.2f} s CPU")
            if args.before is not None:
                await once("before", args.before, args, Path(folder, f"before-{number}"), nothing)
            await once("now", HERE, args, Path(folder, f"now-{number}"), nothing)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", type=Path)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--profile", type=Path)
    parsed = parser.parse_args()
    asyncio.run(main(parsed))
    if parsed.profile is not None:
        print(*summary(parsed.profile), sep="\n")
