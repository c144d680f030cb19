"""How the cost of an action grows with the number of open tables, and with the number of actions a second.

The real bot runs as a process in front of the loopback Discord. People begin the same actions at a steady rate, whether or not
the bot has done earlier ones, at some of the open tables. The statements are those that SQLite carries out in the bot's
process. Whatever the bot does by itself in the meantime counts, too.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.discord_load import sound
from benchmarks.figures import Aim, Figure, Point, Reference, times_at_most
from benchmarks.load.front import Front, all_at_once, at_a_rate, discord, tables
from benchmarks.load.process import Bot
from benchmarks.load.scenes import filled
from benchmarks.load.watch import Watch
from benchmarks.tracing import read
from loopback.server import Loopback
from tests.loopback.people import People

OPEN: Final = (10, 100, 1_000, 10_000)
"""The numbers of open tables."""
PLAYED: Final = 10
"""The number of open tables at which people play, when many tables are open."""
STEADY: Final = 5
"""The actions a second, when many tables are open."""
RATES: Final = (1, 10, 50)
"""The actions a second."""
AT_TABLES: Final = 50
"""The number of tables, when the number of actions a second grows."""
KINDS: Final = (
    ("CPU of an action", "cpu", "ms"),
    ("memory", "memory", "MB"),
    ("statements of an action", "statements", ""),
    ("calls to Discord of an action", "calls", ""),
)
"""The figures of a series: their name, the field of a cost, and the unit."""
TINY: Final[Mapping[str, Any]] = {"actions": 4, "played": 2, "at_tables": 4, "shrink": 1000}


@dataclass(frozen=True)
class Cost:
    """The cost of an action: CPU in ms, statements, calls to Discord. `memory` is that of the bot after all actions, in MB.

    Attributes:
        start: the seconds of CPU until the bot was ready.
        rate: the number of actions a second that were done.
        processes: the number of the bot's processes after all actions.
    """

    cpu: float
    memory: float
    statements: float
    calls: float
    start: float
    rate: float
    processes: int

    def note(self, field: str) -> str:
        """Return what has to be known in order to read one of the fields."""
        return {"cpu": f"{self.rate:.1f} a second were done", "memory": f"{self.processes} processes"}.get(field, "")


@contextlib.asynccontextmanager
async def counting(loopback: Loopback, folder: Path) -> AsyncIterator[tuple[Front, Path]]:
    """Yield a bot that is ready, and the file in which its statements are counted."""
    file = folder / "statements"
    async with Bot(loopback.discord.base, folder, settings={"COUNT_STATEMENTS_IN": str(file)}) as bot:
        await loopback.gateway.ready.wait()
        yield Front(loopback, People(loopback), Watch(loopback), bot), file


async def cost(folder: Path, open_tables: int, played: int, actions: int, rate: float) -> Cost:
    """Return the cost of actions at `played` of the open tables, after an action at each of them that does not count."""
    async with discord() as loopback:
        await filled(loopback, folder, open_tables - played)
        async with counting(loopback, folder) as (at, file):
            at_tables = await tables(at, played)
            await all_at_once(at, at_tables, played)
            before = read(file)
            found = await at_a_rate(at, at_tables, actions, rate)
            asked = read(file).since(before)
            sound(at)
            return Cost(
                cpu=found.cpu / found.actions * 1e3,
                memory=at.bot.memory,
                statements=asked.statements / found.actions,
                calls=found.calls / found.actions,
                start=at.bot.ready_cpu,
                rate=found.actions / found.wall,
                processes=at.bot.processes,
            )


def figures(found: Sequence[Cost], sizes: Sequence[int], size_of: str, aims: tuple[Aim, ...] = ()) -> Iterator[Figure]:
    """Yield the figures of each series. The aims are those of the CPU of an action at the last size, beside the first."""
    for name, field, unit in KINDS:
        values = [getattr(one, field) for one in found]
        for value, size, one in zip(values, sizes, found, strict=True):
            last = field == "cpu" and size == sizes[-1]
            yield Figure(
                name=f"{name}, {size:,} {size_of}", value=value, unit=unit, point=Point(f"{name}, by {size_of}", size),
                reference=Reference(f"{sizes[0]:,} {size_of}", values[0]) if last else None,
                aims=aims if last else (), note=one.note(field),
            )  # fmt: skip


def run(actions: int = 100, played: int = PLAYED, at_tables: int = AT_TABLES, shrink: int = 1) -> Iterator[Figure]:
    """Yield the figures.

    Args:
        actions: the number of actions that are measured at each size.
        played, at_tables: the number of tables at which people play, when many tables are open and when the rate grows.
        shrink: a number that divides the numbers of open tables, to try it out.
    """
    with TemporaryDirectory(prefix="springboard-growth-") as name:
        folder = Path(name)
        wanted = [(folder / f"{count} tables", max(count // shrink, played)) for count in OPEN]
        found = [asyncio.run(cost(place, count, played, actions, STEADY)) for place, count in wanted]
        yield from figures(found, OPEN, "open tables", times_at_most(1.2))
        for count, one in zip(OPEN, found, strict=True):
            yield Figure(name=f"start to ready, {count:,} open tables", value=one.start, unit="s CPU")
        found = [asyncio.run(cost(folder / f"{rate} a second", at_tables, at_tables, actions, rate)) for rate in RATES]
        yield from figures(found, RATES, "actions a second")
