"""`springboard release`: brings back quarantined tables that have become readable."""

import asyncio
import time
from pathlib import Path

from bot.core.core import Core
from bot.core.quarantine import Quarantine
from bot.parts import PARTS
from storage import queries
from storage.store import Store


def release(database: str | Path, table_id: int | None = None) -> dict[int, str | None]:
    """Bring back one quarantined table, or all, and return by number why one stays, or None. Raises StorageError."""
    return asyncio.run(_release(database, table_id))


async def _release(database: str | Path, table_id: int | None) -> dict[int, str | None]:
    """As `release`. Finished games are released too; tables that were not in quarantine are left out of the result."""
    store = await Store.beside(database)
    try:
        quarantine = Core(store, parts=PARTS, now=time.time).service(Quarantine)
        async with store.read() as reader:
            quarantined = [number for number, _ in await queries.quarantine.find(reader, finished=True)]
        return {number: await quarantine.release(number) for number in quarantined if table_id in {None, number}}
    finally:
        await store.close()
