"""The site for monitors: `/health/live`, `/health/ready` and `/metrics`."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder

from bot.errors import CannotRun
from bot.metrics import REGISTRY
from bot.monitoring.health import Health

Handler = Callable[[web.Request], Awaitable[web.Response]]


@asynccontextmanager
async def served(address: tuple[str, int], health: Health) -> AsyncIterator[int]:
    """Serve the site at a host and port in the block, which is given the port. Raises CannotRun if that is not possible.

    Whoever can reach the port can read it: it tells how the bot is, and nothing about who plays.
    """
    host, port = address
    runner = web.AppRunner(_application(health), access_log=None)
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


def _application(health: Health) -> web.Application:
    async def live(_: web.Request) -> web.Response:
        # That this is answered shows that the loop turns. Of one that does not, a monitor hears nothing, which says enough.
        return web.Response(text="The bot is alive.\n")

    async def ready(_: web.Request) -> web.Response:
        reasons = await health.reasons()
        if not reasons:
            return web.Response(text="The bot is ready.\n")
        return web.Response(text="".join(f"{name}: {reason}\n" for name, reason in reasons.items()), status=503)

    app = web.Application()
    app.router.add_get("/health/live", live)
    app.router.add_get("/health/ready", ready)
    app.router.add_get("/metrics", _metrics(REGISTRY, _process()))
    return app


def _process() -> CollectorRegistry:
    """Memory, processor time and open files of this process, and of Python in it."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


def _metrics(*registries: CollectorRegistry) -> Handler:
    async def metrics(request: web.Request) -> web.Response:
        encode, kind = choose_encoder(request.headers.get("Accept", ""))
        body = b"".join(encode(registry) for registry in registries)
        # Each registry ends what it says, which only the last one should.
        end = b"# EOF\n"
        if kind.startswith("application/openmetrics-text"):
            body = body.replace(end, b"") + end
        return web.Response(body=body, headers={"Content-Type": kind})

    return metrics
