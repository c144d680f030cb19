"""How long an action takes while forty people have a long game verified, against the same on an idle bot in the same run.

The actions and the verifications are those of the service over a SQLite database, without Discord.
"""

import asyncio
import itertools
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from benchmarks.figures import Figure, Reference
from benchmarks.random_play import random_legal
from bot.process import SWITCH_INTERVAL
from bot.sessions import Sessions, Snapshot, TableRequest, User
from storage.store import Store

LENGTH: Final = 400
"""The number of entries of the game that is verified."""
PEOPLE: Final = 40
SERVERS: Final = 5
TINY: Final[Mapping[str, Any]] = {"length": 4, "people": 2, "idle_actions": 3}
IDLE_ACTIONS: Final = 100
PAUSE: Final = 0.02
"""Seconds between two actions."""

ANN, BEN = User(1, "Ann"), User(2, "Ben")


class Game:
    """A game that is played on and on: when it is over, another one begins."""

    def __init__(self, sessions: Sessions, game: str, guild_id: int) -> None:
        self._sessions = sessions
        self._request = TableRequest(guild_id=guild_id, channel_id=1, game=game, seats=2, most_tables=1_000_000)
        self._dice = random.Random(1)
        self.snapshot: Snapshot | None = None

    async def act(self) -> float:
        """Play one action. Returns the seconds that it took."""
        if self.snapshot is None or self.snapshot.playing.outcome is not None:
            opened = await self._sessions.lobby.open(ANN, self._request)
            self.snapshot = await self._sessions.lobby.join(opened.table.id, BEN)
        history = self.snapshot.playing
        user, action = (ANN, BEN)[history.to_act[0]], random_legal(history.game, history.state, self._dice)
        began = perf_counter()
        self.snapshot = (await self._sessions.play.act(self.snapshot.table.id, user, action)).snapshot
        return perf_counter() - began


async def timed(game: Game, done: Callable[[list[float]], bool]) -> list[float]:
    """The seconds that actions take, one after another until it is `done`."""
    times: list[float] = []
    while not done(times):
        times.append(await game.act())
        await asyncio.sleep(PAUSE)
    return times


async def measured(sessions: Sessions, length: int, people: int, idle_actions: int) -> tuple[list[float], list[float]]:
    """The seconds of actions on the idle bot, and while everybody has the long game verified."""
    long, short = Game(sessions, "pucks", guild_id=1), Game(sessions, "bouncers", guild_id=2)
    for _ in range(length):
        await long.act()
    assert long.snapshot is not None
    table_id = long.snapshot.table.id

    async def verify(number: int) -> None:
        async with sessions.budget.queue(number % SERVERS, 1000 + number):
            assert (await sessions.proof.verify(table_id)).problems == ()

    idle = await timed(short, lambda times: len(times) >= idle_actions)
    verifying = asyncio.gather(*(verify(number) for number in range(people)))
    busy = await timed(short, lambda _: verifying.done())
    await verifying
    return idle, busy


async def _run(length: int, people: int, idle_actions: int) -> tuple[list[float], list[float]]:
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "heavy.sqlite3")
        try:
            minutes = itertools.count(1_000_000_000, 60)  # nobody may open tables as fast as here
            return await measured(Sessions(store, now=lambda: float(next(minutes))), length, people, idle_actions)
        finally:
            await store.close()


def run(length: int = LENGTH, people: int = PEOPLE, idle_actions: int = IDLE_ACTIONS) -> Iterator[Figure]:
    """Yields the figures. `length`: of the game that so many `people` have verified."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        idle, busy = asyncio.run(_run(length, people, idle_actions))
    finally:
        sys.setswitchinterval(before)
    reference = Reference("on an idle bot", median(idle) * 1e3)
    name = "an action while forty people have a long game verified"
    yield Figure(name=name, value=median(busy) * 1e3, unit="ms", reference=reference)
    yield Figure(name=f"{name}, the slowest", value=max(busy) * 1e3, unit="ms", reference=reference)
