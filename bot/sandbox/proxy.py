"""Passes the pages of simcord's Preview on to the browser.

A Preview shows one channel, refuses to be shown in a frame, and has a password in its address. The sandbox, however, shows any
channel to any person, several side by side. So the browser talks only to the sandbox, and this proxy forwards its requests:

- Preview's own pages send the password. The sandbox's pages send their person and place instead: `<person>.<place>`. The
  password never leaves this process. The proxy remembers a page's person and place by the page's id.
- Requests that change the simulated world are forwarded one at a time, and the other pages are updated before the response.
- Preview refuses a click on a page that was updated since the browser last requested it. If the clicked button is still there,
  the click is still what the person means, so it is forwarded again.
"""

import asyncio
import json
from typing import Any, Final, Self

import aiohttp
import structlog
from aiohttp import web
from simcord.builders import ChannelHandle
from simcord.preview import Preview

from bot.sandbox.world import World

log = structlog.get_logger(__name__)

WHO: Final = "X-Simcord-Capability"
PAGE: Final = "X-Simcord-Context"
BOUND_TO_MESSAGE: Final = frozenset({"click", "select"})
REFUSED: Final = frozenset({"close", "viewer"})
"""Requests of Preview's page that the sandbox does not forward, to close the Preview and to change the viewer."""
_DROPPED_HEADERS: Final = frozenset(
    {"connection", "content-encoding", "content-length", "date", "server", "transfer-encoding", "x-frame-options"}
)
_FRAME_ASSETS: Final = (
    b'<link rel="stylesheet" href="/sandbox/frame.css"><script type="module" src="/sandbox/frame.js"></script></head>'
)
_WITHOUT_FONTS: Final = b"font-display: block", b"font-display: swap"
"""Preview shows no words until its fonts, some megabytes, are loaded. Until then, the sandbox shows words in other fonts."""


