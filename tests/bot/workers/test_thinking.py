"""Computers think in processes beside the bot, which may die without keeping anybody waiting for ever."""

import asyncio
import contextlib
import os
import pickle
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.workers.thinking import YIELDING, Busy, Processes, ThinkingFailed, thinking, thinking_in
from bot.workers.thinking_queue import Priority
from bot.workers.worker import Worker
from bot.workers.worker import _Died as Died
from tests.bot import worker_calls as calls

ASKER: dict[str, Any] = {"server": 1, "person": 1, "priority": Priority.MOVE}
PATIENT: dict[str, Any] = {"longest_wait": 3600.0}
"""Questions are thought about however slow the machine is."""


@pytest.fixture
def backend() -> Iterator[Processes]:
    made = Processes(1, **PATIENT)
    yield made
    made.close()


async def test_there_are_workers_for_all_cores_but_one_and_half_as_many_for_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, live, reviewing in ((None, 1, 1), (1, 1, 1), (2, 1, 1), (4, 3, 1), (8, 7, 3)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        backend = Processes()
        assert len(backend.pids) == live + reviewing
        backend.close()


async def test_a_worker_answers_and_gets_as_much_of_a_processor_as_anything_else(backend: Processes) -> None:
    assert await backend.think(str.upper, "on", **ASKER) == "ON"
    assert await backend.think(os.nice, 0, **ASKER) == os.nice(0)
    assert await backend.think(os.getpid, **ASKER) == backend.pids[0]


async def test_several_workers_think_at_once(tmp_path: Path) -> None:
    with contextlib.closing(Processes(2, **PATIENT)) as backend:
        first = asyncio.ensure_future(backend.think(calls.when_there, tmp_path / "there", **ASKER))
        assert await backend.think(str.upper, "meanwhile", **ASKER) == "MEANWHILE"
        (tmp_path / "there").touch()
        await first


@pytest.mark.slow
async def test_what_killed_a_worker_is_asked_once_more(backend: Processes, tmp_path: Path) -> None:
    before = await backend.think(os.getpid, **ASKER)
    after = await backend.think(calls.fatal_once, tmp_path / "deaths", **ASKER)
    assert after not in (before, os.getpid())


async def test_what_was_begun_in_time_is_asked_once_more_however_late_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, limits = Worker("thinking"), []

    async def answer(request: bytes, _: object) -> bytes:
        function, values = pickle.loads(request)
        limits.append(values[0])
        if len(limits) == 1:
            raise Died(None)
        return pickle.dumps((True, function(*values)))

    monkeypatch.setattr(worker, "_ask", answer)
    assert await worker.call(str.upper, "on", before=time.monotonic() - 1.0) == "ON"
    assert limits[0] < time.monotonic() < limits[1]


@pytest.mark.slow
async def test_what_kills_a_worker_twice_fails_and_the_next_question_is_answered(backend: Processes, tmp_path: Path) -> None:
    with pytest.raises(ThinkingFailed, match="died 2 times"):
        await backend.think(calls.fatal, tmp_path / "deaths", **ASKER)
    assert (tmp_path / "deaths").read_text().splitlines() == ["once", "once"]
    assert await backend.think(str.upper, "on", **ASKER) == "ON"


@pytest.mark.slow
async def test_a_worker_that_hangs_is_replaced(tmp_path: Path) -> None:
    with contextlib.closing(Processes(1, timeout=0.3, **PATIENT)) as backend, pytest.raises(ThinkingFailed):
        await backend.think(calls.computing, tmp_path / "begun", **ASKER)


async def test_an_error_is_handed_on(backend: Processes) -> None:
    with pytest.raises(KeyError, match="no such game"):
        await backend.think(calls.wrong, **ASKER)


async def test_hints_go_before_moves(backend: Processes, tmp_path: Path) -> None:
    order: list[str] = []

    async def ask(name: str, priority: Priority) -> None:
        await backend.think(str.upper, name, server=1, person=1, priority=priority)
        order.append(name)

    blocked = asyncio.ensure_future(backend.think(calls.when_there, tmp_path / "there", **ASKER))
    await asyncio.sleep(0)
    asked = [asyncio.ensure_future(ask(p.name, p)) for p in (Priority.MOVE, Priority.HINT)]
    await asyncio.sleep(0)
    assert backend.waiting == 2
    (tmp_path / "there").touch()
    await asyncio.gather(blocked, *asked)
    assert order == ["HINT", "MOVE"]


async def test_reviews_keep_nobody_waiting_who_plays(backend: Processes, tmp_path: Path) -> None:
    review: dict[str, Any] = ASKER | {"priority": Priority.REVIEW}
    looking = [asyncio.ensure_future(backend.think(calls.when_there, tmp_path / "there", **review)) for _ in range(3)]
    await asyncio.sleep(0)
    assert backend.waiting == 2, "one of them is thought about"
    for priority in (Priority.HINT, Priority.MOVE, Priority.URGENT):
        assert await backend.think(os.getpid, **ASKER | {"priority": priority}) == backend.pids[0]
    assert not any(task.done() for task in looking)
    (tmp_path / "there").touch()
    assert set(await asyncio.gather(*looking)) == {backend.pids[1]}


async def test_the_process_for_reviews_yields_to_the_others(backend: Processes) -> None:
    most = 19
    assert await backend.think(os.nice, 0, **ASKER | {"priority": Priority.REVIEW}) == min(most, os.nice(0) + YIELDING)


async def test_too_many_questions_are_refused_at_once(tmp_path: Path) -> None:
    with contextlib.closing(Processes(1, longest_queue=1, **PATIENT)) as backend:
        blocked = asyncio.ensure_future(backend.think(calls.when_there, tmp_path / "there", **ASKER))
        await asyncio.sleep(0)
        waiting = asyncio.ensure_future(backend.think(str.upper, "waiting", **ASKER))
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="1 questions wait"):
            await backend.think(str.upper, "refused", **ASKER)
        (tmp_path / "there").touch()
        await blocked
        assert await waiting == "WAITING"


