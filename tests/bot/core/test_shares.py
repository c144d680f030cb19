"""The threads that compute for people: one piece at a time for each, and nobody waits for another's queue."""

import asyncio
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.core.shares import Shares, in_share

BOT = Path("bot")
ELSEWHERE = {
    "bot/features/openings/service.py": "the openings of a server, and those of computers, are counted once for all",
    "bot/features/privacy/export.py": "it waits in the queue of heavy work",
    "bot/core/clocks/absence.py": "nobody has asked for what is played for the absent",
    "bot/features/tournaments/ahead.py": "a round is paired for all",
    "bot/features/tournaments/service.py": "standings are computed once for all",
    "bot/core/core.py": "a table is replayed from its log once for all",
    "bot/core/shares.py": "here",
    "bot/features/matchmaking/clock.py": "people are matched when it is time",
    "bot/features/verify/service.py": "it waits in the queue of heavy work",
    "bot/features/replays/messages.py": "it waits in the queue of heavy work",
    "bot/features/puzzles/post.py": "a post is for all",
}
"""The modules that compute in threads beside the shares, and why that keeps nobody waiting for another's questions."""


class Blocked:
    """Work that goes on until it is let go. It counts how much of it is done at a time for each person."""

    def __init__(self) -> None:
        self._go = threading.Event()
        self._lock = threading.Lock()
        self.begun: list[int] = []
        self.now: list[int] = []
        self.most = 0

    def work(self, user_id: int) -> int:
        """Take until it is let go."""
        with self._lock:
            self.begun.append(user_id)
            self.now.append(user_id)
            self.most = max(self.most, self.now.count(user_id))
        self._go.wait()
        with self._lock:
            self.now.remove(user_id)
        return user_id

    async def has_begun(self, user_id: int) -> None:
        """Return when a piece of a person has begun."""
        while user_id not in self.begun:
            await asyncio.sleep(0)

    def let_go(self) -> None:
        """Let all work end."""
        self._go.set()


@pytest.fixture
def blocked() -> Iterator[Blocked]:
    made = Blocked()
    yield made
    made.let_go()


async def test_a_person_with_ten_questions_keeps_nobody_else_waiting(blocked: Blocked) -> None:
    shares = Shares()
    with shares.of(1):
        asked = [asyncio.create_task(in_share(blocked.work, 1)) for _ in range(10)]
    await blocked.has_begun(1)
    with shares.of(2):
        assert await in_share(str, 7) == "7", "while all that the other has asked goes on"
    assert await in_share(str, 8) == "8", "what is nobody's question waits for no turn"
    assert blocked.begun == [1]
    blocked.let_go()
    assert await asyncio.gather(*asked) == [1] * 10
    assert blocked.most == 1


async def test_people_take_turns_in_the_order_in_which_they_came() -> None:
    shares, ended = Shares(at_once=1), list[tuple[int, int]]()

    async def ask(user_id: int, number: int) -> None:
        with shares.of(user_id):
            await in_share(ended.append, (user_id, number))

    await asyncio.gather(*(ask(user_id, number) for user_id in (1, 2, 3) for number in range(3)))
    assert ended == [(user_id, number) for number in range(3) for user_id in (1, 2, 3)]


async def test_a_dropped_question_makes_room_when_its_thread_ends(blocked: Blocked) -> None:
    shares = Shares(at_once=1)
    with shares.of(1):
        running, waiting = (asyncio.create_task(in_share(blocked.work, 1)) for _ in range(2))
        await blocked.has_begun(1)
        last = asyncio.create_task(in_share(str, 9))
        await asyncio.sleep(0)
    for one in (running, waiting):
        one.cancel()
    await asyncio.gather(running, waiting, return_exceptions=True)
    assert not last.done(), "the thread still computes"
    blocked.let_go()
    assert await last == "9"
    assert blocked.begun == [1]


async def test_an_error_reaches_whoever_asked_and_the_next_goes_on() -> None:
    shares = Shares(at_once=1)
    with shares.of(1):
        with pytest.raises(ValueError, match="invalid literal"):
            await in_share(int, "x")
        assert await in_share(int, "5") == 5


def test_all_computing_for_a_person_runs_in_their_share() -> None:
    folders = ("core", "features", "interactions", "messages")
    found = {
        str(path)
        for folder in folders
        for path in (BOT / folder).rglob("*.py")
        if re.search(r"\bto_thread\(", path.read_text(encoding="utf-8").replace("add_user_to_thread(", ""))
    }
    assert found == set(ELSEWHERE)
