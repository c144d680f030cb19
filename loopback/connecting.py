"""Makes discord.py connect to the loopback instead of to Discord."""

import contextlib
import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket

from loopback.server import HOST


class _Signed(discord.http.HTTPClient):
    """A client that names its own process in every request."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user_agent += f" process/{os.getpid()}"


@contextlib.contextmanager
def signed() -> Iterator[None]:
    """Within this block, every client names its process in its requests."""
    software = f"{aiohttp.http.SERVER_SOFTWARE} process/{os.getpid()}"  # names the process in answers to interactions
    with (
        mock.patch.object(discord.client, "HTTPClient", _Signed),
        mock.patch.object(aiohttp.client_reqrep, "SERVER_SOFTWARE", software),
    ):
        yield


class _BySocket(aiohttp.UnixConnector):
    """A connector that reaches this machine through a Unix socket, and refuses every other host."""

    async def connect(self, req: aiohttp.ClientRequest, *args: Any, **options: Any) -> Any:
        """Connect, unless the request is for another host."""
        if req.url.host != HOST:
            raise aiohttp.ClientConnectorError(req.connection_key, ConnectionRefusedError())
        return await super().connect(req, *args, **options)


@contextlib.contextmanager
def pointed_to(address: str, socket: Path | None = None) -> Iterator[None]:
    """Within this block, discord.py takes `address` (http://…) for Discord. It connects through `socket`, if one is given."""
    gateway = yarl.URL(address.replace("http", "ws", 1) + "/gateway")
    connector = aiohttp.TCPConnector if socket is None else functools.partial(_BySocket, str(socket))
    with (
        mock.patch.object(aiohttp, "TCPConnector", connector),
        mock.patch.object(discord.http.Route, "BASE", address),
        mock.patch.object(DiscordWebSocket, "DEFAULT_GATEWAY", gateway),
    ):
        yield
