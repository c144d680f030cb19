"""The real bot as a process in front of a loopback Discord, beside a bare bot of discord.py in the same run.

People play all games, with the panel and with `/move`. The times are those from a click or a command to what people see of it.
The CPU time is that of the bot and its child processes, from an action's first click to its board, including all steps and
suggestions in between.

`python -m benchmarks.discord_load [--before PATH] [--tables N] [--actions N] [--rounds N] [--profile FILE]` is for work on the
bot's speed. It measures only the answers, can measure those of another checkout in turns, and can say where the bot's time
goes.
"""

import argparse
import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.figures import Figure, Reference, at_least, at_most, times_at_most
from benchmarks.load.evening import Sizes, evening
from benchmarks.load.front import BareBot, Front, LoadResult, all_at_once, front, one_by_one, tables
from benchmarks.load.process import HERE
from benchmarks.load.scenes import deadlines, start
from benchmarks.load.spy import spied, summary

TINY: Final[Mapping[str, Any]] = {
    "alone": 8, "at_tables": 4, "at_once": 8, "memory_after": 10, "due": 3, "open_games": 10,
}  # fmt: skip


def middle(values: list[float]) -> float:
    """Return the median in milliseconds, or NaN if there are no values."""
    return median(values) * 1e3 if values else float("nan")


def late(values: list[float]) -> float:
    """Return the time that one value in twenty exceeds, in milliseconds."""
    return quantiles(values, n=20)[-1] * 1e3 if len(values) > 1 else float("nan")


def in_turns(found: LoadResult) -> Iterator[Figure]:
    """Yield the figures of actions that follow one another, beside the bare bot's empty answers."""
    reference = Reference("an empty answer of a bare bot", middle(found.nothing))
    shown = (
        ("first answer", found.times.answers),
        ("new board", found.times.boards),
        ("panel opens", found.times.panels),
        ("suggestions for /move", found.times.suggestions),
    )
    for name, times in shown:
        yield Figure(name=f"{name}, one action after another, p50", value=middle(times), unit="ms", reference=reference)
    yield Figure(name="CPU of an action, one after another", value=found.cpu / found.actions * 1e3, unit="ms")


def crowded(found: LoadResult) -> Iterator[Figure]:
    """Yield the figures of actions at fifty tables at once."""
    times, where, cpu = found.times, "50 tables at once", found.cpu / found.actions * 1e3
    share = times.deferred / len(times.answers) * 100
    note = f"Discord and the people took {found.own_cpu / found.actions * 1e3:.1f} ms"
    yield Figure(name=f"actions, {where}", value=found.actions / found.wall, unit="a second", aims=at_least(50))
    yield Figure(name=f"first answer, {where}, p50", value=middle(times.answers), unit="ms")
    yield Figure(name=f"first answer, {where}, p95", value=late(times.answers), unit="ms")
    yield Figure(name=f"deferred answers, {where}", value=share, unit="%", aims=at_most(0))
    yield Figure(name=f"new board, {where}, p50", value=middle(times.boards), unit="ms", aims=at_most(800))
    yield Figure(name=f"CPU of an action, {where}", value=cpu, unit="ms", note=note)
    yield Figure(name=f"calls to Discord of an action, {where}", value=found.calls / found.actions)


def sound(at: Front) -> None:
    """Raise AssertionError if the bot broke one of Discord's limits or complained about something."""
    assert not (problems := at.problems()), "\n".join(problems[:20])


async def playing(folder: Path, sizes: Sizes) -> list[Figure]:
    """Return the figures of playing: one action after another, at many tables at once, and the memory after that."""
    async with evening(folder, sizes) as (at, found):
        sound(at)
    note = f"{found.processes} processes"
    return [
        *in_turns(found.alone),
        *crowded(found.crowd),
        Figure(name="memory after 1,200 actions", value=found.memory, unit="MB", note=note),
        Figure(name="memory at most, with replays", value=found.peak, unit="MB"),
        Figure(name="memory of a bare bot", value=found.bare, unit="MB"),
    ]


async def starting(folder: Path, open_games: int) -> list[Figure]:
    found = await start(folder / "start", open_games)
    return [
        Figure(name="start to ready with 10,000 open games", value=found.cpu, unit="s CPU"),
        Figure(name="start to ready with 10,000 open games, by the clock", value=found.wall, unit="s"),
        Figure(name="the first /board after a start", value=found.first * 1e3, unit="ms", aims=times_at_most(2),
               reference=Reference("a warm one", found.warm * 1e3)),
    ]  # fmt: skip


async def ending(folder: Path, due: int) -> list[Figure]:
    ended = await deadlines(folder, due)
    return [
        Figure(name="a thousand deadlines at once, until all are shown", value=ended.wall, unit="s", aims=at_most(40)),
        Figure(name="CPU of each of a thousand deadlines", value=ended.cpu_each * 1e3, unit="ms"),
    ]


def run(
    alone: int = 120,
    at_tables: int = 50,
    at_once: int = 500,
    memory_after: int = 1200,
    due: int = 1000,
    open_games: int = 10_000,
) -> Iterator[Figure]:
    """Yield the figures.

    Args:
        alone: the number of actions that are played one after another.
        at_tables, at_once: the number of tables at which people play at once, and the number of their actions.
        memory_after: the number of actions after which the memory is looked at.
        due: the number of deadlines that fall due at once.
        open_games: the number of games that are open at the start.
    """
    with TemporaryDirectory(prefix="springboard-load-") as name:
        folder = Path(name)
        yield from asyncio.run(playing(folder, Sizes(alone, at_tables, at_once, memory_after)))
        yield from asyncio.run(ending(folder / "deadlines", due))
        yield from asyncio.run(starting(folder, open_games))


async def _look(args: argparse.Namespace, folder: Path) -> None:
    for number in range(args.rounds):
        for name, checkout in (("before", args.before), ("now", HERE)):
            if checkout is None:
                continue
            async with (
                front(folder / f"{name}-bare-{number}", "bare") as bare,
                front(folder / f"{name}-{number}", checkout=checkout.resolve()) as at,
            ):
                asker = BareBot(bare)
                at_tables = await tables(at, args.tables)
                async with spied(at.bot.pid, args.profile):
                    several = args.tables > 1
                    found = await (
                        all_at_once(at, at_tables, args.actions) if several else one_by_one(at, at_tables, args.actions, asker)
                    )
                found.nothing += await asker.answers(100)
                print(f"{name}: start {at.bot.ready_cpu:.2f} s CPU, memory {at.bot.memory:.0f} MB, at most {at.bot.peak:.0f}")
                for figure in [*in_turns(found), *crowded(found)] if several else in_turns(found):
                    print(f"  {figure.name}: {figure}")
                print(*at.problems()[:20], sep="\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", type=Path)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--actions", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--profile", type=Path)
    args = parser.parse_args()
    with TemporaryDirectory(prefix="springboard-load-") as folder:
        asyncio.run(_look(args, Path(folder)))
    if args.profile is not None:
        print(*summary(args.profile), sep="\n")


if __name__ == "__main__":
    main()
