"""The bot in this process, in front of the loopback Discord, so that what it asks of the database can be counted."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path

from bot.app import make_client
from loopback.connecting import pointed_to
from loopback.server import Loopback
from storage.store import Store
from tests.bot.command_line import TOKEN
from tests.loopback.bot_process import GUILDS_COME_WITHIN
from tests.loopback.people import People


@contextlib.asynccontextmanager
async def played_here(folder: Path) -> AsyncIterator[People]:
    """People in front of a bot that is ready; its database is in a folder."""
    async with Loopback(time.time) as loopback:
        store = await Store.open(folder / "springboard.sqlite3")
        with pointed_to(loopback.discord.base):
            client = make_client(store, now=time.time, guild_ready_timeout=GUILDS_COME_WITHIN)
            working = asyncio.create_task(client.start(TOKEN))
            try:
                await loopback.gateway.ready.wait()
                await client.wait_until_ready()
                yield People(loopback)
            finally:
                await client.close()
                await asyncio.wait({working})
                await store.close()
