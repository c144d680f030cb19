"""The page around the Previews: the people and places, the clock, and up to four windows side by side."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import resources
from typing import Final

from aiohttp import web

from bot.sandbox.phones import Phones
from bot.sandbox.proxy import PreviewProxy
from bot.sandbox.simulated_clock import SimulatedClock
from bot.sandbox.world import World

HOST: Final = "127.0.0.1"
"""The address of the page. Nothing outside this machine can reach the sandbox."""
LONGEST_SKIP: Final = 31 * 24 * 3600.0
_STATIC: Final = {
    "/": ("index.html", "text/html"),
    "/sandbox/index.css": ("index.css", "text/css"),
    "/sandbox/index.js": ("index.js", "application/javascript"),
    "/sandbox/frame.css": ("frame.css", "text/css"),
    "/sandbox/frame.js": ("frame.js", "application/javascript"),
}
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self'; img-src data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
}


class PortTaken(Exception):
    """The page's port is in use. The message suggests another port."""


class Site:
    """Serves the sandbox's page, on this machine only."""

    def __init__(self, world: World, proxy: PreviewProxy, clock: SimulatedClock, phones: Phones) -> None:
        self._world = world
        self._phones = phones
        self._clock = clock
        self._hosts: frozenset[str] = frozenset()
        self._app = web.Application(middlewares=[self._only_from_here], client_max_size=32 * 2**20)
        for path in _STATIC:
            self._app.router.add_get(path, self._static)
        self._app.router.add_get("/sandbox/state", self._state)
        self._app.router.add_post("/sandbox/skip", self._skip)
        proxy.add_to(self._app)

    @asynccontextmanager
    async def serve(self, port: int) -> AsyncIterator[str]:
        """Serve the page while the block lasts. Yields its address. Raises PortTaken."""
        runner = web.AppRunner(self._app, access_log=None, shutdown_timeout=1, handler_cancellation=False)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, HOST, port).start()
            except OSError as error:
                reason = os.strerror(error.errno or 0)
                raise PortTaken(
                    f"The sandbox page cannot be served on port {port}: {reason}. Choose another with --port or "
                    "SPRINGBOARD_SANDBOX_PORT; 0 takes any that is free."
                ) from error
            bound = runner.addresses[0][1]
            self._hosts = frozenset(f"{name}:{bound}" for name in (HOST, "localhost"))
            yield f"http://{HOST}:{bound}/"
        finally:
            await runner.cleanup()

    @web.middleware
    async def _only_from_here(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse requests from any other site in the same browser, and those that call this machine by any other name."""
        origin = request.headers.get("Origin")
        if request.host not in self._hosts or (origin is not None and origin.removeprefix("http://") not in self._hosts):
            raise web.HTTPForbidden(text="The sandbox answers its own page only.")
        return await handler(request)

    async def _static(self, request: web.Request) -> web.Response:
        name, kind = _STATIC[request.path]
        body = resources.files("bot.sandbox").joinpath("static", name).read_bytes()
        return web.Response(body=body, content_type=kind, charset="utf-8", headers=_HEADERS)

    async def _state(self, request: web.Request) -> web.Response:
        return web.json_response(
            {
                "now": self._clock.now(),
                "behind": round(self._clock.behind) if self._clock.behind > 2 else 0,
                "server": self._world.guild.name,
                "people": [{"id": str(person.id), "name": person.user.global_name} for person in self._world.people],
                "places": [place.as_json() for place in self._world.places()],
                "phones": self._phones.as_json(),
            },
            headers=_HEADERS,
        )

    async def _skip(self, request: web.Request) -> web.Response:
        try:
            seconds = float((await request.json())["seconds"])
        except (KeyError, TypeError, ValueError):
            raise web.HTTPBadRequest(text="How many seconds?") from None
        if not 0 < seconds <= LONGEST_SKIP:
            raise web.HTTPBadRequest(text="Time goes forward, and by at most a month at once.")
        self._clock.skip(seconds)
        return web.json_response({"behind": self._clock.behind}, headers=_HEADERS)
