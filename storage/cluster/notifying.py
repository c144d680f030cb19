"""Notifications between the processes on one PostgreSQL. Nothing depends on them; they only save time."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from storage.lines.connect import Address
from storage.lines.server import PROMPT, server_engine

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

CHANNEL: Final = "springboard"
"""The channel of PostgreSQL's NOTIFY and LISTEN."""

AGAIN_AFTER: Final = 2.0
"""Seconds after which a lost connection is made anew."""

CHECK_AFTER: Final = 60.0
"""Seconds of silence after which the server is asked whether it is still there."""

log = logging.getLogger(__name__)


@asynccontextmanager
async def listening(address: Address, heard: Callable[[str], None]) -> AsyncIterator[None]:
    """Have `heard` called in this block with the word of each notification that arrives; for a file there are none."""
    if address.path is not None:
        yield
        return
    task = asyncio.create_task(_listen(address, heard), name="springboard-notifications")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _listen(address: Address, heard: Callable[[str], None]) -> None:
    """Listen until the task is cancelled, whatever becomes of the connection."""
    engine = server_engine(address.url, 1, reading=False, prompt=True)
    try:
        while True:
            try:
                await _listen_once(engine, heard)
            except Exception as error:  # noqa: BLE001 - whatever it is: everything is found without notifications, too
                log.debug("no notifications are heard: %s", error)
            await asyncio.sleep(AGAIN_AFTER)
    finally:
        await engine.dispose()


async def _listen_once(engine: "AsyncEngine", heard: Callable[[str], None]) -> None:
    """Listen until the connection is lost."""
    lost = asyncio.Event()
    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        try:
            driver.add_termination_listener(lambda _: lost.set())
            await driver.add_listener(CHANNEL, lambda _connection, _process, _channel, word: heard(word))
            while not lost.is_set():
                try:
                    async with asyncio.timeout(CHECK_AFTER):
                        await lost.wait()
                except TimeoutError:
                    await driver.execute("SELECT 1", timeout=PROMPT)
        finally:
            await connection.invalidate()
