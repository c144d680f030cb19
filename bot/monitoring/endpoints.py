"""The site for monitors: `/health/live`, `/health/ready` and `/metrics`."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder
from typing_extensions import override

from bot.config import CannotRun
from bot.monitoring.health import Health
from bot.runtime.metrics import REGISTRY

Handler = Callable[[web.BaseRequest], Awaitable[web.Response]]

AT_ONCE: Final = 100
"""The most connections at a time. If there are more, the oldest is closed, so that silent clients do not shut others out."""

OPEN_FOR: Final = 10.0
"""Seconds after which a connection is closed, whether or not its request has arrived and been answered."""

METHODS: Final = ("GET", "HEAD")

_LOG: Final = logging.getLogger(__name__)


@asynccontextmanager
async def serve_site(
    address: tuple[str, int], health: Health, *, most: int = AT_ONCE, seconds: float = OPEN_FOR
) -> AsyncIterator[int]:
    """Serve the site at a host and port (0 for any free port) while the block lasts, and yield the port.

    Anyone who can reach the port can read how the bot is, but nothing about people. At most `most` connections are open at a
    time, each for at most `seconds`.

    Raises:
        CannotRun: the site cannot be served there.
    """
    host, port = address
    runner = web.ServerRunner(_Server(_site(health), most, seconds))
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            reason = error.strerror or error
            raise CannotRun(f"SPRINGBOARD_HTTP: {host}:{port} cannot be listened to: {reason}. Choose another port.") from error
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


class _Server(web.Server):
    """aiohttp's server for the site, which allows at most `most` connections, each for at most `seconds`."""

    def __init__(self, site: Handler, most: int, seconds: float) -> None:
        # Bodies mean nothing here, and are not waited for.
        super().__init__(site, access_log=None, logger=_LOG, lingering_time=0)
        self._most, self._seconds = most, seconds
        self._open: dict[web.RequestHandler, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}

    @override
    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if len(self._open) >= self._most:
            oldest = next(iter(self._open))
            self._forget(oldest).abort()
        self._open[handler] = transport, asyncio.get_running_loop().call_later(self._seconds, transport.abort)

    @override
    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        if handler in self._open:
            self._forget(handler)

    def _forget(self, handler: web.RequestHandler) -> asyncio.Transport:
        transport, closing = self._open.pop(handler)
        closing.cancel()
        return transport


def _is_own(record: logging.LogRecord) -> bool:
    """Whether a log record is about the server itself, and not about a malformed request, which is answered with status 400."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


_LOG.addFilter(_is_own)


def _site(health: Health) -> Handler:
    """Build the handler, which answers one request on each connection."""

    async def live(_: web.BaseRequest) -> web.Response:
        # Any answer shows that the event loop runs. If it does not, a monitor gets no answer, which says enough.
        return web.Response(text="The bot is alive.\n")

    async def ready(_: web.BaseRequest) -> web.Response:
        reasons = await health.reasons()
        if not reasons:
            return web.Response(text="The bot is ready.\n")
        return web.Response(text="".join(f"{name}: {reason}\n" for name, reason in reasons.items()), status=503)

    pages: dict[str, Handler] = {
        "/health/live": live, "/health/ready": ready, "/metrics": _metrics(REGISTRY, _process()),
    }  # fmt: skip

    async def answer(request: web.BaseRequest) -> web.Response:
        page = pages.get(request.path)
        if page is None:
            response = web.Response(text=f"There are {', '.join(pages)}.\n", status=404)
        elif request.method not in METHODS:
            response = web.Response(status=405, headers={"Allow": ", ".join(METHODS)})
        else:
            response = await page(request)
        response.force_close()
        return response

    return answer


def _process() -> CollectorRegistry:
    """Return a registry that reports this process's memory, processor time and open files, and figures about its Python."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


def _metrics(*registries: CollectorRegistry) -> Handler:
    async def metrics(request: web.BaseRequest) -> web.Response:
        encode, kind = choose_encoder(request.headers.get("Accept", ""))
        body = b"".join(encode(registry) for registry in registries)
        # Each registry ends its text with a mark that only the last one should have.
        end = b"# EOF\n"
        if kind.startswith("application/openmetrics-text"):
            body = body.replace(end, b"") + end
        return web.Response(body=body, headers={"Content-Type": kind})

    return metrics
