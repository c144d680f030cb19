"""The queue of heavy work: one piece at a time for each person and server, and nobody can crowd out the others."""

import asyncio
import random

import pytest

from bot.core.budget import Budget, Ticket
from bot.core.table.errors import Refused


async def enter(turn: Ticket) -> None:
    """Begin the work, whose turn must have come."""
    assert turn.has_come
    await turn.__aenter__()


def order(budget: Budget, running: list[Ticket], waiting: list[Ticket]) -> list[int]:
    """The people in the order in which their turns come, one piece of work ending after another."""
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
