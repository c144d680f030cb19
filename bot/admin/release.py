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
    """Bring back quarantined tables. Return why each must stay (None: it is back), by number. Raises StorageError."""
    return asyncio.run(_release(database, table_id))


async def _release(database: str | Path, table_id: int | None) -> dict[int, str | None]:
    """Do what `release` does. Finished games are released, too. Tables that were not in quarantine are not in the result."""
    store = await Store.beside(database)
    try:
        quarantine = Core(store, parts=PARTS, now=time.time).service(Quarantine)
        async with store.read() as reader:
            quarantined = [number for number, _ in await queries.quarantine.find(reader, finished=True)]
        return {number: await quarantine.release(number) for number in quarantined if table_id in {None, number}}
    finally:
        await store.close()
