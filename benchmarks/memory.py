"""The memory of the service over 100,000 turns at ever new tables of all games, with a picture now and then.

The reference is the first half of the same run: in the second half, the process must hardly grow any more. In the container,
the bot runs with `MALLOC_ARENA_MAX=2`.
"""

import asyncio
import gc
import itertools
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import Figure, Reference, times_at_most
from benchmarks.in_service import service
from bot.core.change import changing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.core.turns import advance
from engines import GAMES
from opponents.playouts import random_action
from renderers import draw
from renderers.scene import Scene
from storage.schema.records import EntryKind

TURNS: Final = 100_000
LONGEST: Final = 400
"""The number of turns after which a game is left unfinished."""
PICTURE_EVERY: Final = 100
TINY: Final[Mapping[str, Any]] = {"turns": 200}
STEPS: Final = 10


def megabytes() -> float:
    """Return the resident memory of this process, in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


class Tables:
    """Tables that are opened, played and left, one after another."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._dice = random.Random(1)
        self._people = (User(number, f"player {number}") for number in itertools.count(1000))
        self.turns = 0

    async def play(self) -> None:
        """Play a game of random actions at a new table, to its end or until it gets long."""
        game = self._dice.choice(list(GAMES.values()))
        people = list(itertools.islice(self._people, self._dice.choice(game.seats)))
        lobby = self._core.service(Lobby)
        request = TableRequest(guild_id=1, channel_id=1, game=game.id, seats=len(people))
        table_id = (await lobby.open(people[0], request)).table.id
        for person in people[1:]:
            await lobby.join(table_id, person)
        if len(people) == 1:
            await lobby.start(table_id, people[0])
        async with changing(self._core, table_id) as change:
            while (history := change.history).outcome is None and history.version < LONGEST:
                seat = history.to_act[0]
                action = random_action(history.game, history.state, seat, self._dice)
                user_id = change.snapshot.players[seat].user_id
                await change.append(change.next_entry(EntryKind.PLAY, seat, user_id, action))
                self.turns += 1
                if self.turns % PICTURE_EVERY == 0:
                    await asyncio.to_thread(draw, game.id, history.view(None), Scene(names=change.snapshot.names))
            await advance(change)


async def measured(turns: int) -> list[tuple[int, float]]:
    """Return the memory at several times during `turns` turns, each with the number of turns so far."""
    async with service() as core:
        tables, found = Tables(core), list[tuple[int, float]]()
        for step in range(1, STEPS + 1):
            while tables.turns < turns * step / STEPS:
                await tables.play()
            found.append((tables.turns, megabytes()))
    return found


def run(turns: int = TURNS) -> Iterator[Figure]:
    began = megabytes()
    found = asyncio.run(measured(turns))
    half = found[len(found) // 2 - 1][1]
    told = ", ".join(f"{size:.0f} MB after {count:,}" for count, size in found[1::2])
    yield Figure(name="memory of the service after 100,000 turns at ever new tables", value=found[-1][1], unit="MB", note=told)
    yield Figure(name="its growth in the second half", value=found[-1][1] - half, unit="MB", aims=times_at_most(0.5),
                 reference=Reference("in the first half", half - began))  # fmt: skip
