"""A day of a small server: eight people, six tables, sixty actions, three puzzles and a replay."""

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from benchmarks.load.front import Front
from benchmarks.load.lapse import at_rest, pass_time
from benchmarks.load.players import BusyTable, Player, Times, TooLate
from benchmarks.load.watch import WAIT_LIMIT
from loopback.model import Message, Person
from tests.loopback.settings import choose

PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Finn", "Gus", "Hana")
TABLES: Final = (("bouncers", 2), ("bunny", 2), ("trampoline", 3), ("pucks", 3), ("bouncers", 2), ("bunny", 2))
"""The games, and the number of players of each. At the last table, somebody lets the others wait all day."""
BEFORE: Final = 6
"""The actions that are played at each table before the day begins."""
BY_HOUR: Final = (0, 0, 0, 0, 0, 0, 0, 2, 2, 1, 1, 1, 5, 3, 1, 1, 2, 5, 8, 10, 9, 6, 3, 0)
"""The number of actions in each hour."""
PUZZLES: Final = ((8.2, "bunny"), (12.6, "bouncers"), (21.2, "pucks"))
"""The hours at which somebody begins a puzzle, and its game."""
REPLAY: Final = 21.6
"""The hour at which somebody asks for a replay."""
POSTED: Final = 9
"""The hour of the daily puzzle."""
GONE_WITHIN: Final = 1.0
"""The seconds within which a bot that was killed is known to have ended."""
HOUR: Final = 3600.0
A_DAY: Final = 24 * HOUR
SAMPLED_EVERY: Final = 600.0
STEPS_AT_MOST: Final = 40
"""The most presses in a puzzle."""
WRONG_AT_MOST: Final = 2
"""The wrong moves after which a puzzle is given up."""


@dataclass
class Day:
    """What was seen in a day.

    Attributes:
        memory: the memory of the bot and its children every ten minutes, in MB.
        cpu: the seconds of CPU until each of these moments.
        acted: the hours at which somebody did something.
        calls, by_itself: the number of calls to Discord, and of those that nobody had asked for.
        times: the times of all answers and boards.
        late: the number of answers that came too late for Discord.
        ended: the hour by which the bot had ended, or None if it lived to the end.
    """

    memory: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    acted: list[float] = field(default_factory=list)
    calls: int = 0
    by_itself: int = 0
    times: Times = field(default_factory=Times)
    late: int = 0
    ended: float | None = None


