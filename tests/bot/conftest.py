"""Fixtures for all tests of the bot: the service alone, or a whole server with people and the bot in it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.core.core import Core
from bot.features.replays import messages as replays
from bot.messages.builder import mentions
from bot.messages.pictures import CACHE
from bot.parts import PARTS
from storage.store import Store
from tests.bot.command_line import NAMES
from tests.bot.kit import World, a_world
from tests.bot.seated import seeded
from tests.bot.service import Time, seeds
from tests.bot.toy import Toy, toy
from tests.opening import have_open

have_open()


@pytest.fixture
def no_pictures_at_hand() -> Iterator[None]:
    """For tests that watch or break drawing: no cached pictures, and none left behind for other tests, which share them."""
    CACHE.clear()
    replays.CACHE.clear()
    yield
    CACHE.clear()
    replays.CACHE.clear()


@pytest_asyncio.fixture
async def world(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """A server with people and the real bot; see kit.py. Games are the same in every run: the first seed may be chosen."""
    async with a_world(tmp_path, seeded(getattr(request, "param", 1))) as made:
        yield made


@pytest_asyncio.fixture
async def toy_world(tmp_path: Path) -> AsyncIterator[World[Toy]]:
    """The same with a small bot instead of the real one."""
    async with a_world(tmp_path, toy) as made:
        yield made


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder, no settings from outside, and the test run's logging left alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.logs.configure", lambda *_, **__: None)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await Store.open(tmp_path / "service.sqlite3")
    yield opened
    await opened.close()


@pytest.fixture
def core(store: Store, clock: Time) -> Core:
    """The service over that database, with that clock and fixed seeds."""
    known = seeds()
    return Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))


@pytest.fixture(autouse=True)
def unregistered() -> Iterator[None]:
    """What a test registers with Discord is forgotten afterwards."""
    yield
    mentions.learn(())
