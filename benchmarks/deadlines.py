"""How long an action takes while a thousand deadlines fall due at once, against the same on an idle bot in the same run.

Each time-out ends a rated game, whose board is drawn and sent by the outbox to a Discord that answers at once.
"""

import asyncio
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from types import SimpleNamespace
from typing import Any, Final

import discord

from bot.i18n.language import Language, language
from bot.outbox.clock import Clock
from bot.outbox.worker import OutboxWorker
from bot.process import SWITCH_INTERVAL
from bot.sessions import Sessions, User
from engines import GAMES
from storage.records import Seat, SeatStatus, Status, Table
from storage.store import Store, Writer

TABLES: Final = 1000
"""The tables whose time is over."""
OTHERS: Final = 600
"""The tables where somebody acts: one action at each."""
IDLE_ACTIONS: Final = 100
PAUSE: Final = 0.05
"""Seconds between two actions."""
NOW: Final = 1_767_614_400.0
VARIANT: Final = GAMES["bouncers"].variants[0]


class Answering(discord.Client):
    """A Discord that takes every message at once."""

    def get_partial_messageable(self, id: int, **_: Any) -> Any:  # noqa: A002 - as discord.py calls it
        """A channel."""
        sent = SimpleNamespace(id=1, channel=SimpleNamespace(id=id))

        async def answer(*_: Any, **__: Any) -> Any:
            return sent

        return SimpleNamespace(id=id, send=answer, get_partial_message=lambda _: SimpleNamespace(edit=answer))


async def add_game(writer: Writer, number: int, deadline: float) -> int:
    """A game between two people of its own that has just begun."""
    dice = random.Random(number)
    table = await writer.add_table(
        Table(
            guild_id=number % 50, channel_id=number, game="bouncers", variant=VARIANT, wanted=2, status=Status.PLAYING,
            opened_by=2 * number + 1, clock=3600, seed=dice.randbytes(32), turn=1, turn_began=deadline - 3600,
            deadline=deadline, created_at=NOW - 7200, started_at=NOW - 7200,
        )
    )  # fmt: skip
    for place in range(2):
        user_id = 2 * number + 1 + place
        await writer.put_seat(
            Seat(table_id=table.id, user_id=user_id, place=place, status=SeatStatus.JOINED, name="Somebody", asked_at=NOW)
        )
    return table.id


async def act(sessions: Sessions, table_id: int, number: int) -> float:
    """Play an action. Returns the seconds that it took."""
    user = User(2 * number + 1, "Somebody")
    began = perf_counter()
    await sessions.play.act(table_id, user, ("b2", "b3"))
    return perf_counter() - began


async def measured(store: Store) -> tuple[list[float], list[float], float]:
    """The seconds of actions on the idle bot, of those while a thousand games end, and of all of that."""
    async with store.write() as writer:
        for number in range(TABLES):
            await add_game(writer, number, NOW - 1)
        others = [(await add_game(writer, number, NOW + 3600), number) for number in range(TABLES, TABLES + OTHERS)]
    sessions = Sessions(store, now=lambda: NOW)
    idle = []
    for _ in range(IDLE_ACTIONS):
        idle.append(await act(sessions, *others.pop()))
        await asyncio.sleep(PAUSE)

    async def english(_: int) -> Language:
        return language("en-US")

    worker = OutboxWorker(Answering(intents=discord.Intents.none()), sessions, english)
    clock = Clock(sessions, worker.wake)
    began = perf_counter()
    clock.wake()
    busy = []
    while others and not (done := await all_done(store)):
        busy.append(await act(sessions, *others.pop()))
        await asyncio.sleep(PAUSE)
    while not done:
        done = await all_done(store)
        await asyncio.sleep(PAUSE)
    taken = perf_counter() - began
    await clock.close()
    await worker.close()
    return idle, busy, taken


async def all_done(store: Store) -> bool:
    """Whether nothing is due any more, and nothing is left to be told."""
    async with store.read() as reader:
        return not await reader.due(NOW, 1) and not await reader.jobs_due(NOW, limit=1)


async def _run() -> tuple[list[float], list[float], float]:
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "deadlines.sqlite3")
        try:
            return await measured(store)
        finally:
            await store.close()


def run() -> Iterator[str]:
    """Yields the figures."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        idle, busy, taken = asyncio.run(_run())
    finally:
        sys.setswitchinterval(before)
    for name, times in (("idle", idle), (f"{TABLES} deadlines", busy)):
        late = quantiles(times, n=20)[-1]
        yield (
            f"{name}: {median(times) * 1e3:.1f} ms an action, {late * 1e3:.0f} ms for one in twenty, "
            f"{max(times) * 1e3:.0f} ms at most, of {len(times)}"
        )
    yield f"all of them handled and shown after {taken:.0f} s"
    yield f"ratio: {median(busy) / median(idle):.1f}, at most {max(busy) / median(idle):.0f}"


if __name__ == "__main__":
    for line in run():
        print(line)
