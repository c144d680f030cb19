"""Lets time pass at once for a bot and the Discord in front of it, whenever nobody does anything.

Real time passes while people act. As soon as the bot is at rest, time can jump. It jumps from one timer of the bot to the next,
and the bot comes to rest after each of them. The gateway's heartbeats follow the clock, too: Discord asks for each.
"""

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from benchmarks.load.front import BEATS, Front
from benchmarks.load.process import family, stat_of

AT_REST_WITHIN: Final = 120.0
"""The seconds of real time within which a bot comes to rest."""
LOOK_EVERY: Final = 0.002
"""The seconds between two looks at a bot that is busy."""
TURNS: Final = 20
"""The turns of the event loop in which all that the bot has sent is read."""
BUSY: Final = frozenset("RD")
"""The states of threads that run, wait for a processor or wait for the disk."""


def threads(pid: int) -> dict[str, list[str]]:
    """Return the state of each thread of a process and its children, and how long and how often it has run."""
    found = {}
    for one in family(pid):
        with contextlib.suppress(FileNotFoundError):  # the process has ended
            for place in Path(f"/proc/{one}/task").glob("*"):
                with contextlib.suppress(OSError, IndexError):  # the thread has ended
                    found[place.name] = [stat_of(place)[0], (place / "schedstat").read_text(encoding="ascii")]
    return found


async def at_rest(at: Front) -> None:
    """Wait until the bot has nothing to do until its next timer. Raise TimeoutError if that takes too long.

    No thread has run between two looks, and none wants to. Whatever the bot had sent before has been read in between.
    """
    before = None
    async with asyncio.timeout(AT_REST_WITHIN):
        while True:
            seen = len(at.loopback.calls), threads(at.bot.pid)
            busy = any(state in BUSY for state, _ in seen[1].values())
            if seen == before and not busy:
                return
            before = seen
            await asyncio.sleep(LOOK_EVERY if busy else 0)
            for _ in range(TURNS):
                await asyncio.sleep(0)


async def pass_time(at: Front, seconds: float) -> None:
    """Let time pass at once for a bot that has a clock, and for its Discord, which follows the same one."""
    clock = at.bot.clock
    assert clock is not None
    until, beat = clock() + seconds, clock()
    while (now := clock()) < until:
        if now >= beat:
            at.loopback.gateway.ask_for_beats()
            beat = now + BEATS / 1000
        await at_rest(at)
        await at.bot.jump(max(0.0, min(until, beat) - clock()))
    await at_rest(at)
