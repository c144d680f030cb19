"""Computers think in processes beside the bot, which may die without anybody waiting for ever."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.thinking import Busy, Priority, Processes, ThinkingFailed, thinking, thinking_in
from bot.thinking.place import YIELDING
from tests.bot import worker_calls as calls

ASKER: dict[str, Any] = {"server": 1, "person": 1, "priority": Priority.MOVE}


@pytest.fixture
def place() -> Iterator[Processes]:
    made = Processes(1)
    yield made
    made.close()


async def test_there_is_a_worker_for_each_core_but_one_and_at_least_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in ((None, 1), (1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        place = Processes()
        assert len(place.pids) == workers
        place.close()


async def test_a_worker_answers_and_yields_to_everything_else(place: Processes) -> None:
    assert await place.think(str.upper, "on", **ASKER) == "ON"
    assert await place.think(os.nice, 0, **ASKER) == min(19, os.nice(0) + YIELDING)
    assert await place.think(os.getpid, **ASKER) == place.pids[0]


async def test_several_workers_think_at_once(tmp_path: Path) -> None:
    place = Processes(2)
    first = asyncio.ensure_future(place.think(calls.when_there, tmp_path / "there", **ASKER))
    assert await place.think(str.upper, "meanwhile", **ASKER) == "MEANWHILE"
    (tmp_path / "there").touch()
    await first
    place.close()


async def test_what_killed_a_worker_is_asked_once_more(place: Processes, tmp_path: Path) -> None:
    before = await place.think(os.getpid, **ASKER)
    after = await place.think(calls.fatal_once, tmp_path / "deaths", **ASKER)
    assert after not in (before, os.getpid())


async def test_what_kills_a_worker_twice_fails_and_the_next_question_is_answered(place: Processes, tmp_path: Path) -> None:
    with pytest.raises(ThinkingFailed, match="died 2 times"):
        await place.think(calls.fatal, tmp_path / "deaths", **ASKER)
    assert (tmp_path / "deaths").read_text().splitlines() == ["once", "once"]
    assert await place.think(str.upper, "on", **ASKER) == "ON"


async def test_a_worker_that_hangs_is_replaced(tmp_path: Path) -> None:
    place = Processes(1, patience=0.3)
    with pytest.raises(ThinkingFailed):
        await place.think(calls.when_there, tmp_path / "never", **ASKER)
    place.close()


async def test_an_error_is_handed_on(place: Processes) -> None:
    with pytest.raises(KeyError, match="no such game"):
        await place.think(calls.wrong, **ASKER)


async def test_hints_go_before_moves_and_reviews_come_last(place: Processes, tmp_path: Path) -> None:
    order: list[str] = []

    async def ask(name: str, priority: Priority) -> None:
        await place.think(str.upper, name, server=1, person=1, priority=priority)
        order.append(name)

    blocked = asyncio.ensure_future(place.think(calls.when_there, tmp_path / "there", **ASKER))
    await asyncio.sleep(0)
    asked = [asyncio.ensure_future(ask(p.name, p)) for p in (Priority.REVIEW, Priority.MOVE, Priority.HINT)]
    await asyncio.sleep(0)
    assert place.waiting == 3
    (tmp_path / "there").touch()
    await asyncio.gather(blocked, *asked)
    assert order == ["HINT", "MOVE", "REVIEW"]


async def test_too_many_questions_are_refused_at_once(tmp_path: Path) -> None:
    place = Processes(1, longest_queue=1)
    blocked = asyncio.ensure_future(place.think(calls.when_there, tmp_path / "there", **ASKER))
    await asyncio.sleep(0)
    waiting = asyncio.ensure_future(place.think(str.upper, "waiting", **ASKER))
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="1 questions wait"):
        await place.think(str.upper, "refused", **ASKER)
    (tmp_path / "there").touch()
    await blocked
    assert await waiting == "WAITING"
    place.close()


async def test_nobody_waits_longer_than_is_reasonable_except_for_reviews(tmp_path: Path) -> None:
    place = Processes(1, longest_wait=0.05)
    blocked = asyncio.ensure_future(place.think(calls.when_there, tmp_path / "there", **ASKER))
    await asyncio.sleep(0)
    review = asyncio.ensure_future(place.think(str.upper, "review", server=1, person=1, priority=Priority.REVIEW))
    with pytest.raises(Busy, match="waited"):
        await place.think(calls.noted, tmp_path / "noted", **ASKER)
    (tmp_path / "there").touch()
    await blocked
    assert await review == "REVIEW"
    assert not (tmp_path / "noted").exists(), "nobody wanted it any more"
    place.close()


async def test_a_process_rests_when_there_is_nothing_to_do() -> None:
    place = Processes(1, rests_after=0)
    first = await place.think(os.getpid, **ASKER)
    while place.pids != (None,):
        await asyncio.sleep(0.01)
    assert await place.think(os.getpid, **ASKER) != first
    place.close()


async def test_the_end_does_not_wait_for_what_is_being_thought(tmp_path: Path) -> None:
    place = Processes(1)
    pid = await place.think(os.getpid, **ASKER)
    asked = asyncio.ensure_future(place.think(calls.when_there, tmp_path / "never", **ASKER))
    await asyncio.sleep(0.05)
    await asyncio.to_thread(place.close)
    with pytest.raises(ThinkingFailed):
        await asked
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_worker_does_not_end_with_signals_to_the_group(place: Processes) -> None:
    pid = await place.think(os.getpid, **ASKER)
    os.kill(pid, signal.SIGINT)
    assert await place.think(os.getpid, **ASKER) == pid


async def test_threads_think_unless_another_place_is_chosen(place: Processes) -> None:
    assert await thinking(os.getpid, server=1, person=1) == os.getpid()
    with thinking_in(place):
        assert await thinking(os.getpid, server=1, person=1) == place.pids[0]
