"""Fixtures for tests with the loopback Discord: a clock, and worlds in virtual time."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from loopback import virtual_time
from tests.loopback.world import LoopbackWorld, a_loopback_world, nothing_drawn

Play = Callable[[LoopbackWorld], Awaitable[None]]


class Clock:
    """A time set by hand."""

    at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def run_in_world(tmp_path: Path) -> Callable[[Play], None]:
    """Runs a test in a world, in virtual time, with blank pictures."""

    async def performed(play: Play) -> None:
        with nothing_drawn():
            async with a_loopback_world(tmp_path) as world:
                await play(world)
            assert world.loopback.breaches == world.loopback.gateway.breaches == []
            assert world.loopback.strange == []

    return lambda play: virtual_time.run(performed(play))
