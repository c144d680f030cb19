"""How long an action takes while forty people have a long game verified, against the same on an idle bot in the same run.

The actions and the verifications are those of the service over a SQLite database, without Discord.
"""

import asyncio
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from bot.process import SWITCH_INTERVAL
from bot.sessions import History, Sessions, Snapshot, TableRequest, User
from engines.game import Action
from storage.store import Store

LENGTH: Final = 400
"""The number of entries of the game that is verified."""
PEOPLE: Final = 40
SERVERS: Final = 5
IDLE_ACTIONS: Final = 100
PAUSE: Final = 0.02
"""Seconds between two actions."""

ANN, BEN = User(1, "Ann"), User(2, "Ben")


def random_action(history: History, dice: random.Random) -> Action:
    """Some action of the player who is to act."""
    action: Action = ()
    while True:
        choice = dice.choice(history.game.choices(history.state, history.to_act[0], action))
        action = (*action, choice.token)
        if choice.final:
            return action


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
        user, action = (ANN, BEN)[history.to_act[0]], random_action(history, self._dice)
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


async def measured(sessions: Sessions) -> tuple[list[float], list[float]]:
    """The seconds of actions on the idle bot, and while everybody has the long game verified."""
    long, short = Game(sessions, "pucks", guild_id=1), Game(sessions, "bouncers", guild_id=2)
    for _ in range(LENGTH):
        await long.act()
    assert long.snapshot is not None
    table_id = long.snapshot.table.id

    async def verify(number: int) -> None:
        async with sessions.budget.queue(number % SERVERS, 1000 + number):
            assert (await sessions.proof.verify(table_id)).problems == ()

    idle = await timed(short, lambda times: len(times) >= IDLE_ACTIONS)
    verifying = asyncio.gather(*(verify(number) for number in range(PEOPLE)))
    busy = await timed(short, lambda _: verifying.done())
    await verifying
    return idle, busy


async def _run() -> tuple[list[float], list[float]]:
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "heavy.sqlite3")
        try:
            minutes = itertools.count(1_000_000_000, 60)  # nobody may open tables as fast as here
            return await measured(Sessions(store, now=lambda: float(next(minutes))))
        finally:
            await store.close()


def run() -> Iterator[str]:
    """Yields the figures."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        idle, busy = asyncio.run(_run())
    finally:
        sys.setswitchinterval(before)
    for name, times in (("idle", idle), (f"{PEOPLE} verifications", busy)):
        yield f"{name}: {median(times) * 1e3:.1f} ms an action, {max(times) * 1e3:.0f} ms at most, of {len(times)}"
    yield f"ratio: {median(busy) / median(idle):.1f}, at most {max(busy) / median(idle):.0f}"


if __name__ == "__main__":
    for line in run():
        print(line)
