"""The way to Discord: forms in one piece, and through a proxy for a machine that has no other way."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined] # typeshed has it for macOS only

import aiohttp
import yarl

from bot.config import Settings

ENCRYPTED = frozenset({"https", "wss"})
"""The schemes for which the proxy is asked to connect. Unencrypted requests stay on this machine or near it."""

JOINED_AT_MOST: Final = 1_000_000
"""The most bytes of a form that is sent in one piece. Of larger pieces, aiohttp warns."""


class _InOnePiece(aiohttp.TCPConnector):
    """Sends each form, such as a message with its picture, in one piece.

    aiohttp by itself writes every boundary, header and content on its own: eight packets, each of which is encrypted.
    """

    def __init__(self) -> None:
        super().__init__(limit=0)  # as discord.py has it

    async def connect(self, req: aiohttp.ClientRequest, *more: Any, **options: Any) -> Any:
        form = req.body
        if isinstance(form, aiohttp.MultipartWriter) and form.size is not None and form.size <= JOINED_AT_MOST:
            await req.update_body(await form.as_bytes())
        return await super().connect(req, *more, **options)


class _ThroughProxy(_InOnePiece):
    """Connects through a proxy, except to exempt hosts.

    The choice is made for each address, since the gateway and a substitute for Discord's address may be reached in different
    ways.

    Args:
        proxy: the proxy's address, which may include a name and a password.
        exempt: the hosts that need no proxy, in the form in which NO_PROXY lists them.
    """

    def __init__(self, proxy: yarl.URL, exempt: str) -> None:
        super().__init__()
        self._proxy, self._exempt = proxy.with_user(None), exempt
        self._headers: Mapping[str, str] | None = None
        if proxy.user is not None:
            self._headers = {"Proxy-Authorization": aiohttp.encode_basic_auth(proxy.user, proxy.password or "")}

    async def connect(self, req: aiohttp.ClientRequest, *more: Any, **options: Any) -> Any:
        if req.url.scheme in ENCRYPTED and not proxy_bypass_environment(req.url.host or "", {"no": self._exempt}):
            req.update_proxy(self._proxy, None, self._headers)
        return await super().connect(req, *more, **options)


def way_out(settings: Settings) -> aiohttp.BaseConnector:
    """Return a connector for one client of this event loop, through the configured proxy if there is one."""
    if settings.proxy is None:
        return _InOnePiece()
    return _ThroughProxy(yarl.URL(settings.proxy.get_secret_value()), settings.no_proxy)
