"""The loop behind the clock and the outbox: it works when something is due, and is not woken for what comes later anyway."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.loops.clock import Clock
from bot.runtime.due_loop import DueLoop
from tests.bot.service import ANN, BEN, BOUNCERS, Time, first_action

WAIT_LIMIT = 60.0
"""Seconds of real time after which a test gives up; nothing is measured by it."""

SOON = 0.01
LATE = 1e6


class Work:
    """Work that returns at its first times what it is given, and then that nothing is due."""

    def __init__(self, *due: float | None) -> None:
        self.done = 0
        self.loop = DueLoop("test", self._work, lambda: 0.0)
        self._due = list(due)
        self._news = asyncio.Event()
        self.meanwhile: Callable[[], None] = lambda: None

    async def _work(self) -> float | None:
        self.done += 1
        self._news.set()
        self.meanwhile()
        return self._due.pop(0) if self._due else None

    async def until(self, times: int) -> None:
        async with asyncio.timeout(WAIT_LIMIT):
            while self.done < times or self.loop.running:
                self._news.clear()
                await asyncio.wait({asyncio.ensure_future(self._news.wait())}, timeout=SOON)


async def test_work_due_before_anything_else_is_done_then() -> None:
    work = Work(LATE)
    work.loop.wake()
    await work.until(1)
    work.loop.wake_by(SOON)
    await work.until(2)
    await work.loop.close()


async def test_work_due_later_wakes_nobody_and_delays_nothing() -> None:
    work = Work(2 * SOON)
    work.loop.wake()
    await work.until(1)
    work.loop.wake_by(LATE)
    await work.until(2)
    assert work.done == 2
    await work.loop.close()


async def test_work_that_falls_due_during_other_work_is_not_missed() -> None:
    work = Work()
    work.meanwhile = lambda: work.loop.wake_by(SOON) if work.done == 1 else None
    work.loop.wake()
    await work.until(2)
    await work.loop.close()


async def test_overdue_work_is_done_at_once() -> None:
    work = Work(LATE)
    work.loop.wake_by(LATE)
    await work.until(1)
    work.loop.wake_by(0.0)
    await work.until(2)
    await work.loop.close()
    work.loop.wake_by(0.0)
    assert not work.loop.running


async def test_an_action_that_makes_nothing_due_earlier_lets_the_clock_sleep(
    core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []
    clockwork = Clock(core, lambda: looked.append(clock()))
    sweep = core.service(Timing).sweep

    async def counted(*arguments: Any) -> tuple[int, ...]:
        looked.append(clock())
        return await sweep(*arguments)

    monkeypatch.setattr(core.service(Timing), "sweep", counted)
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    await core.service(Lobby).join(table_id, BEN)
    while clockwork._loop.running:
        await asyncio.sleep(0)
    looked.clear()
    for _ in range(4):
        snapshot = await core.snapshot(table_id)
        (awaited,) = snapshot.awaited
        await core.service(Play).act(table_id, User(awaited.user_id, awaited.name), first_action(snapshot))
        await asyncio.sleep(0)
        assert not clockwork._loop.running
    assert looked == []
    await clockwork.close()
