"""A day of a small server, which passes in about a minute, and the same day on a machine with little memory and half a core.

The first day is lived without limits. It tells what the server costs. The second one is lived in a control group of Linux, and
tells whether all answers come in time. Without root, or where there are no control groups, the second day has no figures.
"""

import asyncio
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.figures import Figure, at_most, number
from benchmarks.load.control_group import ControlGroup, limited
from benchmarks.load.day import A_DAY, HOUR, SAMPLED_EVERY, Day, Server
from benchmarks.load.front import Front, discord, started
from benchmarks.load.jumping import Clock

MEMORY: Final = 256_000_000
CORES: Final = 0.5
LIMITED: Final = "256 MB, half a core"
QUIET: Final = 7
"""The hour before which nobody does anything."""
TINY: Final[Mapping[str, Any]] = {"until": 8.5}
MEMORY_AT_NIGHT: Final = "memory of a small server, after a day"
ACTED: Final = "what people did in a day"


async def lived(folder: Path, until: float, group: ControlGroup | None = None) -> tuple[Day, Front]:
    """Live through a day until some hour. Games begin an hour before it. Return also the bot, which has ended."""
    folder.mkdir()
    clock = Clock(folder / "clock")
    clock.jump((A_DAY - HOUR - clock()) % A_DAY)
    async with discord(clock) as loopback, started(loopback, folder / "bot", clock=clock, group=group) as at:
        return await Server(at).live(until), at


def free(day: Day, peak: float) -> Iterator[Figure]:
    """Yield the figures of a day without limits."""
    quiet = day.cpu[round(QUIET * HOUR / SAMPLED_EVERY) - 1]
    course = tuple(round(one, 1) for one in day.memory)
    yield Figure(name=MEMORY_AT_NIGHT, value=day.memory[-1], unit="MB", course=course)
    yield Figure(name="memory of a small server, at most", value=max(peak, *day.memory), unit="MB")
    yield Figure(name="CPU of a day", value=day.cpu[-1], unit="s", note=f"{number(quiet)} s of it in {QUIET} hours of sleep")
    yield Figure(name="calls to Discord of a day", value=day.calls, note=f"{day.by_itself} of them without being asked")
    yield Figure(name=ACTED, value=len(day.acted), course=tuple(round(one, 2) for one in day.acted))


def small(day: Day | None, killed: int, peak: float, waits: float) -> Iterator[Figure]:
    """Yield the figures of a day within limits, or of none.

    Args:
        day: the day, or None if no control group could be made.
        killed: how many processes were killed.
        peak: the most memory that the group used, in MB.
        waits: the share of the time in which it had used up its share of the processors.
    """
    names = (f"slowest first answer, {LIMITED}", f"late answers and kills, {LIMITED}", f"memory of the group, {LIMITED}")
    if day is None:
        values, notes = (math.nan,) * 3, ("no control group could be made",) * 3
    else:
        answers = [*day.times.answers, *day.times.suggestions]
        values = max(answers, default=math.nan) * 1e3, day.late + killed, peak
        ended = "" if day.ended is None else f", the bot itself at {day.ended:.1f} h"
        told = f"answers: {day.late}, processes: {killed}{ended}"
        notes = f"it had to wait in {waits:.0%} of the time", told, "with the files that it has read"
    for name, value, unit, aims, note in zip(names, values, ("ms", "", "MB"), ((), at_most(0), ()), notes, strict=True):
        yield Figure(name=name, value=value, unit=unit, aims=aims, note=note)


def died(at: Front) -> int:
    """Return how many processes beside the bot have died."""
    return sum("a worker died" in line for line in at.bot.complaints())


def run(until: float = 24.0) -> Iterator[Figure]:
    """Yield the figures of a day, which may end at an earlier hour."""
    with TemporaryDirectory(prefix="springboard-day-") as name:
        folder = Path(name)
        day, at = asyncio.run(lived(folder / "free", until))
        assert day.ended is None, "\n".join(at.bot.complaints()[-20:])
        yield from free(day, at.bot.peak)
        with limited(MEMORY, CORES) as group:
            if group is None:
                yield from small(None, 0, 0.0, 0.0)
                return
            day, at = asyncio.run(lived(folder / "limited", until, group))
            yield from small(day, max(group.kills, died(at)), group.peak, group.waits)
