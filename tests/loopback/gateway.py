"""The gateway: the websocket on which the bot learns what happens."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

DISPATCH, BEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, BEAT_HEARD = 0, 1, 2, 6, 7, 9, 10, 11

NEVER: Final = 10**9
"""Milliseconds between two heartbeats: the clock of a test may leap, and the bot's heartbeats do not leap with it."""


@dataclass
class Session:
    """A session: what was sent in it, so that it can be resumed."""

    id: str = field(default_factory=lambda: secrets.token_hex(8))
    sent: list[dict[str, Any]] = field(default_factory=list)


class Gateway:
    """The websocket for one bot.

    Args:
        welcome: what READY says, and the servers that come after it.
        beats: the milliseconds between two heartbeats of the bot.

    Attributes:
        address: under which it can be reached.
        ready: set while the bot is connected and has a session.
        identified, resumed: how often that was done.
        refusing: whether nobody is let in.
    """

    def __init__(self, welcome: Callable[[], tuple[dict[str, Any], list[dict[str, Any]]]], beats: int = NEVER) -> None:
        self.address = ""
        self.ready = asyncio.Event()
        self.identified = self.resumed = 0
        self.refusing = False
        self.lost = asyncio.Event()
        self._welcome = welcome
        self._beats = beats
        self._session: Session | None = None
        self._socket: web.WebSocketResponse | None = None
        self._sending: set[asyncio.Task[None]] = set()

    def emit(self, event: str, data: dict[str, Any]) -> None:
        """Tell the bot of something. While it is away it is told when it resumes its session; without one, never."""
        if self._session is not None:
            packet = {"op": DISPATCH, "t": event, "d": data, "s": len(self._session.sent) + 1}
            self._session.sent.append(packet)
            if self.ready.is_set():
                self._send(packet)

    async def drop(self, *, forget: bool = False) -> None:
        """Cut the connection. `forget`: the session cannot be resumed either."""
        if forget:
            self._session = None
        if self._socket is not None:
            await self._socket.close(code=4000)

    def _send(self, packet: dict[str, Any]) -> None:
        socket = self._socket
        assert socket is not None
        task = asyncio.get_running_loop().create_task(self._write(socket, packet))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _write(self, socket: web.WebSocketResponse, packet: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError):  # the bot has gone; if it comes back, it resumes
            await socket.send_str(json.dumps(packet))

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Speak to a bot that connects, until it goes."""
        if self.refusing:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": self._beats}})
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._hear(socket, json.loads(message.data))
        finally:
            if self._socket is socket:
                self._socket = None
                self.ready.clear()
                self.lost.set()
        return socket

    async def _hear(self, socket: web.WebSocketResponse, packet: dict[str, Any]) -> None:
        data = packet.get("d")
        if packet["op"] == BEAT:
            await socket.send_json({"op": BEAT_HEARD})
        elif packet["op"] == IDENTIFY:
            await self._begin(socket)
        elif packet["op"] == RESUME and isinstance(data, dict):
            await self._resume(socket, data)

    async def _begin(self, socket: web.WebSocketResponse) -> None:
        self.identified += 1
        ready, guilds = self._welcome()
        session = self._session = Session()
        more = {"session_id": session.id, "resume_gateway_url": self.address, "v": 10}
        events = [("READY", ready | more), *(("GUILD_CREATE", guild) for guild in guilds)]
        session.sent += [{"op": DISPATCH, "t": name, "d": data, "s": i + 1} for i, (name, data) in enumerate(events)]
        await self._take_up(socket, session, 0)

    async def _resume(self, socket: web.WebSocketResponse, data: dict[str, Any]) -> None:
        session = self._session
        if session is None or session.id != data["session_id"]:
            await socket.send_json({"op": INVALID, "d": False})
            return
        self.resumed += 1
        session.sent.append({"op": DISPATCH, "t": "RESUMED", "d": {}, "s": len(session.sent) + 1})
        await self._take_up(socket, session, int(data["seq"] or 0))

    async def _take_up(self, socket: web.WebSocketResponse, session: Session, heard: int) -> None:
        """Send what the bot has not heard yet. What happens meanwhile comes after it."""
        self._socket = socket
        while heard < len(session.sent):
            await socket.send_str(json.dumps(session.sent[heard]))
            heard += 1
        self.ready.set()
        self.lost.clear()
