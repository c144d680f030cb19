"""A Discord that listens on a port or a Unix socket of this machine."""

import asyncio
import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Self

from aiohttp import web

from loopback import answers
from loopback.faults import Call, Fault, Route, Rule, kind_of, refusal, route_of
from loopback.gateway import NEVER, Gateway, process_of
from loopback.guilds import page_of
from loopback.limits import SILENT, breaches_of, lock_screen
from loopback.limits import Call as LimitedCall
from loopback.model import DIRECT, Refusal
from loopback.state import Discord, Files

Handler = Callable[[Discord, Any, Any, Files], Any]
"""A function that carries out a call. It takes Discord's state, the matched path, the body (or a GET's query), and the
files."""

HOST: Final = "localhost"
"""The host name in URLs if the loopback listens on a Unix socket."""

_PARAMETER = re.compile(r'(name|filename)="([^"]*)"')
_CHANNEL = r"/channels/(\d+)"
_ANSWER = r"/webhooks/\d+/([^/]+)/messages/([^/]+)"
HANDLERS: Final[tuple[tuple[str, str, Handler], ...]] = (
    ("POST", r"/interactions/(\d+)/([^/]+)/callback", lambda d, m, b, f: answers.callback(d, int(m[1]), m[2], b, f)),
    ("POST", r"/webhooks/\d+/([^/]+)", lambda d, m, b, f: answers.follow_up(d, m[1], b, f)),
    ("GET", _ANSWER, lambda d, m, b, f: answers.read(d, m[1], m[2])),
    ("PATCH", _ANSWER, lambda d, m, b, f: answers.edit(d, m[1], m[2], b, f)),
    ("DELETE", _ANSWER, lambda d, m, b, f: answers.delete(d, m[1], m[2])),
    ("GET", _CHANNEL + "/messages", lambda d, m, b, f: d.history(int(m[1]), b)),
    ("POST", _CHANNEL + "/messages", lambda d, m, b, f: d.send(int(m[1]), b, f)),
    ("GET", _CHANNEL + r"/messages/(\d+)", lambda d, m, b, f: d.message(int(m[1]), int(m[2]))),
    ("PATCH", _CHANNEL + r"/messages/(\d+)", lambda d, m, b, f: d.edit(int(m[1]), int(m[2]), b, f)),
    ("DELETE", _CHANNEL + r"/messages/(\d+)", lambda d, m, b, f: d.delete(int(m[1]), int(m[2]))),
    ("POST", _CHANNEL + r"/messages/(\d+)/threads", lambda d, m, b, f: d.thread(int(m[1]), b, int(m[2]))),
    ("POST", _CHANNEL + "/threads", lambda d, m, b, f: d.thread(int(m[1]), b)),
    ("PUT", _CHANNEL + r"/thread-members/(\d+)", lambda d, m, b, f: d.add_member(int(m[1]), int(m[2]))),
    ("DELETE", _CHANNEL + r"/thread-members/(\d+)", lambda d, m, b, f: d.remove_member(int(m[1]), int(m[2]))),
    ("GET", _CHANNEL + r"/thread-members/(\d+)", lambda d, m, b, f: d.thread_member(int(m[1]), int(m[2]))),
    ("GET", _CHANNEL + r"/thread-members", lambda d, m, b, f: d.thread_members(int(m[1]))),
    ("GET", _CHANNEL + r"/users/@me/threads/archived/private", lambda d, m, b, f: d.archived_threads(int(m[1]), private=True)),
    ("GET", _CHANNEL + r"/threads/archived/public", lambda d, m, b, f: d.archived_threads(int(m[1]), private=False)),
    ("POST", _CHANNEL + r"/typing", lambda d, m, b, f: d.typing(int(m[1]))),
    ("GET", _CHANNEL, lambda d, m, b, f: d.channel_payload(int(m[1]))),
    ("DELETE", _CHANNEL, lambda d, m, b, f: d.delete_channel(int(m[1]))),
    ("PATCH", _CHANNEL, lambda d, m, b, f: d.change_thread(int(m[1]), b)),
    ("GET", r"/guilds/(\d+)/threads/active", lambda d, m, b, f: d.active_threads(int(m[1]))),
    ("GET", r"/guilds/(\d+)", lambda d, m, b, f: d.guild_payload(d.joined(int(m[1])))),
    ("GET", r"/guilds/(\d+)/members/(\d+)", lambda d, m, b, f: d.member(int(m[2]), int(m[1]))),
    ("POST", r"/users/@me/channels", lambda d, m, b, f: d.direct(int(b["recipient_id"]))),
    ("PUT", r"/applications/\d+/commands", lambda d, m, b, f: d.register(b)),
    ("GET", r"/applications/\d+/commands", lambda d, m, b, f: list(d.commands.values())),
    ("GET", r"/applications/\d+/emojis", lambda d, m, b, f: {"items": list(d.emojis.all.values())}),
    ("POST", r"/applications/\d+/emojis", lambda d, m, b, f: d.emojis.create(b)),
    ("GET", r"/users/@me", lambda d, m, b, f: d.bot.user()),
    ("PATCH", r"/users/@me", lambda d, m, b, f: d.bot.edit(b)),
    ("GET", r"/users/(\d+)", lambda d, m, b, f: d.people[int(m[1])].user()),
    ("GET", r"/users/@me/guilds", lambda d, m, b, f: page_of(d.guilds.values(), b)),
    ("GET", r"/oauth2/applications/@me", lambda d, m, b, f: d.application.profile),
    ("PATCH", r"/applications/@me", lambda d, m, b, f: d.application.edit(b)),
)


