"""How long moves take beside a tournament of sixty-four, against the same moves without it in the same run.

Fifty games go on while the tournament plays its rounds: its games end one after the other, after each of them three people look
at the table and the message of the event is made anew, and the rounds are paired as they come. Without it, nothing of that
happens; both take turns, round by round. It runs over SQLite, and over PostgreSQL if `SPRINGBOARD_TEST_POSTGRESQL` names one.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.figures import Figure, Reference, times_at_most
from benchmarks.heavy_requests import PAUSE, Game
from bot.i18n.language import ENGLISH
from bot.messages.events.message import event_message
from bot.messages.events.panel import event_panel
from bot.sessions import Sessions
from storage.store import Store
from tests.bot.service import Time
from tests.bot.sessions.event_games import Cup, started

PLAYERS: Final = 64
GAMES: Final = 50
LOOKS: Final = 3
"""How many people look at the table of the event after each result."""
BETWEEN: Final = 0.1
"""Seconds between two results of the tournament."""
TINY: Final[Mapping[str, Any]] = {"players": 8, "games": 3, "moves": 5}
MOVES: Final = 150
"""The fewest moves that are measured without the tournament between two of its rounds."""


@asynccontextmanager
async def services(clock: Time) -> AsyncIterator[tuple[tuple[str, Sessions], ...]]:
    """The services over the databases that there are, with their names."""
    server = os.environ.get("SPRINGBOARD_TEST_POSTGRESQL")
    with TemporaryDirectory() as folder:
        addresses = {"SQLite": str(Path(folder) / "tournament.sqlite3")} | ({"PostgreSQL": server} if server else {})
        stores = {name: await Store.open(address) for name, address in addresses.items()}
        try:
            yield tuple((name, Sessions(store, now=clock)) for name, store in stores.items())
        finally:
            for store in stores.values():
                await store.close()


async def moved(games: Sequence[Game], clock: Time, most: int, until: asyncio.Future[Any] | None = None) -> list[float]:
    """The seconds of moves at one game after the other: so many, or until something is done."""
    times: list[float] = []
    while len(times) < most if until is None else not until.done():
        clock.pass_(60)  # nobody may open tables as fast as here
        times.append(await games[len(times) % len(games)].act())
        await asyncio.sleep(PAUSE)
    return times


async def play_round(cup: Cup) -> None:
    """Everybody whose number is greater gives up, and people look after each of these games."""
    for game in await cup.open_games():
        order = sorted(range(len(game.seats)), key=lambda seat: -game.seats[seat])
        await cup.lose(game, *order[:-1])
        view = await cup.view()
        await event_message(view, ENGLISH)
        for user in cup.people[:LOOKS]:
            await event_panel(await cup.view(), user.id, ENGLISH, page="table")
        await asyncio.sleep(BETWEEN)
    while await cup.sessions.event_rounds.sweep():
        pass


async def measured(sessions: Sessions, clock: Time, players: int, games: int, moves: int) -> tuple[list[float], list[float]]:
    """The seconds of moves without the tournament and beside it, round by round."""
    lines = [Game(sessions, "bouncers", guild_id=2) for _ in range(games)]
    await moved(lines, clock, games)
    cup = await started(sessions, clock, players, "swiss")
    without, beside = list[float](), list[float]()
    while (await cup.view()).is_on:
        without += await moved(lines, clock, moves)
        beside += await moved(lines, clock, moves, asyncio.ensure_future(play_round(cup)))
    return without, beside


def run(players: int = PLAYERS, games: int = GAMES, moves: int = MOVES) -> Iterator[Figure]:
    """Yields the figures: what one move in twenty exceeds, and the slowest."""
    yield from asyncio.run(_run(players, games, moves))


async def _run(players: int, games: int, moves: int) -> list[Figure]:
    clock, found = Time(), list[Figure]()
    async with services(clock) as each:
        for name, sessions in each:
            without, beside = await measured(sessions, clock, players, games, moves)
            for what, of in (
                ("one move in twenty takes longer", lambda times: quantiles(times, n=20)[-1]),
                ("the slowest move", max),
            ):
                reference = Reference("without it", of(without) * 1e3)
                title = f"beside a tournament of {players}, {name}: {what}"
                found.append(
                    Figure(name=title, value=of(beside) * 1e3, unit="ms", reference=reference, aims=times_at_most(1.5))
                )
    return found
