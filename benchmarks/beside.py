"""What a host pays, beside version 1.0.0, which is measured in turns with this checkout.

Each round measures both, and every other round begins with the other one. So each figure comes in pairs, measured within a few
minutes on the same machine, and something is better only if it is better in four of five pairs. The first answer, the panel and
the board stand beside an empty answer of a bare bot in the same minutes.

`python -m benchmarks.beside [--rounds N] [--alone N] [--at-once N] [--memory-after N] [--tables N] [--open-games N]` prints the
table. The less is played, the sooner it is there. A clone without version 1.0.0 measures itself alone, without ratios.
"""

import argparse
import asyncio
import compileall
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks import page
from benchmarks.discord_load import late, middle, sound
from benchmarks.figures import Aim, Figure, Of, Pair, Reference, at_most, times_at_most
from benchmarks.load.evening import Evening, Sizes, evening
from benchmarks.load.lapse import pass_time
from benchmarks.load.process import HERE
from benchmarks.load.scenes import start
from benchmarks.measuring import Measured, here, mixed
from benchmarks.reference import VERSION, OutOfReach, reference
from benchmarks.replays import STEPS, TITLES

ROUNDS: Final = 5
LONG_GAMES: Final = ("bouncers", "pucks")
"""The games whose replays are long."""
PRODUCT: Final = ("bot", "engines", "opponents", "renderers", "storage")
"""The folders that the bot imports, which are compiled before the first round."""
AN_HOUR: Final = 3600.0
TINY: Final[Mapping[str, Any]] = {
    "rounds": 1, "alone": 8, "at_tables": 4, "at_once": 8, "memory_after": 10, "open_games": 10, "steps": 4,
}  # fmt: skip
EMPTY: Final = "in empty answers"


@dataclass(frozen=True)
class Row:
    """A figure of the table: its name, its unit and its aims."""

    name: str
    unit: str
    aims: tuple[Aim, ...]


ROWS: Final = (
    Row("memory an hour after the last action", "MB", at_most(110)),
    Row("memory after 1,200 actions", "MB", at_most(250)),
    Row("memory at most, with replays", "MB", at_most(300)),
    Row("CPU of an action, 50 tables at once", "ms", times_at_most(0.75)),
    Row("CPU of an action, one after another", "ms", times_at_most(0.75)),
    Row(f"first answer, {EMPTY}", "", at_most(5)),
    Row(f"panel, {EMPTY}", "", at_most(5.5)),
    Row(f"board, {EMPTY}", "", at_most(11)),
    Row("first answer, 50 tables at once, p50", "ms", times_at_most(0.5)),
    Row("first answer, 50 tables at once, p95", "ms", times_at_most(0.5)),
    *(Row(f"replay of {TITLES[game]}, 120 frames", "s CPU", times_at_most(0.85)) for game in LONG_GAMES),
    Row("start to ready with 10,000 open games", "s CPU", times_at_most(0.7)),
)


@dataclass(frozen=True)
class Checkout:
    """A version to measure: its name, its folder, and a folder in which its product meets the benchmarks of this checkout."""

    name: str
    folder: Path
    measured: Path


def played(found: Evening, idle: float) -> Iterator[float]:
    """Yield the first values of a round, in the order of `ROWS`. `idle` is the memory an hour after the last action."""
    alone, crowd, empty = found.alone, found.crowd, middle(found.alone.nothing)
    yield from (idle, found.memory, found.peak)
    yield from (one.cpu / one.actions * 1e3 for one in (crowd, alone))
    yield from (middle(times) / empty for times in (alone.times.answers, alone.times.panels, alone.times.boards))
    yield from (middle(crowd.times.answers), late(crowd.times.answers))


def replays(root: Path, steps: int) -> Iterator[float]:
    """Yield the seconds of CPU of a replay of each long game, drawn by a process of its own as the bot of a checkout has it."""
    allocator = _json_of(root, {}, "-c", "import json; from bot.workers.worker import ALLOCATOR; print(json.dumps(ALLOCATOR))")
    taken = _json_of(root, allocator, "-m", "benchmarks.replays", "--steps", str(steps), *LONG_GAMES)
    yield from (taken[game] for game in LONG_GAMES)