class Loopback:
    """A Discord with one bot.

    Attributes:
        rules: the rules by which calls go wrong. The first rule that matches a call counts.
        breaches: sentences about what Discord would refuse, whatever is on its servers.
        before: a function that is called before each call is carried out. A test can kill the bot in it.
        after: the same, called before each call is answered.
        strange: the calls that no handler carries out.
        refused: the calls that were refused and why, without those that `rules` made go wrong.
        busiest: the most calls counted within one second. Calls that answer interactions are not counted.
        pictures: how many pictures calls have brought. `sent` is the number of bytes of all their files.

    Args:
        beats: milliseconds between the bot's heartbeats.
        globally: how many counted calls are let through per second, or None for all. `limited` is how many were not.
        socket: a Unix socket to listen on, instead of a port.
        options: for the gateway, such as its number of shards.
    """

    def __init__(
        self,
        now: Callable[[], float],
        *,
        beats: int = NEVER,
        globally: int | None = None,
        name: str = "Bot",
        socket: Path | None = None,
        **options: Any,
    ) -> None:
        self._socket = socket
        self.discord = Discord(now, self._emit, name)
        self.gateway = Gateway(self._welcome, beats, clock=now, chunk=self.discord.chunk, **options)
        self.globally, self.limited, self.busiest = globally, 0, 0
        self._counted: deque[float] = deque()
        self.rules: list[Rule] = []
        self.calls: list[Call] = []
        self.breaches: list[str] = []
        self.strange: list[str] = []
        self.refused: list[tuple[Call, Refusal]] = []
        self.before: Callable[[Call], None] = lambda _: None
        self.after: Callable[[Call], None] = lambda _: None
        self.pictures = self.sent = 0
        self.changed = asyncio.Condition()

    def _emit(self, event: str, data: dict[str, Any]) -> None:
        self.gateway.emit(event, data)

    def _welcome(self, covers: Callable[[int], bool]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        there = [guild for guild in self.discord.guilds.values() if guild.there and covers(guild.id)]
        ready = {"user": self.discord.bot.user(), "application": {"id": str(self.discord.bot.id), "flags": 0},
                 "guilds": [{"id": str(guild.id), "unavailable": True} for guild in there]}  # fmt: skip
        return ready, [self.discord.guild_payload(guild) for guild in there]

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 28)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_route("*", "/{rest:.*}", self._answer)
        self._runner = web.AppRunner(app, keepalive_timeout=1e9, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        if self._socket is None:
            await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        else:
            await web.UnixSite(self._runner, self._socket).start()
        host = HOST if self._socket else f"127.0.0.1:{self._runner.addresses[0][1]}"
        self.discord.base = f"http://{host}"
        self.gateway.address = f"ws://{host}/gateway"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.drop()
        await self._runner.cleanup()

    def count(self, *routes: Route, since: int = 0) -> int:
        """Return the number of calls to these routes, from index `since` of `calls`."""
        return sum(1 for call in self.calls[since:] if call.route in routes)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a call, or let it go wrong if a rule says so."""
        try:
            body, files = await _read(request)
        except ConnectionError:
            return web.Response()  # the bot's process died in the middle of its request
        route = self._route(request.method, request.path, body)
        call = Call(route, request.method, request.path, body, self.discord.now(), process_of(request))
        self.calls.append(call)
        self.pictures += sum(content.startswith((b"\x89PNG", b"GIF8")) for _, content in files.values())
        self.sent += sum(len(content) for _, content in files.values())
        self.before(call)
        self._hold_to_limits(call, files)
        rule = next((rule for rule in self.rules if rule.meets(call)), None)
        try:
            self._ration(call)
            if rule is not None and (refused := refusal(rule.fault, call.route)) is not None:
                raise refused
            if rule is not None and rule.fault is Fault.SILENCE:
                await asyncio.get_running_loop().create_future()  # until the bot hangs up
            if rule is None or rule.fault is Fault.RESET_AFTER:
                done = self._carry_out(call, dict(request.query) if request.method == "GET" else body, files)
        except Refusal as refused:
            self.refused += [(call, refused)] if rule is None else []
            return await self._told(call, refused.status, _refused(refused))
        if rule is not None:
            assert request.transport is not None
            request.transport.abort()
            return await self._told(call, 0, web.Response())
        return await self._told(call, 200, web.Response(status=204) if done is None else _json(done))

    async def _told(self, call: Call, status: int, response: web.Response) -> web.Response:
        """Record the result of a call, and wake everyone who waits for a change."""
        parts = call.path.split("/")
        token = parts[3] if parts[1] in ("interactions", "webhooks") and len(parts) > 3 else ""
        if token in self.discord.interactions:
            self.discord.interactions[token].calls.append((call.route, status))
        self.after(call)
        async with self.changed:
            self.changed.notify_all()
        return response

    def _route(self, method: str, path: str, body: Any) -> Route:
        route = route_of(method, path, body)
        if route is Route.SEND:
            channel = self.discord.channels.get(int(path.split("/")[2]))
            return Route.SEND_DIRECT if channel is not None and channel.kind == DIRECT else Route.SEND
        return route

    def _ration(self, call: Call) -> None:
        """Count a call, unless it answers an interaction. Raises Refusal if too many calls were made within the last second."""
        if call.path.startswith(("/interactions/", "/webhooks/")):
            return
        while self._counted and self._counted[0] <= call.at - 1:
            self._counted.popleft()
        if self.globally is not None and len(self._counted) >= self.globally:
            self.limited += 1
            after = max(0.001, self._counted[0] + 1 - call.at)
            raise Refusal(429, 0, "You are being rate limited.", retry_after=after, globally=True)
        self._counted.append(call.at)
        self.busiest = max(self.busiest, len(self._counted))

    def _carry_out(self, call: Call, body: Any, files: Files) -> Any:
        if (call.method, call.path) == ("GET", "/gateway/bot"):
            return self.gateway.recommended()
        for method, form, handler in HANDLERS:
            if method == call.method and (match := re.fullmatch(form, call.path)):
                return handler(self.discord, match, body, files)
        self.strange.append(f"{call.method} {call.path}")
        raise Refusal(501, 0, "not here")

    def _hold_to_limits(self, call: Call, files: Files) -> None:
        kind = kind_of(call.method, call.path, call.body if isinstance(call.body, dict) else {})
        sizes = tuple((name, len(content)) for name, content in files.values())
        limited = LimitedCall(call.at, kind, call.method, call.path, call.body, sizes)
        breaches = list(breaches_of(limited))
        if call.route is Route.SEND_DIRECT and not (limited.message.get("flags") or 0) & SILENT:
            breaches += lock_screen(limited.message)
        self.breaches += [f"{call.route}: {sentence}" for sentence in breaches]


def _json(body: Any, status: int = 200, **headers: str) -> web.Response:
    limits = {"X-RateLimit-Limit": "1000", "X-RateLimit-Remaining": "999", "X-RateLimit-Reset-After": "1.0"}
    return web.Response(
        body=json.dumps(body).encode(), status=status, content_type="application/json", headers=limits | headers
    )


def _refused(refused: Refusal) -> web.Response:
    if refused.retry_after is None:
        return _json(refused.body(), refused.status)
    more = {"Via": "1.1 google", "Retry-After": str(refused.retry_after), "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset-After": str(refused.retry_after),
            **({"X-RateLimit-Global": "true"} if refused.globally else {})}  # fmt: skip
    return _json(refused.body(), 429, **more)


async def _read(request: web.Request) -> tuple[Any, Files]:
    """Return the body and the files of a request."""
    kind, content = request.headers.get("Content-Type", ""), await request.read()
    if kind.startswith("application/json"):
        return json.loads(content or b"null"), {}
    if not kind.startswith("multipart/form-data"):
        return {}, {}
    files = {name: (filename, part) for name, filename, part in _parts(content, kind.partition("boundary=")[2])}
    return json.loads(files.pop("payload_json", ("", b"{}"))[1]), files


def _parts(content: bytes, boundary: str) -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, file name and content of each part of a form. aiohttp's reader takes ten times as long."""
    for part in content.split(b"--" + boundary.encode())[1:-1]:
        head, _, body = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        words = dict(_PARAMETER.findall(head.decode()))
        yield words["name"], words.get("filename", ""), body.removesuffix(b"\r\n")
