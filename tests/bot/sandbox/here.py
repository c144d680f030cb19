"""The sandbox in this process."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import discord

from bot.app import Springboard
from bot.core.core import Core
from bot.sandbox import open_sandbox, sandboxed_client
from storage.store import Store


@asynccontextmanager
async def sandbox_here() -> AsyncIterator[tuple[str, Callable[[], Core]]]:
    """The address of a sandbox in this process, and the service behind it."""
    made: list[Springboard] = []

    def make(store: Store, *, now: Callable[[], float]) -> discord.Client:
        client = sandboxed_client(store, now=now)
        assert isinstance(client, Springboard)
        made.append(client)
        return client

    async with open_sandbox(0, make) as address:
        yield address, lambda: made[-1].core
