"""Notifications between the processes that share one PostgreSQL database. Nothing depends on them. They only save time."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from storage.connections.addresses import Address
from storage.connections.server import ServerThread, server_engine

CHANNEL: Final = "springboard"

AGAIN_AFTER: Final = 2.0
"""How many seconds to wait before reconnecting."""

CHECK_AFTER: Final = 60.0
"""The number of seconds of silence after which the server is asked whether it is still there."""

log = logging.getLogger(__name__)


@asynccontextmanager
async def listening(address: Address, heard: Callable[[str], None]) -> AsyncIterator[None]:
    """During this block, call `heard` with the word of each notification. For a file, there are no notifications."""
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
    """Listen until the task is cancelled, reconnecting as needed."""
    engine = server_engine(address, reading=False, prompt=True)
    while True:
        thread = ServerThread(engine)
        try:
            await thread.ask(partial(_listen_once, asyncio.get_running_loop(), heard))
        except Exception as error:  # noqa: BLE001 - whatever it is: everything is found without notifications, too
            log.debug("no notifications are heard: %s", error)
        finally:
            thread.leave()
        await asyncio.sleep(AGAIN_AFTER)


def _listen_once(loop: asyncio.AbstractEventLoop, heard: Callable[[str], None], connection: sa.Connection) -> None:
    server: Any = connection.connection.driver_connection
    server.autocommit = True
    server.execute(f"LISTEN {CHANNEL}")
    while True:
        for notification in server.notifies(timeout=CHECK_AFTER):
            loop.call_soon_threadsafe(heard, notification.payload)
        server.execute("SELECT 1")
