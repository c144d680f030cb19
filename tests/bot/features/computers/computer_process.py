"""A process in which a person plays against a computer until it is killed.

It prints when the computer is asked, ``ask``, and when its answer is on disk, ``ack``, with table and version. It never waits:
its clock jumps to the next due time. After each game the next one begins.
"""

import asyncio
import random
import time
from pathlib import Path

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.features.computers.service import Computers
from bot.parts import PARTS
from engines.game import legal_actions
from opponents.asked import choose
from storage.schema.records import Level, Status
from storage.store import Store
from tests.forking import Tell

ANN = User(1, "Ann")


class Clock:
    """A time that can be set forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


def play_on(tell: Tell, path: Path) -> None:
    asyncio.run(_play_on(tell, path))


async def _play_on(tell: Tell, path: Path) -> None:
    store, clock = await Store.open(path), Clock()
    core = Core(store, parts=PARTS, now=clock)
    while True:
        table_id = await a_game(core)
        due = await core.service(Computers).next_due()
        if due is None:
            await play(core, table_id)
        else:
            clock.ahead += max(0.0, due - clock() + 0.001)
            await answer(tell, core, table_id)


async def a_game(core: Core) -> int:
    """The number of the table whose game is on, or of a new one."""
    for table in await core.tables(guild_id=1, statuses=(Status.PLAYING,)):
        return table.id
    request = TableRequest(guild_id=1, channel_id=2, game="bouncers", computers=(Level.EASY,))
    return (await core.service(Lobby).open(ANN, request)).table.id


async def play(core: Core, table_id: int) -> None:
    """Play any legal action for the person."""
    history = (await core.snapshot(table_id)).playing
    action = random.choice(list(legal_actions(history.game, history.state, 0)))
    await core.service(Play).act(table_id, ANN, action)


async def answer(tell: Tell, core: Core, table_id: int) -> None:
    question = await core.service(Computers).question(table_id)
    assert question is not None, "it is due"
    tell(("ask", table_id, question.version))
    thought = choose(
        question.game_id, question.rules, str(question.level), question.state, question.seat, question.memory, question.stream
    )
    await core.service(Computers).answer(question, thought)
    tell(("ack", table_id, question.version))
