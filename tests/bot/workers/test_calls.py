"""A worker carries out calls one by one, whoever still waits for them."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.workers.worker import Worker, WorkFailed
from tests.bot import worker_calls as calls


@pytest.fixture(params=[0, 1], ids=["ordinary", "nice"])
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    made = Worker("testing", nice=request.param)
    yield made
    made.close()


async def test_calls_and_answers_may_be_larger_than_a_pipe(worker: Worker) -> None:
    texts = [f"{number} " * 100_000 for number in range(6)]
    assert await asyncio.gather(*(worker.call(str.upper, one) for one in texts)) == [one.upper() for one in texts]
    assert worker.is_idle


async def test_a_worker_that_rests_during_a_call_that_nobody_awaits_takes_the_next(worker: Worker, tmp_path: Path) -> None:
    asked = asyncio.ensure_future(worker.call(calls.when_there, tmp_path / "never"))
    while worker.pid is None:
        await asyncio.sleep(0.01)
    before = worker.pid
    asked.cancel()
    await asyncio.wait({asked})
    worker.rest()
    assert worker.is_idle
    assert await worker.call(os.getpid) not in (before, os.getpid())


@pytest.mark.slow
async def test_what_waits_when_a_worker_dies_is_carried_out_by_the_next_one(worker: Worker, tmp_path: Path) -> None:
    dying = asyncio.ensure_future(worker.call(calls.fatal, tmp_path / "deaths"))
    waiting = [asyncio.ensure_future(worker.call(str, number)) for number in range(3)]
    with pytest.raises(WorkFailed, match="died 2 times"):
        await dying
    assert await asyncio.gather(*waiting) == ["0", "1", "2"]


async def test_nothing_is_done_after_the_end(worker: Worker, tmp_path: Path) -> None:
    asked = [asyncio.ensure_future(worker.call(calls.when_there, tmp_path / "never")) for _ in range(2)]
    while worker.pid is None:
        await asyncio.sleep(0.01)
    worker.close()
    found = await asyncio.gather(*asked, worker.call(str, 1), return_exceptions=True)
    assert [type(one) for one in found] == [WorkFailed] * 3
    assert worker.pid is None


async def test_what_cannot_be_pickled_is_an_error_at_once(worker: Worker) -> None:
    with pytest.raises((AttributeError, TypeError), match=r"pickle|local object"):
        await worker.call(lambda: None)
    assert await worker.call(str, 1) == "1"
