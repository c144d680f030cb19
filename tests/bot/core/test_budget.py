"""Heavy work and short computations: each person runs one at a time, so nobody crowds out the others."""

import asyncio
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.core.budget import Budget, Ticket
from bot.core.shares import Shares, in_share
from bot.core.table.errors import Refused


async def enter(turn: Ticket) -> None:
    """Begin the work, whose turn must have come."""
    assert turn.has_come
    await turn.__aenter__()


def order(budget: Budget, running: list[Ticket], waiting: list[Ticket]) -> list[int]:
    """The people in the order in which they get a turn, as work ends piece by piece."""
    served = []
    left = list(waiting)
    while running:
        budget.leave(running.pop(0))
        for turn in [turn for turn in left if turn.has_come]:
            left.remove(turn)
            running.append(turn)
            served.append(turn.user_id)
    assert left == []
    return served


async def test_only_a_few_run_at_a_time_and_one_for_each_server() -> None:
    budget = Budget(at_once=2)
    first, same_server, other, third = (budget.queue(guild, user) for guild, user in ((1, 11), (1, 12), (2, 21), (3, 31)))
    assert [turn.has_come for turn in (first, same_server, other, third)] == [True, False, True, False]
    budget.leave(other)
    assert (same_server.has_come, third.has_come) == (False, True)
    budget.leave(first)
    assert same_server.has_come


async def test_only_one_runs_for_each_person_on_any_server() -> None:
    budget = Budget(at_once=2)
    here, there = budget.queue(1, 11), budget.queue(2, 11)
    assert (here.has_come, there.has_come) == (True, False)
    budget.leave(here)
    assert there.has_come


async def test_somebody_already_waiting_is_refused_and_may_ask_again_later() -> None:
    budget = Budget(at_once=1)
    running = budget.queue(1, 11)
    waiting = budget.queue(1, 11)
    for guild in (1, 2):
        with pytest.raises(Refused, match="One at a time, please"):
            budget.queue(guild, 11)
    budget.leave(running)
    assert waiting.has_come
    assert not budget.queue(2, 11).has_come


async def test_servers_take_turns_however_many_wait_at_one_of_them() -> None:
    budget = Budget(at_once=1)
    running = budget.queue(9, 90)
    crowd = [budget.queue(1, user) for user in range(100, 140)]
    few = [budget.queue(2, 200), budget.queue(3, 300), budget.queue(2, 201)]
    assert order(budget, [running], [*crowd, *few])[:8] == [100, 200, 300, 101, 201, 102, 103, 104]


async def test_the_place_told_is_the_place_given() -> None:
    dice = random.Random(1)
    for _ in range(50):
        budget = Budget(at_once=1)
        running = budget.queue(0, 999)
        waiting = [budget.queue(dice.randrange(1, 6), user) for user in range(30)]
        told = {turn.user_id: turn.ahead for turn in waiting}
        served = order(budget, [running], waiting)
        assert [told[user] for user in served] == list(range(30))


async def test_work_that_fails_or_is_given_up_makes_room() -> None:
    budget = Budget(at_once=1)

    async def work(turn: Ticket) -> None:
        async with turn:
            raise ValueError

    async def wait(turn: Ticket) -> None:
        async with turn:
            pass

    failing, given_up, last = budget.queue(1, 11), budget.queue(2, 21), budget.queue(3, 31)
    waiting = asyncio.create_task(wait(given_up))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert last.ahead == 0
    with pytest.raises(ValueError):
        await work(failing)
    assert last.has_come
    await enter(last)
    await last.__aexit__()
    assert budget.queue(1, 11).has_come


async def test_a_turn_that_comes_while_its_task_is_cancelled_goes_to_the_next() -> None:
    budget = Budget(at_once=1)

    async def wait(turn: Ticket) -> None:
        async with turn:
            pass

    running, cancelled, last = budget.queue(1, 11), budget.queue(2, 21), budget.queue(3, 31)
    waiting = asyncio.create_task(wait(cancelled))
    await asyncio.sleep(0)
    budget.leave(running)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert last.has_come


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
"""The modules that compute in threads outside the shares, and why that delays nobody's question."""


class Blocked:
    """Work that lasts until the test releases it. It counts how many pieces run at a time for each person."""

    def __init__(self) -> None:
        self._go = threading.Event()
        self._lock = threading.Lock()
        self.begun: list[int] = []
        self.now: list[int] = []
        self.most = 0

    def work(self, user_id: int) -> int:
        with self._lock:
            self.begun.append(user_id)
            self.now.append(user_id)
            self.most = max(self.most, self.now.count(user_id))
        self._go.wait()
        with self._lock:
            self.now.remove(user_id)
        return user_id

    async def has_begun(self, user_id: int) -> None:
        """Return once a piece of this person has begun."""
        while user_id not in self.begun:
            await asyncio.sleep(0)

    def let_go(self) -> None:
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