class PreviewProxy:
    """The proxy between the browser and one Preview, as an async context manager. `gate` locks the simulated world."""

    def __init__(self, preview: Preview, world: World, gate: asyncio.Lock) -> None:
        self._preview = preview
        self._world = world
        self._gate = gate
        address, _, self._password = preview.url.partition("#")
        self._origin = address.rstrip("/")
        self._session: aiohttp.ClientSession | None = None
        self._pages: dict[str, tuple[int, ChannelHandle]] = {}
        self._sent: dict[str, bytes] = {}
        self._shown = -1

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=120))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    def add_to(self, app: web.Application) -> None:
        """Add the routes that Preview's own pages request."""
        app.router.add_get("/view", self.page)
        app.router.add_post("/api/pages", self.open)
        app.router.add_get("/api/state", self.state)
        app.router.add_post("/api/action", self.action)
        app.router.add_route("*", "/{rest:.*}", self.rest)

    async def page(self, request: web.Request) -> web.Response:
        """Return Preview's page, with a style sheet and a script that fit it into a frame."""
        answer = await self._forward(request, path="/")
        assert isinstance(answer.body, bytes)
        answer.body = answer.body.replace(b"</head>", _FRAME_ASSETS)
        return answer

    async def open(self, request: web.Request) -> web.Response:
        """Open a page for the person and the place that the browser names."""
        try:
            who, _, where = request.headers.get(WHO, "").partition(".")
            user_id, channel = int(who), self._world.channel(int(where))
            self._world.person(user_id)
        except (KeyError, ValueError):
            raise web.HTTPNotFound(text="There is no such person or place.") from None
        async with self._gate:
            self._point_at(user_id, channel)
            answer = await self._forward(request, body=json.dumps({"viewer_id": str(user_id)}).encode())
        if answer.status == web.HTTPOk.status_code:
            assert isinstance(answer.body, bytes)
            self._pages[json.loads(answer.body)["context"]["id"]] = (user_id, channel)
        return answer

    async def state(self, request: web.Request) -> web.Response:
        """Return a page's content, which is remembered in order to know what people saw when they clicked."""
        answer = await self._forward(request)
        assert isinstance(answer.body, bytes)
        if answer.status == web.HTTPOk.status_code:
            self._sent[request.headers.get(PAGE, "")] = answer.body
        return answer

    async def action(self, request: web.Request) -> web.Response:
        """Carry out a person's action on a page."""
        page = request.headers.get(PAGE, "")
        whose = self._pages.get(page)
        if whose is None:
            raise web.HTTPGone(text="This page is no longer open.")
        body = await request.read()
        asked = _json(body)
        if asked.get("kind") in REFUSED:
            raise web.HTTPForbidden(text="The sandbox does this by itself.")
        async with self._gate:
            self._point_at(*whose)
            answer = await self._forward(request, body=body)
            said = _json(answer.body)
            stale = said.get("rejected") and any(one.get("code") == "stale-revision" for one in said.get("diagnostics") or [])
            if stale and (still := await self._still_there(request, page, asked)) is not None:
                body = json.dumps({**still, "published_revision": said["revision"]}).encode()
                answer = await self._forward(request, body=body)
            await self.catch_up()
        return answer

    async def rest(self, request: web.Request) -> web.Response:
        """Forward requests that only read, and requests to close a page."""
        if request.method not in {"GET", "HEAD", "DELETE"}:
            raise web.HTTPMethodNotAllowed(request.method, ["GET", "HEAD", "DELETE"])
        if request.method == "DELETE":
            self._pages.pop(request.headers.get(PAGE, ""), None)
            self._sent.pop(request.headers.get(PAGE, ""), None)
        try:
            answer = await self._forward(request)
            if request.path == "/preview.css":
                assert isinstance(answer.body, bytes)
                answer.body = answer.body.replace(*_WITHOUT_FONTS)
            return answer
        except aiohttp.ServerDisconnectedError:  # Preview has closed the page meanwhile, as a browser does that is closed
            raise web.HTTPBadGateway(text="This page is no longer open.") from None

    def _point_at(self, user_id: int, channel: ChannelHandle) -> None:
        """Point the Preview at a place. Direct messages have only one viewer."""
        self._preview.channel = channel
        direct = channel.guild is None
        self._preview.viewers = (self._world.viewer(user_id, channel),) if direct else self._world.people

    async def catch_up(self) -> None:
        """Update all pages if anything has happened since the last update. The caller holds the lock."""
        if self._event_count == self._shown:
            return
        try:
            await self._preview.refresh()
        except TimeoutError as error:
            log.warning("the bot is still busy", error=str(error).splitlines()[0])
        self._shown = self._event_count

    @property
    def _event_count(self) -> int:
        return len(self._preview.env.backend.transcript)

    async def _still_there(self, request: web.Request, page: str, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Return what a person asked for, in terms of the present page, or None if the button's custom_id is gone from it."""
        if asked.get("kind") not in BOUND_TO_MESSAGE:
            return asked
        now = _json((await self._forward(request, path="/api/state", method="GET")).body)
        then = _json(self._sent.get(page))
        clicked, key = str(asked.get("target_id")), asked.get("control_key")
        before, after = (_controls(state.get("messages", {}).get(clicked)) for state in (then, now))
        meant = before.get(str(key))
        found = key if after.get(str(key)) == meant else next((one for one, does in after.items() if does == meant), None)
        return None if meant is None or found is None else {**asked, "control_key": found}

    async def _forward(
        self, request: web.Request, *, path: str | None = None, method: str | None = None, body: bytes | None = None
    ) -> web.Response:
        """Forward a request to the Preview, with its password, and return the response."""
        assert self._session is not None
        kept = {name: request.headers[name] for name in (PAGE, "Content-Type") if name in request.headers}
        async with self._session.request(
            method or request.method,
            self._origin + (path or request.raw_path),
            data=body,
            headers={**kept, WHO: self._password},
        ) as answer:
            headers = {name: value for name, value in answer.headers.items() if name.lower() not in _DROPPED_HEADERS}
            if request.path.startswith("/fonts/"):
                headers["Cache-Control"] = "private, max-age=86400"  # some megabytes, requested by every window
            policy = headers.get("Content-Security-Policy", "")
            headers["Content-Security-Policy"] = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
            return web.Response(status=answer.status, body=await answer.read(), headers=headers)


def _json(body: Any) -> dict[str, Any]:
    """Return a JSON object. It is empty if the body is anything else, such as an upload."""
    try:
        value = json.loads(body) if isinstance(body, bytes) else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _controls(shown: Any) -> dict[str, str]:
    """Return what a message's buttons and menus do, by key."""
    found: dict[str, str] = {}
    if isinstance(shown, list):
        for part in shown:
            found |= _controls(part)
    elif isinstance(shown, dict):
        if "control_key" in shown:
            found[str(shown["control_key"])] = str(shown.get("custom_id"))
        for name in ("components", "accessory"):
            found |= _controls(shown.get(name))
    return found
