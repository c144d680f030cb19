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
    """For a test in which drawing fails, or is looked at: it has no pictures that were drawn before, and leaves none.

    All other tests share them. A picture depends on what it shows, and on nothing else.
    """
    CACHE.clear()
    replays.CACHE.clear()
    yield
    CACHE.clear()
    replays.CACHE.clear()


@pytest_asyncio.fixture
async def world(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """A server with people and the real bot, whose games are the same in every run: the first seed may be chosen.

    See tests/bot/kit.py.
    """
    async with a_world(tmp_path, seeded(getattr(request, "param", 1))) as made:
        yield made


@pytest_asyncio.fixture
async def toy_world(tmp_path: Path) -> AsyncIterator[World[Toy]]:
    """The same with a small bot in the place of the real one."""
    async with a_world(tmp_path, toy) as made:
        yield made


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder, no setting from outside, and the logging of the test run left as it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.logs.configure", lambda *_, **__: None)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> Time:
    """The time of the service; see tests/bot/service.py."""
    return Time()


@pytest_asyncio.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A real database in a temporary folder."""
    opened = await Store.open(tmp_path / "service.sqlite3")
    yield opened
    await opened.close()


@pytest.fixture
def core(store: Store, clock: Time) -> Core:
    """The service over that database, with that clock, and seeds that are the same in every run."""
    known = seeds()
    return Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))


@pytest.fixture(autouse=True)
def unregistered() -> Iterator[None]:
    """What a test has registered with Discord is forgotten after it."""
    yield
    mentions.learn(())
