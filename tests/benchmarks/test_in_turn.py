"""An event loop that waits for its threads has the same order of events in every run."""

import asyncio
import time

import aiosqlite
import pytest

from benchmarks.in_turn import result_of


def test_threads_run_one_after_another() -> None:
    noted: list[str] = []

    def work(name: str, seconds: float) -> None:
        noted.append(f"{name} begins")
        time.sleep(seconds)
        noted.append(f"{name} ends")

    async def both() -> None:
        await asyncio.gather(asyncio.to_thread(work, "slow", 0.02), asyncio.to_thread(work, "quick", 0))

    result_of(both())
    assert noted == ["slow begins", "slow ends", "quick begins", "quick ends"]


def test_connections_answer_in_the_order_in_which_they_were_asked() -> None:
    noted: list[int] = []

    async def ask(connection: aiosqlite.Connection, steps: int) -> None:
        counting = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {steps}) SELECT max(i) FROM n"
        async with connection.execute(counting) as found:
            row = await found.fetchone()
        assert row is not None
        noted.append(row[0])

    async def both() -> None:
        async with aiosqlite.connect(":memory:") as slow, aiosqlite.connect(":memory:") as quick:
            await asyncio.gather(ask(slow, 100_000), ask(quick, 1))

    result_of(both())
    assert noted == [100_000, 1]


def test_the_clock_starts_at_nothing_and_skips_what_nobody_waits_for() -> None:
    async def clock() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.sleep(3600)
        return began, loop.time()

    assert result_of(clock()) == (0, 3600)


def test_an_error_in_a_thread_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        result_of(asyncio.to_thread(lambda: 1 / 0))
