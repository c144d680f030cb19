"""The time that an action takes while others ask for much, beside an idle bot in the same run.

In one part, forty people have a long game verified. In the other, one person asks ten times at once for an analysis of the
longest line that can be typed as a code. Everything goes through the service over a SQLite database, without Discord.
"""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any, Final

from benchmarks.figures import Figure, Reference
from benchmarks.in_service import BEN, EndlessGame, service, switching
from bot.core.core import Core
from bot.core.shares import in_share
from bot.features.analysis.tree import MOST_POSITIONS, Beginning
from bot.features.verify.service import Proof
from engines import GAMES
from engines.chance import Fair
from engines.game import Action, Step
from engines.position_codes import KnownPosition, Line, line_text
from opponents.playouts import random_action

LENGTH: Final = 400
"""The number of entries of the game that is verified."""
PEOPLE: Final = 40
SERVERS: Final = 5
AT_ONCE: Final = 10
"""The number of times that the one person asks at once."""
TINY: Final[Mapping[str, Any]] = {"length": 4, "people": 2, "idle_actions": 3}
IDLE_ACTIONS: Final = 100
PAUSE: Final = 0.02
"""The seconds between two actions."""


async def timed(game: EndlessGame, done: Callable[[list[float]], bool]) -> list[float]:
    """Return the seconds of actions that are played one after another until `done` says so."""
    times: list[float] = []
    while not done(times):
        times.append((await game.act())[0])
        await asyncio.sleep(PAUSE)
    return times


def longest_code(moves: int) -> str:
    """Return a position code of Bouncers with a line of `moves` random moves from the start, or fewer if the game ends."""
    game, dice = GAMES["bouncers"], random.Random(1)
    start = KnownPosition(game, game.start(2, None, Fair(bytes(32))))
    actions, steps = list[tuple[int, Action]](), list[Step[Any]]()
    while len(actions) < moves and game.to_act(state := steps[-1].state if steps else start.state):
        actions.append((game.to_act(state)[0], random_action(game, state, game.to_act(state)[0], dice)))
        steps.append(game.play(state, *actions[-1]))
    return line_text(Line(start, tuple(actions), tuple(steps)))


async def asked_at_once(core: Core, code: str, idle_actions: int) -> tuple[list[float], list[float]]:
    """Return the seconds of actions on the idle bot, and while one person keeps having the code read ten times at once."""
    game, beginning = EndlessGame(core, "bouncers", guild_id=3), Beginning(BEN.id, 1, 0.0)

    async def ask() -> None:
        with core.shares.of(1000):
            await asyncio.gather(*(in_share(beginning.of_code, code) for _ in range(AT_ONCE)))

    idle, busy = list[float](), list[float]()
    while len(idle) < idle_actions:
        idle += await timed(game, lambda times: len(times) >= AT_ONCE)
        asking = asyncio.ensure_future(ask())
        while not asking.done():
            busy.append((await game.act())[0])
            await asyncio.sleep(PAUSE)
        await asking
    return idle, busy


async def measured(core: Core, length: int, people: int, idle_actions: int) -> tuple[list[float], list[float]]:
    """Return the seconds of actions on the idle bot, and while everybody has the long game verified."""
    long, short = EndlessGame(core, "pucks"), EndlessGame(core, "bouncers", guild_id=2)
    for _ in range(length):
        await long.act()
    assert long.snapshot is not None
    table_id = long.snapshot.table.id

    async def verify(number: int) -> None:
        async with core.budget.queue(number % SERVERS, 1000 + number):
            assert (await core.service(Proof).verify(table_id)).problems == ()

    idle = await timed(short, lambda times: len(times) >= idle_actions)
    verifying = asyncio.gather(*(verify(number) for number in range(people)))
    busy = await timed(short, lambda _: verifying.done())
    await verifying
    return idle, busy


async def _run(length: int, people: int, idle_actions: int) -> Sequence[tuple[list[float], list[float]]]:
    async with service() as core:
        code = longest_code(min(length, MOST_POSITIONS - 1))
        asked = await asked_at_once(core, code, idle_actions)
        return await measured(core, length, people, idle_actions), asked


def run(length: int = LENGTH, people: int = PEOPLE, idle_actions: int = IDLE_ACTIONS) -> Iterator[Figure]:
    """Yield the figures. `people` have a game of this `length` verified."""
    with switching():
        verified, asked = asyncio.run(_run(length, people, idle_actions))
    names = (
        "an action while forty people have a long game verified",
        "an action while somebody has the longest code read, ten times at once",
    )
    for name, (idle, busy) in zip(names, (verified, asked), strict=True):
        reference = Reference("on an idle bot", median(idle) * 1e3)
        yield Figure(name=name, value=median(busy) * 1e3, unit="ms", reference=reference)
        yield Figure(name=f"{name}, the slowest", value=max(busy) * 1e3, unit="ms", reference=reference)
