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


async def test_a_long_call_gives_way_to_others_but_not_to_long_ones(worker: Worker, tmp_path: Path) -> None:
    long = asyncio.ensure_future(worker.call(calls.giving_way_until, tmp_path / "there", is_long=True))
    later = asyncio.ensure_future(worker.call(calls.noted, tmp_path / "later", is_long=True))
    pids = {await worker.call(os.getpid) for _ in range(3)}
    assert not long.done()
    assert not (tmp_path / "later").exists()
    assert not worker.is_idle
    (tmp_path / "there").touch()
    assert {await long} == pids == {worker.pid}
    await later
    assert worker.is_idle


async def test_long_calls_and_others_may_all_be_larger_than_a_pipe(worker: Worker) -> None:
    texts = [f"{number} " * 100_000 for number in range(6)]
    long = [worker.call(calls.echoed_in_parts, one, is_long=True) for one in texts[:2]]
    found = await asyncio.gather(*long, *(worker.call(str.upper, one) for one in texts))
    assert found == [*texts[:2], *map(str.upper, texts)]


async def test_an_error_during_a_long_call_is_that_of_the_other(worker: Worker, tmp_path: Path) -> None:
    long = asyncio.ensure_future(worker.call(calls.giving_way_until, tmp_path / "there", is_long=True))
    with pytest.raises(KeyError, match="no such game"):
        await worker.call(calls.wrong)
    (tmp_path / "there").touch()
    assert await long == worker.pid


@pytest.mark.slow
async def test_a_death_beside_a_long_call_is_blamed_on_that(worker: Worker, tmp_path: Path) -> None:
    long = asyncio.ensure_future(worker.call(calls.giving_way_until, tmp_path / "never", is_long=True))
    while worker.pid is None:
        await asyncio.sleep(0.01)
    # The long call fails after two deaths. One more is the other call's own, and no reason to give up.
    assert await worker.call(calls.fatal_times, tmp_path / "deaths", 3) == worker.pid
    with pytest.raises(WorkFailed, match=r"died 2 times at .*giving_way_until"):
        await long
    assert len((tmp_path / "deaths").read_text().splitlines()) == 3
