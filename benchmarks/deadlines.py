"""The time that an action takes while a thousand deadlines fall due at once, beside an idle bot in the same run.

Each time-out ends a rated game, whose board is drawn and is sent by the outbox to a Discord that answers at once.
"""

import asyncio
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from types import SimpleNamespace
from typing import Any, Final

import discord

from benchmarks.figures import Figure, Reference, times_at_most
from benchmarks.in_service import switching
from bot.core.clocks.timing import WAITS
from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.i18n.language import Language, language
from bot.loops.clock import Clock
from bot.outbox.worker import OutboxWorker
from bot.parts import PARTS
from bot.registry import JOBS
from engines import GAMES
from storage import queries
from storage.schema.records import Seat, SeatStatus, Status, Table
from storage.store import Store, Writer

TABLES: Final = 1000
"""The number of tables whose time is over."""
OTHERS: Final = 600
"""The number of tables at which somebody acts once."""
IDLE_ACTIONS: Final = 100
TINY: Final[Mapping[str, Any]] = {"tables": 3, "others": 12, "idle_actions": 4}
FEWEST: Final = 2
"""The fewest actions that are measured, even if a trial run has so few deadlines that they are all told before the second."""
PAUSE: Final = 0.05
"""The seconds between two actions."""
NOW: Final = 1_767_614_400.0
VARIANT: Final = GAMES["bouncers"].variants[0]


class Answering(discord.Client):
    """A Discord that takes every message at once."""

    def get_partial_messageable(self, id: int, **_: Any) -> Any:  # noqa: A002 - as discord.py calls it
        async def answer(*_: Any, **__: Any) -> Any:
            return sent

        plain = SimpleNamespace(components_v2=False)
        sent = SimpleNamespace(id=1, channel=SimpleNamespace(id=id), flags=plain, edit=answer, attachments=[])
        return SimpleNamespace(id=id, send=answer, get_partial_message=lambda _: SimpleNamespace(id=1, edit=answer))


async def add_game(writer: Writer, number: int, deadline: float) -> int:
    """Add a game that has just begun between two people who play no other. Return the id of its table."""
    dice = random.Random(number)
    table = await queries.tables.add(writer,
        Table(
            guild_id=number % 50, channel_id=number, game="bouncers", variant=VARIANT, wanted=2, status=Status.PLAYING,
            opened_by=2 * number + 1, clock=3600, seed=dice.randbytes(32), turn=1, turn_began=deadline - 3600,
            deadline=deadline, created_at=NOW - 7200, started_at=NOW - 7200,
        )
    )  # fmt: skip
    for place in range(2):
        user_id = 2 * number + 1 + place
        await queries.seats.put(
            writer,
            Seat(table_id=table.id, user_id=user_id, place=place, status=SeatStatus.JOINED, name="Somebody", asked_at=NOW),
        )
    return table.id


async def act(core: Core, table_id: int, number: int) -> float:
    """Play an action. Return the seconds that it took."""
    user = User(2 * number + 1, "Somebody")
    began = perf_counter()
    await core.service(Play).act(table_id, user, ("b2", "b3"))
    return perf_counter() - began


async def measured(store: Store, tables: int, others_there: int, idle_actions: int) -> tuple[list[float], list[float], float]:
    """Return the seconds of actions on the idle bot, those of actions while a thousand games end, and how long that took."""
    async with store.write() as writer:
        for number in range(tables):
            await add_game(writer, number, NOW - WAITS)
        others = [(await add_game(writer, number, NOW + 3600), number) for number in range(tables, tables + others_there)]
    core = Core(store, parts=PARTS, now=lambda: NOW)
    idle = []
    for _ in range(idle_actions):
        idle.append(await act(core, *others.pop()))
        await asyncio.sleep(PAUSE)

    async def english(_: int) -> Language:
        return language("en-US")

    worker = OutboxWorker(Answering(intents=discord.Intents.none()), core, english, JOBS)
    clock = Clock(core, worker.wake)
    began = perf_counter()
    clock.wake()
    busy: list[float] = []
    while others and (not (done := await all_done(store)) or len(busy) < FEWEST):
        busy.append(await act(core, *others.pop()))
        await asyncio.sleep(PAUSE)
    worker.wake()  # for the boards of the actions, which nobody has delivered here
    while not done:
        done = await all_done(store)
        await asyncio.sleep(PAUSE)
    taken = perf_counter() - began
    await clock.close()
    await worker.close()
    return idle, busy, taken


async def all_done(store: Store) -> bool:
    """Return whether nothing is due, and nothing is left to be told."""
    async with store.read() as reader:
        return not await queries.clocks.due(reader, NOW, waits=WAITS, limit=1) and not await queries.jobs.due(
            reader, NOW, limit=1
        )


async def _run(tables: int, others: int, idle_actions: int) -> tuple[list[float], list[float], float]:
    with TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "deadlines.sqlite3")
        try:
            return await measured(store, tables, others, idle_actions)
        finally:
            await store.close()


def run(tables: int = TABLES, others: int = OTHERS, idle_actions: int = IDLE_ACTIONS) -> Iterator[Figure]:
    """Yield the figures. Time runs out at `tables` tables, while somebody acts once at each of `others` further tables."""
    with switching():
        idle, busy, taken = asyncio.run(_run(tables, others, idle_actions))
    reference = Reference("on an idle bot", median(idle) * 1e3)
    name = "an action while a thousand deadlines fall due, in the service"
    yield Figure(name=name, value=median(busy) * 1e3, unit="ms", reference=reference, aims=times_at_most(10))
    late = Reference("on an idle bot", quantiles(idle, n=20)[-1] * 1e3)
    yield Figure(name=f"{name}, one in twenty", value=quantiles(busy, n=20)[-1] * 1e3, unit="ms", reference=late)
    yield Figure(name="a thousand deadlines at once in the service, until all is told", value=taken, unit="s")