@pytest.mark.slow
async def test_nobody_waits_longer_than_is_reasonable_except_for_reviews(tmp_path: Path) -> None:
    with contextlib.closing(Processes(1, longest_wait=0.05)) as backend:
        patient: dict[str, Any] = ASKER | {"priority": Priority.REVIEW}
        urgent: dict[str, Any] = ASKER | {"priority": Priority.URGENT}
        blocked = [
            asyncio.ensure_future(backend.think(calls.when_there, tmp_path / "there", **one)) for one in (urgent, patient)
        ]
        await asyncio.sleep(0)
        review = asyncio.ensure_future(backend.think(str.upper, "review", **patient))
        with pytest.raises(Busy, match="waited"):
            await backend.think(calls.noted, tmp_path / "noted", **ASKER)
        (tmp_path / "there").touch()
        await asyncio.gather(*blocked)
        assert await review == "REVIEW"
        assert not (tmp_path / "noted").exists(), "nobody wanted it any more"


async def test_what_comes_too_late_to_a_worker_is_not_thought_about(tmp_path: Path) -> None:
    with contextlib.closing(Processes(1, longest_wait=0.0)) as backend:  # it takes a moment until the process is there
        with pytest.raises(Busy, match="waited"):
            await backend.think(calls.noted, tmp_path / "noted", **ASKER)
        urgent = await backend.think(str.upper, "on", server=1, person=1, priority=Priority.URGENT)
        assert (urgent, (tmp_path / "noted").exists()) == ("ON", False)


async def test_what_has_waited_already_waits_as_long_as_it_takes(tmp_path: Path) -> None:
    with contextlib.closing(Processes(1, longest_wait=0.05)) as backend:
        blocked = asyncio.ensure_future(
            backend.think(calls.when_there, tmp_path / "there", server=1, person=1, priority=Priority.URGENT)
        )
        await asyncio.sleep(0)
        urgent = asyncio.ensure_future(backend.think(str.upper, "on", server=1, person=1, priority=Priority.URGENT))
        with pytest.raises(Busy, match="waited"):
            await backend.think(str.upper, "late", **ASKER)
        (tmp_path / "there").touch()
        await blocked
        assert await urgent == "ON"


async def test_a_process_rests_when_there_is_nothing_to_do() -> None:
    with contextlib.closing(Processes(1, rests_after=0, **PATIENT)) as backend:
        first = await backend.think(os.getpid, **ASKER)
        while backend.pids != (None, None):
            await asyncio.sleep(0.01)
        assert await backend.think(os.getpid, **ASKER) != first


async def test_the_end_does_not_wait_for_what_is_being_thought(tmp_path: Path) -> None:
    backend = Processes(1, **PATIENT)
    pid = await backend.think(os.getpid, **ASKER)
    asked = asyncio.ensure_future(backend.think(calls.when_there, tmp_path / "never", **ASKER))
    await asyncio.sleep(0.05)
    backend.close()
    with pytest.raises(ThinkingFailed):
        await asked
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_worker_does_not_end_with_signals_to_the_group(backend: Processes) -> None:
    pid = await backend.think(os.getpid, **ASKER)
    os.kill(pid, signal.SIGINT)
    assert await backend.think(os.getpid, **ASKER) == pid


async def test_threads_think_unless_another_backend_is_chosen(backend: Processes) -> None:
    assert await thinking(os.getpid, server=1, person=1) == os.getpid()
    with thinking_in(backend):
        assert await thinking(os.getpid, server=1, person=1) == backend.pids[0]
