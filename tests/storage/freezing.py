"""A PostgreSQL server that can be frozen, by a proxy that passes nothing on for a while, like a hanging machine."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from sqlalchemy.engine import make_url


class Proxy:
    """Passes everything between clients and the server at `url`, until it is frozen. It may still accept connections then."""

    def __init__(self, url: str) -> None:
        self._server = make_url(url)
        self._goes_on = asyncio.Event()
        self._goes_on.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self.url = ""

    def freeze(self) -> None:
        """Stop passing anything on. Connections stay open, and new ones are accepted."""
        self._goes_on.clear()

    def thaw(self) -> None:
        """Continue where it stopped."""
        self._goes_on.set()

    async def client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client until one side hangs up."""
        there_reads, there_writes = await self._connect()
        self._open |= {writer, there_writes}
        there = asyncio.create_task(self._pass(reader, there_writes))
        back = asyncio.create_task(self._pass(there_reads, writer))
        self._passing |= {there, back}
        await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
        for end in (writer, there_writes):
            end.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        folder = self._server.query.get("host")
        port = self._server.port or 5432
        if isinstance(folder, str):
            return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
        return await asyncio.open_connection(self._server.host, port)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._goes_on.wait()
                writer.write(data)
                await writer.drain()

    async def close(self) -> None:
        """Hang up."""
        for task in self._passing:
            task.cancel()
        for writer in self._open:
            writer.close()


@contextlib.asynccontextmanager
async def freezable(url: str) -> AsyncIterator[Proxy]:
    """A proxy before the server with this URL."""
    proxy = Proxy(url)
    listening = await asyncio.start_server(proxy.client, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    proxy.url = make_url(url).set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)
    try:
        yield proxy
    finally:
        listening.close()
        await proxy.close()
