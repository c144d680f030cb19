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
ANSWERED_WITHIN: Final = 3000
"""The milliseconds after which Discord takes no answer."""
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
        server = Server(at)
        await server.prepare()
        return await server.live(until), at


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
    """Yield the figures of a day within limits, or of none."""
    slowest = math.nan if day is None else max([*day.times.answers, *day.times.suggestions]) * 1e3
    late = math.nan if day is None else day.late
    none = "no control group could be made" if day is None else ""
    ended = "" if day is None or day.ended is None else f"the bot itself at {day.ended:.1f} h"
    yield Figure(name=f"slowest first answer, {LIMITED}", value=slowest, unit="ms", aims=at_most(ANSWERED_WITHIN),
                 note=none or f"it had to wait in {waits:.0%} of the time")  # fmt: skip
    yield Figure(name=f"answers too late, {LIMITED}", value=late, aims=at_most(0), note=none)
    yield Figure(name=f"processes killed, {LIMITED}", value=killed if day else math.nan, aims=at_most(0), note=none or ended)
    yield Figure(name=f"memory of the control group, {LIMITED}", value=peak if day else math.nan, unit="MB",
                 note=none or "with the files that it has read")  # fmt: skip


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