class Server:
    """The server, its people and its tables."""

    def __init__(self, at: Front) -> None:
        assert at.bot.clock is not None
        self.at, self.clock, self.day, self.dice = at, at.bot.clock, Day(), random.Random(1)
        known = at.loopback.discord
        self.guild = next(iter(known.guilds.values()))
        self.people = [known.person(name) for name in PEOPLE]
        self.hall = known.channel(self.guild, "hall")
        self.tables = [
            BusyTable(
                at.people, at.watch, Times(), known.channel(self.guild, f"{game}-{number}"), game, seats,
                random.Random(number), [self.people[(2 * number + seat) % len(PEOPLE)] for seat in range(seats)],
            )
            for number, (game, seats) in enumerate(TABLES)
        ]  # fmt: skip

    async def _prepare(self) -> None:
        """Have the daily puzzle posted from now on, and begin the games."""
        chief = self.at.loopback.discord.person("Chief", manages=True)
        if any(option["type"] == 1 for option in self.at.loopback.discord.commands["server-settings"].get("options") or []):
            await self.at.people.slash(chief, self.hall, "server-settings daily", channel=self.hall, hour=POSTED, zone="UTC")
        else:
            await choose(self.at.people, chief, self.hall, "server-settings", "daily", channel=self.hall, hour=str(POSTED))
        for table in self.tables:
            await table.open()
            for _ in range(BEFORE):
                await table.act()

    async def live(self, until: float = 24.0) -> Day:
        """Begin the games, and live through a day from the next midnight on, until some hour or until the bot ends."""
        midnight = (self.clock() // A_DAY + 1) * A_DAY
        living = asyncio.create_task(self._live(midnight, until))
        ending = asyncio.create_task(self.at.bot.ended())
        await asyncio.wait({living, ending}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({ending}, timeout=GONE_WITHIN if living.done() and living.exception() else 0)
        if ending.done():
            self.day.ended = (self.clock() - midnight) / HOUR
            living.cancel()
            await asyncio.wait({living})
        else:
            ending.cancel()
            living.result()
        self.day.late = sum(one.callback is None for one in self.at.loopback.discord.interactions.values())
        return self.day

    async def _live(self, midnight: float, until: float) -> None:
        day, bot = self.day, self.at.bot
        await self._prepare()
        await self._until(midnight)
        cpu, calls, day.by_itself = bot.cpu, self.at.watch.calls, 0
        plan = self._plan()
        for number in range(1, round(until * HOUR / SAMPLED_EVERY) + 1):
            while plan and plan[0][0] * HOUR < number * SAMPLED_EVERY:
                hour, act = plan.pop(0)
                await self._until(midnight + hour * HOUR)
                day.acted.append(hour)
                with contextlib.suppress(TooLate):
                    await act()
            await self._until(midnight + number * SAMPLED_EVERY)
            day.memory.append(bot.memory)
            day.cpu.append(bot.cpu - cpu)
            day.calls = self.at.watch.calls - calls

    async def _until(self, moment: float) -> None:
        await at_rest(self.at)
        calls = self.at.watch.calls
        await pass_time(self.at, max(0.0, moment - self.clock()))
        self.day.by_itself += self.at.watch.calls - calls

    def _plan(self) -> list[tuple[float, Callable[[], Awaitable[None]]]]:
        """Return what is done and at which hours, in order."""
        hours = [hour + self.dice.random() for hour, count in enumerate(BY_HOUR) for _ in range(count)]
        plan: list[tuple[float, Callable[[], Awaitable[None]]]] = [(hour, self._act) for hour in hours]
        plan += [(hour, partial(self._puzzle, self.dice.choice(self.people), game)) for hour, game in PUZZLES]
        return sorted([*plan, (REPLAY, self._replay)], key=lambda one: one[0])

    async def _act(self) -> None:
        """Play an action at one of the tables, where a new game begins when one is over."""
        table = self.dice.choice(self.tables[:-1])
        table.times = self.day.times
        while not await table.act():
            await table.open()

    async def _puzzle(self, who: Person, game: str) -> None:
        """Try a puzzle, and give it up after a few wrong moves."""
        player = Player(self.at.people, self.at.watch, self.day.times)
        began = time.perf_counter()
        asked = self.at.people.begin_slash(who, self.hall, "puzzle", game=game)
        self.day.times.answers.append(await player.answered(asked, began))
        wrong = 0
        for _ in range(STEPS_AT_MOST):
            panel = await player.filled(asked)
            assert panel is not None, "there is such a puzzle"
            if (step := self._step(panel, wrong)) is None:
                return
            wrong += step.startswith("sb|puzzle-at|")
            asked, _ = await player.pressed(who, panel, step, self.dice)

    def _step(self, panel: Message, wrong: int) -> str | None:
        """Return what somebody presses in a puzzle after some wrong moves, or None if it is over."""
        ways = {verb: [one for one in panel.custom_ids if one.startswith(f"sb|{verb}|")]
                for verb in ("puzzle", "puzzle-give-up", "puzzle-play", "puzzle-pick", "puzzle-at")}  # fmt: skip
        if ways["puzzle"]:
            return None
        if wrong >= WRONG_AT_MOST and ways["puzzle-give-up"]:
            return ways["puzzle-give-up"][0]
        return self.dice.choice(ways["puzzle-play"] or ways["puzzle-pick"] or ways["puzzle-at"])

    async def _replay(self) -> None:
        """Ask for the replay of the longest game."""
        table = max(self.tables, key=lambda table: table.version)
        player = Player(self.at.people, self.at.watch, self.day.times)
        began = time.perf_counter()
        asked = self.at.people.begin_slash(table.crowd[0], table.where, "replay", game=f"#{table.number}")
        self.day.times.answers.append(await player.answered(asked, began))
        shown = await self.at.people.until(lambda: any(one.attachments for one in asked.shown), WAIT_LIMIT)
        assert shown, "there is a replay"
