"""What Discord allows all processes together."""

import asyncio
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from bot.cluster.limits import GLOBAL, Identifying, Rate


class Seconds:
    """A clock that moves only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Slots:
    """Turns in the buckets, as the database hands them out."""

    def __init__(self, clock: Seconds) -> None:
        self.clock = clock
        self.free: dict[str, float] = {}

    async def slot(self, name: str, seconds: float) -> float:
        wait = max(0.0, self.free.get(name, 0.0) - self.clock())
        if not wait:
            self.free[name] = self.clock() + seconds
        return wait


async def test_a_process_keeps_to_its_share_of_the_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Seconds()
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    rate = Rate(GLOBAL, clock)
    rate.share(3)
    sent = []
    for _ in range(200):
        await rate.take()
        sent.append(clock())
    for begin in sent:
        assert sum(1 for moment in sent if begin <= moment < begin + 1.0) <= GLOBAL / 3 + 1
    assert sent[-1] == pytest.approx(200 / (0.8 * GLOBAL / 3), abs=1.1)


async def test_a_pause_does_not_save_more_than_discord_takes_in_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Seconds()
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    for processes in (1, 3, 12, 100):
        rate = Rate(GLOBAL, clock)
        rate.share(processes)
        clock.now += 60.0
        sent = []
        for _ in range(120):
            await rate.take()
            sent.append(clock())
        most = max(sum(1 for moment in sent if begin <= moment < begin + 1.0) for begin in sent)
        assert most <= GLOBAL / processes + 1


def identified(clock: Seconds, sleep: Any = None, slots: Slots | None = None, **limits: int | Callable[[], int]) -> Identifying:
    """Identifying with these limits, whose values may change."""

    async def asked() -> dict[str, Any]:
        known = {name: value() if callable(value) else value for name, value in limits.items()}
        return {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1} | known

    return Identifying(slots or Slots(clock), asked, sleep=sleep or clock.sleep, clock=clock)  # type: ignore[arg-type]


async def test_sessions_of_a_bucket_begin_five_seconds_apart() -> None:
    clock = Seconds()
    identifying = identified(clock, max_concurrency=2)
    moments = []
    for shard in range(6):
        await identifying.turn(shard)
        moments.append((shard % 2, clock()))
    for bucket in (0, 1):
        begun = [moment for one, moment in moments if one == bucket]
        assert all(later - earlier >= 5 for earlier, later in pairwise(begun))


async def test_a_shard_without_a_session_goes_before_one_that_only_wants_a_session_of_its_own() -> None:
    clock, waited = Seconds(), list[float]()

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        clock.now += seconds

    identifying = identified(clock, sleep)
    await identifying.turn(0)
    await identifying.turn(1)
    await identifying.turn(2, necessary=False)
    assert waited[0] < waited[1]


async def test_when_the_day_is_used_up_the_next_is_waited_for() -> None:
    clock = Seconds()
    await identified(
        clock, remaining=lambda: 1000 * (clock() >= 600), reset_after=lambda: int(max(0.0, 600 - clock()) * 1000)
    ).turn(0)
    assert clock() >= 600


async def test_a_session_that_is_not_necessary_is_not_begun_on_the_last_of_the_day() -> None:
    for remaining, spared in ((10, False), (11, True)):
        assert await identified(Seconds(), remaining=remaining).can_spare() is spared


async def test_several_processes_together_begin_no_more_sessions_than_are_left() -> None:
    clock = Seconds()
    slots = Slots(clock)
    left = 5

    async def sleep(seconds: float) -> None:
        clock.now += seconds
        if clock.now > 3600:
            raise TimeoutError

    processes = [identified(clock, sleep, slots, remaining=lambda: max(0, left), reset_after=3_600_000) for _ in range(3)]

    async def begin() -> None:
        nonlocal left
        for shard in range(30):
            await processes[shard % 3].turn(shard)
            left -= 1

    with pytest.raises(TimeoutError):
        await begin()
    assert left == 0