def _json_of(root: Path, environment: Mapping[str, str], *arguments: str) -> Any:
    """Return the JSON that Python writes on a checkout."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=root, env=os.environ | environment | {"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


async def one_evening(folder: Path, checkout: Checkout, sizes: Sizes) -> list[float]:
    async with evening(folder, sizes, checkout.folder) as (at, found):
        await pass_time(at, AN_HOUR)
        if checkout.folder == HERE:
            sound(at)
        return list(played(found, at.bot.memory))


def measured(checkout: Checkout, sizes: Sizes, open_games: int, steps: int) -> list[float]:
    """Return the values of a round of a checkout, in the order of `ROWS`."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="springboard-beside-") as name:
        values = asyncio.run(one_evening(Path(name, "evening"), checkout, sizes))
        values += replays(checkout.measured, steps)
        values.append(asyncio.run(start(Path(name, "start"), open_games, checkout.folder)).cpu)
    print(f"  {checkout.name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return values


def figures(now: list[list[float]], then: list[list[float]]) -> Iterator[Figure]:
    """Yield the figures of all rounds. Without those of the reference, there are no ratios, and so no aims for them."""
    for place, row in enumerate(ROWS):
        ours, theirs = [one[place] for one in now], [one[place] for one in then]
        yield Figure(
            name=row.name, value=median(ours), unit=row.unit,
            aims=tuple(aim for aim in row.aims if theirs or aim.of is Of.VALUE),
            reference=Reference(VERSION, median(theirs)) if theirs else None,
            pairs=tuple(Pair(*pair) for pair in zip(theirs, ours, strict=True)) if theirs else (),
        )  # fmt: skip


@contextlib.contextmanager
def checkouts() -> Iterator[list[Checkout]]:
    """Yield this checkout, and before it the reference, unless that is out of reach."""
    now = Checkout("now", HERE, HERE)
    for name in PRODUCT:
        compileall.compile_dir(HERE / name, quiet=2)
    with contextlib.ExitStack() as kept:
        try:
            then = kept.enter_context(reference())
        except OutOfReach as missing:
            print(f"{missing}\nUntil then, only this version is measured.", file=sys.stderr)
            yield [now]
            return
        folder = Path(kept.enter_context(TemporaryDirectory(prefix="springboard-mixed-")))
        yield [Checkout(VERSION, then, mixed(then, folder)), now]


def in_turns(
    rounds: int, checkouts: list[Checkout], measure: Callable[[Checkout], list[float]]
) -> dict[str, list[list[float]]]:
    """Return the values of each checkout in each round. Each round begins with the one that was last in the round before."""
    found: dict[str, list[list[float]]] = {checkout.name: [] for checkout in checkouts}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for checkout in checkouts if number % 2 == 0 else checkouts[::-1]:
            found[checkout.name].append(measure(checkout))
    return found


def run(
    rounds: int = ROUNDS,
    alone: int = 100,
    at_tables: int = 50,
    at_once: int = 500,
    memory_after: int = 1200,
    open_games: int = 10_000,
    steps: int = STEPS,
) -> Iterator[Figure]:
    """Yield the figures.

    Args:
        alone, at_tables, at_once, memory_after: how much is played; see `Sizes`.
        open_games: the number of games that are open at the start.
        steps: the length of the games of which replays are drawn.
    """
    sizes = Sizes(alone, at_tables, at_once, memory_after)
    with checkouts() as known:
        found = in_turns(rounds, known, lambda one: measured(one, sizes, open_games, steps))
    yield from figures(found["now"], found.get(VERSION, []))


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--alone", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=500)
    parser.add_argument("--memory-after", type=int, default=1200)
    parser.add_argument("--tables", type=int, default=50, dest="at_tables")
    parser.add_argument("--open-games", type=int, default=10_000)
    found = Measured("beside", here(), list(run(**vars(parser.parse_args(arguments)))), [])
    print(found.where, page.in_pairs([found]) if found.now[0].pairs else page.table([found]), sep="\n")


if __name__ == "__main__":
    main()
