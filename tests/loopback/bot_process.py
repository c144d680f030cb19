"""The real bot, connected to the loopback instead of Discord.

`python -m tests.loopback.bot_process ADDRESS` runs it until it is killed, with the settings of the environment. Nothing of it
is replaced but the two addresses, and how long it waits for servers that do not come (real Discord needs longer there); and it
has `/open` (tests/opening.py).
"""

import asyncio
import contextlib
import functools
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from unittest import mock

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket

from bot import logs
from bot.app import make_client
from bot.config import load
from bot.process import serve
from tests.loopback.server import HOST
from tests.opening import have_open

have_open()

GUILDS_COME_WITHIN: Final = 0.05
"""Seconds that discord.py waits for a further server before it says that it is ready; two by itself."""


class _Signed(discord.http.HTTPClient):
    """discord.py's, which says in every request from which process it comes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user_agent += f" process/{os.getpid()}"


@contextlib.contextmanager
def signed() -> Iterator[None]:
    """In this block every client says in its requests which process it runs in, so that the loopback can tell them apart."""
    software = f"{aiohttp.http.SERVER_SOFTWARE} process/{os.getpid()}"  # what answers to interactions are signed with
    with (
        mock.patch.object(discord.client, "HTTPClient", _Signed),
        mock.patch.object(aiohttp.client_reqrep, "SERVER_SOFTWARE", software),
    ):
        yield


class _BySocket(aiohttp.UnixConnector):
    """Reaches this machine by a Unix socket, and nothing else."""

    async def connect(self, req: aiohttp.ClientRequest, *args: Any, **options: Any) -> Any:
        """Give a connection, as any connector."""
        if req.url.host != HOST:
            raise aiohttp.ClientConnectorError(req.connection_key, ConnectionRefusedError())
        return await super().connect(req, *args, **options)


@contextlib.contextmanager
def pointed_to(address: str, socket: Path | None = None) -> Iterator[None]:
    """In this block discord.py takes an address, http://…, for Discord, and reaches it by a Unix socket if one is given."""
    gateway = yarl.URL(address.replace("http", "ws", 1) + "/gateway")
    connector = aiohttp.TCPConnector if socket is None else functools.partial(_BySocket, str(socket))
    with (
        mock.patch.object(aiohttp, "TCPConnector", connector),
        mock.patch.object(discord.http.Route, "BASE", address),
        mock.patch.object(DiscordWebSocket, "DEFAULT_GATEWAY", gateway),
    ):
        yield


def main(address: str, options: Mapping[str, Any]) -> None:
    """Run the bot. `options`: for `serve`."""
    settings = load(None)
    logs.configure(settings.log, settings.log_format, secrets=settings.secrets)
    make = functools.partial(make_client, guild_ready_timeout=GUILDS_COME_WITHIN)
    with pointed_to(address), signed():
        asyncio.run(serve(settings, make, **options))


if __name__ == "__main__":
    main(sys.argv[1], {})
