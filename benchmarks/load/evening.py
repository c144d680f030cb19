"""An evening's play in front of one bot: actions one after another, then at many tables at once, then replays."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.load.front import BareBot, Front, LoadResult, all_at_once, discord, front, one_by_one, started, tables
from benchmarks.load.jumping import Clock
from benchmarks.load.process import HERE
from benchmarks.load.replays import replayed
from benchmarks.load.scenes import filled

FEW: Final = 4
"""The tables at which people play one after another."""


@dataclass(frozen=True)
class Sizes:
    """How much is played.

    Attributes:
        alone: the number of actions that are played one after another.
        at_tables, at_once: the number of tables at which people play at once, and the number of their actions.
        memory_after: the number of actions after which the memory is looked at.
    """

    alone: int = 120
    at_tables: int = 50
    at_once: int = 500
    memory_after: int = 1200


@dataclass(frozen=True)
class Evening:
    """What was measured.

    Attributes:
        alone, crowd: actions one after another, and at many tables at once.
        memory, peak: the bot's memory in MB after the actions, and the most until the replays were there.
        processes: the number of its processes after the actions.
        bare: the memory of a bare bot in MB.
    """

    alone: LoadResult
    crowd: LoadResult
    memory: float
    peak: float
    processes: int
    bare: float


@contextlib.asynccontextmanager
async def evening(folder: Path, sizes: Sizes, checkout: Path = HERE) -> AsyncIterator[tuple[Front, Evening]]:
    """Have an evening played with the bot of a checkout. Yield the bot, which still runs, and what was measured.

    The bot has a clock that can jump, so that time can pass after the evening. Its database exists already, as on all days but
    the first: to make one takes modules that stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    clock = Clock(folder / "clock")
    async with discord(clock) as loopback, contextlib.AsyncExitStack() as stack:
        await filled(loopback, folder / "bot", 0, checkout=checkout)
        bare = await stack.enter_async_context(front(folder / "bare", "bare"))
        at = await stack.enter_async_context(started(loopback, folder / "bot", checkout=checkout, clock=clock))
        asker = BareBot(bare)
        await asker.answers(20)
        few = await tables(at, FEW)
        await all_at_once(at, few, sizes.alone // 4)  # what is done only once
        alone = await one_by_one(at, few, sizes.alone, asker)
        many = await tables(at, sizes.at_tables)
        crowd = await all_at_once(at, many, sizes.at_once)
        more = await tables(at, sizes.at_tables)
        await all_at_once(at, more, max(0, sizes.memory_after - sizes.alone - crowd.actions))
        memory, processes = at.bot.memory, at.bot.processes
        await replayed(at, [*few, *many, *more])
        yield at, Evening(alone, crowd, memory, at.bot.peak, processes, bare.bot.memory)
