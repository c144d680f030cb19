"""Fixtures for the outbox on the core alone, with a Discord that accepts messages or hangs."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from bot.core.core import Core
from bot.i18n.language import ENGLISH
from bot.messages.builder import Picture
from bot.outbox import boards, queues
from bot.outbox.worker import OutboxWorker
from bot.registry import JOBS
from tests.bot.outbox.channels import Discord


@pytest.fixture
def discord(monkeypatch: pytest.MonkeyPatch) -> Discord:
    async def no_picture(*_: Any, **__: Any) -> Picture:
        return Picture("board.png", b"", "A board.")

    monkeypatch.setattr(boards, "draw_into", no_picture)
    monkeypatch.setattr(queues, "HANGS", 0.01)
    return Discord()


@pytest_asyncio.fixture
async def outbox(discord: Discord, core: Core) -> AsyncIterator[OutboxWorker]:
    async def english(_: int) -> Any:
        return ENGLISH

    worker = OutboxWorker(discord, core, english, JOBS)  # type: ignore[arg-type]
    yield worker
    await worker.close()
