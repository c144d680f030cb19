"""A forward proxy that demands a password, in front of a Discord with TLS whose host name only the proxy knows."""

import asyncio
import base64
import contextlib
import ssl
import subprocess
from collections import Counter
from pathlib import Path
from typing import Final, Self

NAME: Final = "discord.test"
"""The host name that stands for Discord. No real machine can have it (RFC 6761)."""
WHO: Final = "bot:p@ss/word"
"""The name and password that the proxy demands."""
ENCODED: Final = "bot:p%40ss%2Fword"
"""`WHO` as it is written in a URL."""


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for `NAME`. Return the certificate's file and its key's file."""
    found = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(  # noqa: S603 a fixed command
        [  # noqa: S607 whichever openssl there is
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
            "-addext", f"subjectAltName=DNS:{NAME}", "-out", found[0], "-keyout", found[1],
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    return found


class ForwardProxy:
    """A proxy in front of a Discord that listens on `port` without TLS. It writes its certificate into `folder`.

    `connected` counts the connections by target, and `refused` the requests without the right password.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self.certificate, key = certificate(folder)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, key)
        self._port = port
        self._open = set[asyncio.Task[None]]()
        self.connected: Counter[str] = Counter()
        self.refused = 0

    async def __aenter__(self) -> Self:
        self._unwrapping = await asyncio.start_server(
            lambda reader, writer: self._join(reader, writer, self._port), "127.0.0.1", 0, ssl=self._context
        )
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in (self._server, self._unwrapping):
            server.close()
        await asyncio.gather(*self._open)  # each ends when the bot does

    @property
    def address(self) -> str:
        """The proxy's host and port."""
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one CONNECT request, then relay its connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
        method, target, _ = head[0].split()
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        if fields.get("proxy-authorization") != "Basic " + base64.b64encode(WHO.encode()).decode():
            self.refused += 1
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        assert (method, target) == ("CONNECT", f"{NAME}:443")
        self.connected[target] += 1
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await self._join(reader, writer, self._unwrapping.sockets[0].getsockname()[1])

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        """Relay data in both directions until either side closes its connection."""
        on, back = await asyncio.open_connection("127.0.0.1", port)
        ways = {asyncio.create_task(_pass(reader, back)), asyncio.create_task(_pass(on, writer))}
        self._open |= ways
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for end in (back, writer):
            end.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
