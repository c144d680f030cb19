"""The fixture that every test of the bot in Discord starts from."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.bot.kit import World, a_world, springboard


@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """A server with people and the real bot; see tests/bot/kit.py."""
    async with a_world(tmp_path, springboard) as made:
        yield made
