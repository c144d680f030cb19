"""Fixtures for tests with the loopback Discord: a clock, and worlds in virtual time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from loopback.virtual_time import VirtualTimeLoop, threads_known
from tests.loopback.world import LoopbackWorld, a_loopback_world, nothing_drawn


class Clock:
    at = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests in a `world` run in virtual time."""
    in_world = isinstance(item, pytest.Function) and "world" in item.fixturenames
    return {"virtual": VirtualTimeLoop} if in_world else {"real": asyncio.new_event_loop}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[LoopbackWorld]:
    """A world in virtual time, with blank pictures."""
    with threads_known(), nothing_drawn():
        async with a_loopback_world(tmp_path) as world:
            yield world
        assert world.loopback.breaches == world.loopback.gateway.breaches == []
        assert world.loopback.strange == []
