"""A worker counts as hung by processor time, not by the clock: it may wait for a processor as long as it has to."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from bot.workers import worker as module
from bot.workers.worker import Worker, WorkFailed, processor_time
from tests.bot import worker_calls as calls

LOOKS = 60


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOKED_AFTER", 0.01, raising=False)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], float]], None]:
    """Sets the processor time that a process appears to have used at each look."""
    return lambda tell: monkeypatch.setattr(module, "processor_time", lambda _: tell(), raising=False)


def after_looks(path: Path, times: Iterator[float]) -> Callable[[], float]:
    """The times, one per look. After LOOKS of them a file appears."""
    looks = count()

    def tell() -> float:
        if next(looks) == LOOKS:
            path.touch()
        return next(times)

    return tell


@pytest.mark.slow
async def test_who_waits_for_a_processor_is_not_taken_for_hung(tmp_path: Path, taken: Callable[..., None]) -> None:
    there = tmp_path / "there"
    taken(after_looks(there, count(step=0.0001)))
    worker = Worker("testing", timeout=0.2)
    # A worker that goes by the clock alone ends it before.
    began = time.monotonic()
    pid = await worker.call(calls.when_there, there)
    assert time.monotonic() - began > 0.2
    assert pid == worker.pid
    worker.rest()


@pytest.mark.slow
async def test_who_gets_no_processor_for_a_while_is_not_taken_for_hung(tmp_path: Path, taken: Callable[..., None]) -> None:
    there = tmp_path / "there"
    taken(after_looks(there, (look // (LOOKS // 2) * 0.001 for look in count())))
    worker = Worker("testing", timeout=0.2, standstill=0.45)
    assert await worker.call(calls.when_there, there) == worker.pid
    worker.rest()


@pytest.mark.slow
async def test_who_computes_for_too_long_is_taken_for_hung(tmp_path: Path) -> None:
    worker = Worker("testing", timeout=0.3)
    with pytest.raises(WorkFailed, match=r"died 2 times at .*computing"):
        await worker.call(calls.computing, tmp_path / "begun")


@pytest.mark.slow
async def test_who_does_not_give_way_is_taken_for_hung_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GIVES_WAY_WITHIN", 0.3)
    worker = Worker("testing")
    long = asyncio.ensure_future(worker.call(calls.computing, tmp_path / "begun", is_long=True))
    while not long.done():
        await worker.call(os.getpid)
    with pytest.raises(WorkFailed, match=r"died 2 times at .*computing"):
        await long
    assert await worker.call(os.getpid) == worker.pid
    worker.rest()


@pytest.mark.slow
async def test_who_makes_no_progress_is_taken_for_hung() -> None:
    worker = Worker("testing", standstill=0.3)
    with pytest.raises(WorkFailed, match=r"died 2 times at .*asleep"):
        await worker.call(calls.asleep)


def test_the_time_of_a_processor_is_the_same_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    here = os.getpid()
    before = processor_time(here)
    while processor_time(here) < before + 0.1:
        pass
    known = processor_time(here)
    monkeypatch.setattr(module, "Path", lambda _: Path("/no/such/file"))
    assert known - 1 <= processor_time(here) <= known + 1
    assert processor_time(2**22 + 1) == 0


@pytest.mark.parametrize(
    ("said", "seconds"), [("   00:01:05\n", 65.0), (" 0:12.34\n", 12.34), ("2-01:00:00", 176_400.0), ("120:00.50", 7200.5)]
)
def test_how_ps_tells_the_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str, seconds: float) -> None:
    ps = tmp_path / "ps"
    ps.write_text(f"#!/bin/sh\ncat <<'END'\n{said}END\n".replace(said, said.rstrip("\n") + "\n"))
    ps.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(module, "Path", lambda _: tmp_path / "no such file")
    assert processor_time(os.getpid()) == pytest.approx(seconds)
