"""A process in which a person plays against a computer until it is killed.

`python -m tests.bot.sessions.computer_process DB`

It prints a line when the computer is asked, ``ask TABLE VERSION``, and when its answer is on the disk, ``ack TABLE VERSION``.
It waits for nothing: its clock is put on to when the computer is due. When a game is over, the next one begins.
"""

import asyncio
import random
import sys
import time

from bot.sessions import Sessions, TableRequest, User
from engines.game import legal_actions
from opponents.asked import choose
from storage.schema.records import Level, Status
from storage.store import Store
from tests.bot.sessions.player_process import say

ANN = User(1, "Ann")


class Clock:
    """The time, which can be put on."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


async def main(path: str) -> None:
    """Play on."""
    store, clock = await Store.open(path), Clock()
    sessions = Sessions(store, now=clock)
    say("up")
    while True:
        table_id = await a_game(sessions)
        due = await sessions.computers.next_due()
        if due is None:
            await play(sessions, table_id)
        else:
            clock.ahead += max(0.0, due - clock() + 0.001)
            await answer(sessions, table_id)


async def a_game(sessions: Sessions) -> int:
    """The number of the table whose game is on, or of a new one."""
    for table in await sessions.tables(guild_id=1, statuses=(Status.PLAYING,)):
        return table.id
    request = TableRequest(guild_id=1, channel_id=2, game="bouncers", computers=(Level.EASY,))
    return (await sessions.lobby.open(ANN, request)).table.id


async def play(sessions: Sessions, table_id: int) -> None:
    """Play something legal for the person."""
    history = (await sessions.snapshot(table_id)).playing
    action = random.choice(list(legal_actions(history.game, history.state, 0)))
    await sessions.play.act(table_id, ANN, action)


async def answer(sessions: Sessions, table_id: int) -> None:
    """Have the computer think and play."""
    question = await sessions.computers.question(table_id)
    assert question is not None, "it is due"
    say("ask", table_id, question.version)
    thought = choose(
        question.game_id, question.rules, str(question.level), question.state, question.seat, question.memory, question.stream
    )
    await sessions.computers.answer(question, thought)
    say("ack", table_id, question.version)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
