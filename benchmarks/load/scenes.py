"""Measurements with a filled database: of deadlines that fall due at once, and of starts."""

import asyncio
import json
import os
import sys
import time
from asyncio import timeout
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.load.fill import GameToFill
from benchmarks.load.front import Front, discord, started
from benchmarks.load.players import Player, Times
from benchmarks.load.process import HERE, Bot
from bot.core.clocks.timing import WAITS
from loopback.model import Channel, Person
from loopback.server import Loopback

CHANNELS: Final = 100
DUE_AFTER: Final = (10.0, 60.0)
"""The seconds from filling in the games until the clock acts. The next value is tried if the bot has not started by then."""
LONG: Final = 86_400.0
ALL_WITHIN: Final = 900.0
QUIET: Final = 2.0
"""The seconds without a call after which the bot counts as having done everything."""


@dataclass(frozen=True)
class FilledGame:
    number: int
    where: Channel
    people: tuple[Person, Person]


async def filled(
    loopback: Loopback, folder: Path, count: int, due: float | None = None, checkout: Path = HERE
) -> list[FilledGame]:
    """Fill a database of a checkout, before the bot starts, with `count` games whose turns are over at `due`, or tomorrow."""
    due = time.time() + LONG if due is None else due
    known = loopback.discord
    guilds = list(known.guilds.values())
    channels = [known.channel(guilds[number % len(guilds)], f"{number}") for number in range(min(CHANNELS, count))]
    games = [
        FilledGame(number + 1, channels[number % len(channels)], (known.person(f"Ann {number}"), known.person(f"Ben {number}")))
        for number in range(count)
    ]
    wanted = [
        GameToFill(game.where.guild_id or 0, game.where.id, due, (game.people[0].id, game.people[1].id)) for game in games
    ]
    folder.mkdir(parents=True, exist_ok=True)
    database = Bot("", folder).database
    filling = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.load.fill", str(database), cwd=checkout,
        stdin=asyncio.subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(checkout)},
    )  # fmt: skip
    await filling.communicate(json.dumps([one.as_json() for one in wanted]).encode())
    assert filling.returncode == 0
    return games


@dataclass
class Deadlines:
    """The seconds from when the clock acts until all games had ended and were shown, and the seconds of CPU that each took."""

    wall: float
    cpu_each: float


async def deadlines(folder: Path, count: int) -> Deadlines:
    """Let the time of `count` games run out at once. Raise AssertionError if the bot takes too long to start."""
    for seconds in DUE_AFTER:
        found = await _deadlines(folder / str(seconds), count, seconds)
        if found is not None:
            return found
    raise AssertionError("the bot has started too late for this")


async def _deadlines(folder: Path, count: int, seconds: float) -> Deadlines | None:
    """Have the clock act at `count` games `seconds` from now. Return None if the bot takes too long to start for that."""
    async with discord() as loopback:
        due = time.time() + seconds
        await filled(loopback, folder, count, due - WAITS)
        async with started(loopback, folder) as at:
            if time.time() > due - 1:
                return None
            await asyncio.sleep(due - time.time() - 0.5)
            cpu = at.bot.cpu
            await asyncio.sleep(due - time.time())
            async with timeout(ALL_WITHIN):
                while len(at.watch.shown) < count:
                    await asyncio.sleep(0.02)
                last = time.time()
            await _quiet(at)
            return Deadlines(last - due, (at.bot.cpu - cpu) / count)


async def _quiet(at: Front) -> None:
    calls = -1
    while calls != at.watch.calls:
        calls = at.watch.calls
        await asyncio.sleep(QUIET)


@dataclass
class Start:
    """The start of a bot: the seconds until it was ready, by the clock and of CPU, and the answers to `/board` after that.

    Attributes:
        first: the seconds until the first board that somebody asks for.
        warm: the median seconds until other boards after that.
    """

    wall: float
    cpu: float
    first: float
    warm: float


async def start(folder: Path, count: int, checkout: Path = HERE) -> Start:
    """Start the bot of a checkout with `count` open games, and look at some of them."""
    async with discord() as loopback:
        games = await filled(loopback, folder, count, checkout=checkout)
        async with started(loopback, folder, checkout=checkout) as at:
            await asyncio.sleep(QUIET)
            looks = [await _look(at, game) for game in games[:10]]
            return Start(at.bot.ready_wall, at.bot.ready_cpu, looks[0], median(looks[1:]))


async def _look(at: Front, game: FilledGame) -> float:
    player = Player(at.people, at.watch, Times())
    began = time.perf_counter()
    asked = at.people.begin_slash(game.people[0], game.where, "board", game=f"#{game.number}")
    taken = await player.answered(asked, began)
    message = await player.filled(asked)
    assert message is not None
    assert message.attachments, message.text
    return taken if not player.times.deferred else time.perf_counter() - began
