"""The way to Discord through a proxy, for a machine that has no other way."""

from collections.abc import Mapping
from typing import Any
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined] # typeshed has it for macOS only

import aiohttp
import yarl

from bot.config import Settings

ENCRYPTED = frozenset({"https", "wss"})
"""The schemes for which the proxy is asked to connect. Unencrypted requests stay on this machine or near it."""


class _ThroughProxy(aiohttp.TCPConnector):
    """Connects through a proxy, except to exempt hosts.

    The choice is made for each address, since the gateway and a substitute for Discord's address may be reached in different
    ways.

    Args:
        proxy: the proxy's address, which may include a name and a password.
        exempt: the hosts that need no proxy, in the form in which NO_PROXY lists them.
    """

    def __init__(self, proxy: yarl.URL, exempt: str) -> None:
        super().__init__(limit=0)  # as discord.py has it
        self._proxy, self._exempt = proxy.with_user(None), exempt
        self._headers: Mapping[str, str] | None = None
        if proxy.user is not None:
            self._headers = {"Proxy-Authorization": aiohttp.encode_basic_auth(proxy.user, proxy.password or "")}

    async def connect(self, req: aiohttp.ClientRequest, *more: Any, **options: Any) -> Any:
        if req.url.scheme in ENCRYPTED and not proxy_bypass_environment(req.url.host or "", {"no": self._exempt}):
            req.update_proxy(self._proxy, None, self._headers)
        return await super().connect(req, *more, **options)


def way_out(settings: Settings) -> aiohttp.BaseConnector | None:
    """Return a connector through the configured proxy, for one client of this event loop, or None without a proxy."""
    if settings.proxy is None:
        return None
    return _ThroughProxy(yarl.URL(settings.proxy.get_secret_value()), settings.no_proxy)
