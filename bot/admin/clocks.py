"""`springboard resume-clocks`: resumes the time-outs that were stopped because the machine's clock had jumped."""

import time
from pathlib import Path
from typing import Final

from bot.core.clocks.heartbeats import Heartbeats
from bot.core.core import Core
from bot.parts import PARTS
from storage import queries
from storage.schema.records import Heartbeat
from storage.store import Store

REMEDY: Final = (
    "Set the clock of this machine right: they go on as soon as it agrees with Discord's. Or run `springboard resume-clocks`."
)


async def resume(database: str | Path) -> bool:
    """Resume the time-outs, and return whether they were stopped. Players whose turn it is get all of their time again.

    The bot may be running, and notices this within a minute.

    Raises:
        StorageError: if there is no such database, or it cannot be used.
    """
    store = await Store.beside(database)
    try:
        return await Core(store, parts=PARTS, now=time.time).service(Heartbeats).resume()
    finally:
        await store.close()


async def stopped_time_outs(database: str | Path) -> list[str]:
    """Return a sentence for each process whose time-outs are stopped. Raises StorageError without a usable database."""
    store = await Store.beside(database)
    try:
        async with store.read() as reader:
            return [describe_stop(beat) for beat in await queries.heartbeats.find(reader) if beat.halted is not None]
    finally:
        await store.close()


def describe_stop(beat: Heartbeat) -> str:
    """Return a sentence for the operator about a process whose time-outs are stopped."""
    return f"Nobody runs out of time, because time-outs are stopped: {beat.halted} {REMEDY}"
