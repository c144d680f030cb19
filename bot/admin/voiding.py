"""`springboard void-day`: withdraws a day's puzzle if something is wrong with it."""

import asyncio
import time
from pathlib import Path

from bot.core.core import Core
from bot.features.puzzles.daily import Dailies
from bot.parts import PARTS
from storage.store import Store


def void_day(database: str | Path, day: int) -> tuple[str | None, int]:
    """Withdraw a day's puzzle. Return its name (None: no such puzzle) and how often it was reported. Raises StorageError."""
    return asyncio.run(_void_day(database, day))


async def _void_day(database: str | Path, day: int) -> tuple[str | None, int]:
    store = await Store.beside(database)
    try:
        return await Core(store, parts=PARTS, now=time.time).service(Dailies).void(day)
    finally:
        await store.close()
