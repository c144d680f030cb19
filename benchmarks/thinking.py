"""Answers while computers think. People play at tables of their own, first alone, then beside four expert computers.

The benchmark measures the answers to clicks, and a computer's replies, from the press that plays a move to the board after the
reply. The computers' opponents answer at once, so that all four tables think, or wait for a worker, all the time. Both parts
are measured in front of the same bot, with one action of the people after another.
"""

import asyncio
import contextlib
import random
import time
from asyncio import timeout
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from typing_extensions import override

from benchmarks.discord_load import late, middle, sound
from benchmarks.figures import Figure, Reference, times_at_most
from benchmarks.load.front import BareBot, Front, all_at_once, discord, front, one_by_one, started, tables
from benchmarks.load.players import BusyTable, Times
from benchmarks.load.watch import WAIT_LIMIT

THINKING: Final = (("bouncers", 2), ("bunny", 2), ("pucks", 2), ("pucks", 4))
"""The tables at which a person plays against computers, as their games and numbers of seats."""
LOOKS: Final = 0.05
"""The seconds between two looks at whether it is the person's turn again."""
LOOKS_CLOSELY: Final = 0.005
"""The seconds between two such looks while the time until the person's turn is measured."""
REPLIED: Final = ("easy", "expert")
"""The levels of the computers whose replies are measured."""
TINY: Final[Mapping[str, Any]] = {"actions": 4, "replies": 1, "level": "easy"}


class Against(BusyTable):
    """A table at which one person plays against computers of a level."""

    level = "expert"

    @override
    async def open(self) -> None:
        opener = self.crowd[0]
        opened = self.people.begin_slash(opener, self.where, "open", game=self.game, computer=self.level, seats=len(self.crowd))
        await self.answered(opened, time.perf_counter())
        await self.filled(opened)
        async with timeout(WAIT_LIMIT):
            while not (newer := [number for number in self._numbers() if number > self.number]):
                await asyncio.sleep(LOOKS)
        self.number = newer[-1]

    def _numbers(self) -> list[int]:
        """Return the tables whose boards are in the channel, including those of games that are over."""
        boards = (one for one in self.people.seen(self.where) if one.attachments and one.custom_ids)
        return [int(one.custom_ids[0].split("|")[2]) for one in boards]

    @property
    def is_over(self) -> bool:
        """Whether the newest board is the last one of its game."""
        return any(one.startswith("sb|rematch|") for one in self.board().custom_ids)

    async def replies(self, number: int) -> list[float]:
        """Play `number` moves. Return the seconds from each press until it is the person's turn again."""
        found: list[float] = []
        while len(found) < number:
            version, shown = self.version, len(self.times.boards)
            if not await self.act():
                if self.is_over:
                    await self.open()
                continue
            if len(self.times.boards) == shown:
                continue  # the board had changed before the press
            since = time.perf_counter()
            async with timeout(WAIT_LIMIT):
                while self.version < version + 2 and not self.is_over:
                    await asyncio.sleep(LOOKS_CLOSELY)
            if not self.is_over:
                found.append(self.times.boards[-1] + time.perf_counter() - since)
        return found

    async def keep_on(self) -> None:
        """Play whenever it is the person's turn, and start a new game when one is over."""
        while True:
            if not await self.act() and self.is_over:
                await self.open()
            await asyncio.sleep(LOOKS)


@contextlib.asynccontextmanager
async def computers_thinking(at: Front, level: str) -> AsyncIterator[None]:
    """Let people play against computers of a level at four tables during this block."""
    known = at.loopback.discord
    servers = list(known.guilds.values())
    made = [
        Against(at.people, at.watch, Times(), known.channel(server, f"computers {number}"), game, seats, random.Random(number))
        for number, (server, (game, seats)) in enumerate(zip(servers, THINKING, strict=False))
    ]
    for table in made:
        table.level = level
        await table.open()
    players = [asyncio.create_task(table.keep_on()) for table in made]
    try:
        yield
        for player in players:
            if player.done():
                player.result()
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)


async def sparring(at: Front) -> dict[str, Against]:
    """Return a table of Bouncers against a computer of each level in `REPLIED`."""
    server, made = list(at.loopback.discord.guilds.values())[-1], dict[str, Against]()
    for level in REPLIED:
        where = at.loopback.discord.channel(server, f"against {level}")
        table = made[level] = Against(at.people, at.watch, Times(), where, "bouncers", 2, random.Random(level))
        table.level = level
        await table.open()
        await table.replies(1)
    return made


async def measured(folder: Path, actions: int, replies: int, level: str) -> list[Figure]:
    async with discord() as loopback, front(folder / "bare", "bare") as bare, started(loopback, folder / "bot") as at:
        asker = BareBot(bare)
        few = await tables(at, 4)
        await all_at_once(at, few, actions // 4 + 1)  # what is done only once
        alone = await one_by_one(at, few, actions, asker)
        against = await sparring(at)
        replied = {known: await table.replies(replies) for known, table in against.items()}
        async with computers_thinking(at, level):
            beside = await one_by_one(at, few, actions, asker)
            then = {known: await table.replies(replies) for known, table in against.items()}
            memory, processes = at.bot.memory, at.bot.processes
        sound(at)
    where = "while four tables think"
    found = []
    for name, value in (("p50", middle), ("p95", late)):
        reference = Reference("while nobody thinks", value(alone.times.answers))
        found.append(
            Figure(
                name=f"first answer {where}, {name}", value=value(beside.times.answers), unit="ms", reference=reference,
                aims=times_at_most(2),
            )
        )  # fmt: skip
    for known in REPLIED:
        for name, value in (("p50", middle), ("p95", late)):
            reference = Reference("while nobody thinks", value(replied[known]))
            aims = times_at_most(2) if name == "p95" else ()
            found.append(
                Figure(
                    name=f"reply of a computer, {known}, {where}, {name}", value=value(then[known]), unit="ms",
                    reference=reference, aims=aims,
                )
            )  # fmt: skip
    empty = Reference("while nobody thinks", late(alone.nothing))
    found.append(
        Figure(name=f"an empty answer of a bare bot {where}, p95", value=late(beside.nothing), unit="ms", reference=empty)
    )
    load = beside.cpu / beside.wall * 100
    found.append(Figure(name=f"processors used by the bot {where} (100 %: one)", value=load, unit="%"))
    found.append(Figure(name=f"memory {where}", value=memory, unit="MB", note=f"{processes} processes"))
    return found


def run(actions: int = 150, replies: int = 14, level: str = "expert") -> Iterator[Figure]:
    """Yield the figures.

    Args:
        actions: the number of people's actions that are measured alone, and again beside computers that think.
        replies: the number of replies that are measured of a computer of each level, alone and again beside the others.
        level: the level of the computers that think.
    """
    with TemporaryDirectory(prefix="springboard-thinking-") as folder:
        yield from asyncio.run(measured(Path(folder), actions, replies, level))
