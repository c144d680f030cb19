"""The time that a move takes beside a tournament of sixty-four, and without it in the same run.

Fifty games go on while the tournament plays its seven rounds. After each of its games, the event's message is made anew and
three people look at the table. The rounds are paired as they come. In turns with the tournament, the fifty games go on alone.
The moves are those of the service, over SQLite and over PostgreSQL, without Discord. Pictures are drawn in processes of their
own, as in the bot.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.figures import Figure, Reference, times_at_most
from benchmarks.heavy_requests import PAUSE
from benchmarks.in_service import EndlessGame, switching
from bot.core.core import Core
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.messages import tournament_message
from bot.features.tournaments.panels import tournament_panel
from bot.i18n.language import ENGLISH
from bot.parts import PARTS
from bot.process import beside
from storage.store import Store
from tests.bot.features.tournaments.tournament_games import Cup, started
from tests.bot.service import Time
from tests.loopback.postgresql import Server

PLAYERS: Final = 64
GAMES: Final = 50
LOOKS: Final = 3
"""The number of people who look at the event's table after each result."""
BETWEEN: Final = 0.5
"""The seconds between two results. All seven rounds take two minutes, where people take days."""
STRETCH: Final = 4
"""The number of results after which the tournament rests, while as many moves are measured without it."""
TINY: Final[Mapping[str, Any]] = {"players": 8, "games": 3, "between": 0.05}


class Moves:
    """Games that go on in turn, a move at a time."""

    def __init__(self, core: Core, clock: Time, games: int) -> None:
        self._games = [EndlessGame(core, "bouncers", guild_id=2) for _ in range(games)]
        self._clock, self._next = clock, 0

    async def one(self) -> float:
        """Play a move in the next game. Return the seconds that it took."""
        self._clock.pass_(60)  # nobody may open tables as fast as here
        self._next += 1
        took, _ = await self._games[self._next % len(self._games)].act()
        await asyncio.sleep(PAUSE)
        return took

    async def so_many(self, count: int) -> list[float]:
        return [await self.one() for _ in range(count)]

    async def until(self, done: asyncio.Future[None]) -> list[float]:
        """Play moves until something is done. Return the seconds of each."""
        times = list[float]()
        while not done.done():
            times.append(await self.one())
        await done
        return times


async def play(cup: Cup, results: int, between: float) -> None:
    """End some games of the round while people look at the table, and end the round itself if no game of it is left."""
    games = await cup.open_games()
    for game in games[:results]:
        order = sorted(range(len(game.seats)), key=lambda seat: -game.seats[seat])
        await cup.lose(game, *order[:-1])
        view = await cup.view()
        await tournament_message(view, ENGLISH)
        for user in cup.people[:LOOKS]:
            await tournament_panel(await cup.view(), user.id, ENGLISH, page="table")
        await asyncio.sleep(between)
    if len(games) <= results:
        while await cup.core.service(TournamentRounds).sweep():
            pass


async def measured(core: Core, clock: Time, players: int, games: int, between: float) -> tuple[list[float], list[float]]:
    """Return the seconds of moves without the tournament and beside it, measured in turns."""
    moves = Moves(core, clock, games)
    await moves.so_many(games)  # the tables are opened
    cup = await started(core, clock, players, "swiss")
    without, with_it = list[float](), list[float]()
    while (await cup.view()).is_on:
        found = await moves.until(asyncio.ensure_future(play(cup, STRETCH, between)))
        with_it += found
        without += await moves.so_many(len(found))
    return without, with_it


@asynccontextmanager
async def stores() -> AsyncIterator[Mapping[str, Store]]:
    """Yield a new database of each kind, by its name."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        server = await stack.enter_async_context(Server())
        found = dict[str, Store]()
        for name, address in (("SQLite", str(Path(folder) / "tournament.sqlite3")), ("PostgreSQL", server.url)):
            found[name] = store = await Store.open(address)
            stack.push_async_callback(store.close)
        yield found


async def _run(players: int, games: int, between: float) -> Sequence[Figure]:
    figures = list[Figure]()
    async with stores() as found:
        for name, store in found.items():
            clock = Time()
            without, with_it = await measured(Core(store, parts=PARTS, now=clock), clock, players, games, between)
            reference = Reference("without it", quantiles(without, n=20)[-1] * 1e3)
            title, slow = f"a move beside a tournament, {name}", quantiles(with_it, n=20)[-1] * 1e3
            figures.append(
                Figure(name=f"{title}: one in twenty", value=slow, unit="ms", reference=reference, aims=times_at_most(1.2))
            )
            longest = Reference("without it", max(without) * 1e3)
            figures.append(Figure(name=f"{title}: the slowest", value=max(with_it) * 1e3, unit="ms", reference=longest))
    return figures


def run(players: int = PLAYERS, games: int = GAMES, between: float = BETWEEN) -> Iterator[Figure]:
    """Yield the figures: the time that one move in twenty exceeds, and the slowest."""
    with switching(), beside():
        yield from asyncio.run(_run(players, games, between))
