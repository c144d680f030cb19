"""The gateway: one websocket per shard, which carries events to the bot."""

import asyncio
import contextlib
import json
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import WSMsgType, web

DISPATCH, BEAT, IDENTIFY, RESUME, RECONNECT, ASK_MEMBERS, INVALID, HELLO, BEAT_HEARD = 0, 1, 2, 6, 7, 8, 9, 10, 11

ASKED_AT_ONCE: Final = 100
"""The most members that one request may ask about."""
NEVER: Final = 10**9
"""A time between heartbeats, in milliseconds, that never passes: heartbeats do not follow the clock of a test that skips
hours."""
ON_THE_WAY: Final = 0.02
"""Seconds that pass before a heartbeat is answered."""
RESUMABLE_FOR: Final = 60.0
"""Seconds for which a session can be resumed after its connection is lost."""
IDENTIFY_EVERY: Final = 5.0
"""Seconds that must pass between two IDENTIFYs in one bucket."""
A_DAY: Final = 86_400.0
RENEWED, SHARD_MISSING = 4000, 4010
"""Close codes: the first says that a newer connection took over, the second that there is no such shard."""
FOR_GOOD: Final = frozenset({1000, 1001})
"""The close codes with which a bot ends its whole session, and not only the connection."""
_PROCESS: Final = re.compile(r" process/(\d+)")


def process_of(request: web.Request) -> int | None:
    """Return the process that a request names, or None if it names none (see `connecting.signed`)."""
    match = _PROCESS.search(request.headers.get("User-Agent", ""))
    return None if match is None else int(match[1])


@dataclass(eq=False)
class Session:
    """A session of shard `shard` out of `of` shards. `process` is the bot's process that connected it last.

    `sent` has every packet of the session. The session is `live` from when its connection has received all of them until that
    connection is lost. `lost_at` is the time of the loss by the gateway's clock, or None while there is a connection.
    """

    shard: int
    of: int
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    sent: list[dict[str, Any]] = field(default_factory=list)
    socket: web.WebSocketResponse | None = None
    process: int | None = None
    live: bool = False
    lost_at: float | None = None

    def keep(self, event: str, data: dict[str, Any]) -> dict[str, Any]:
        """Add an event, and return its packet."""
        self.sent.append({"op": DISPATCH, "t": event, "d": data, "s": len(self.sent) + 1})
        return self.sent[-1]

    def covers(self, guild_id: int | None) -> bool:
        """Whether the session gets a server's events. Only the first shard gets those that belong to no server (None)."""
        return self.shard == (0 if guild_id is None else (guild_id >> 22) % self.of)


@dataclass(eq=False)
class Line:
    """The state of a shard, which was last connected by `process`, at the time `since` by the gateway's clock.

    `ready` is set while the shard is connected. `lost` is set from the loss of its connection until the shard is back.
    """

    ready: asyncio.Event = field(default_factory=asyncio.Event)
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    process: int | None = None
    since: float = 0.0


class Gateway:
    """The websockets for one bot.

    Args:
        welcome: returns the data of READY, and the servers that follow it.
        beats: milliseconds between the bot's heartbeats.
        shards: the number of shards that is recommended to the bot, and expected of it.
        identify_every: seconds that must pass between two IDENTIFYs in one of `concurrency` buckets, or zero for no limit.
        resumable_for: seconds for which a session can be resumed after its connection is lost.
        chunk: answers a request for members.

    Attributes:
        ready: set while all expected shards (`lines`) are connected. `lost` is set from when one is lost until all are back.
        invalidated: how many sessions the bot tried to resume in vain.
        starts: the times at which sessions began in the last day. If IDENTIFYs are limited, `starts_a_day` is the most allowed.
        breaches: what the bot did that Discord does not allow.
        refusing: whether new connections are turned away.
        asked: the ids in each request for members. While `deaf`, the gateway leaves these requests unanswered.
    """

    def __init__(
        self,
        welcome: Callable[[Callable[[int], bool]], tuple[dict[str, Any], list[dict[str, Any]]]],
        beats: int = NEVER,
        *,
        shards: int = 1,
        identify_every: float = 0.0,
        concurrency: int = 1,
        resumable_for: float = RESUMABLE_FOR,
        clock: Callable[[], float] = time.monotonic,
        chunk: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    ) -> None:
        self.address = ""
        self.lines = [Line() for _ in range(shards)]
        self.ready = self.lines[0].ready if shards == 1 else asyncio.Event()
        self.lost = self.lines[0].lost if shards == 1 else asyncio.Event()
        self.identified = self.resumed = self.invalidated = 0
        self.starts: list[float] = []
        self.starts_a_day = 1000
        self.breaches: list[str] = []
        self.refusing = False
        self.asked: list[list[int]] = []
        self.deaf = False
        self._chunk = chunk
        self.identify_every, self.concurrency, self.resumable_for = identify_every, concurrency, resumable_for
        self._welcome = welcome
        self._beats = beats
        self._clock = clock
        self._identified: dict[int, float] = {}
        self._sessions: dict[str, Session] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def sessions(self) -> list[Session]:
        """The sessions that are connected or can be resumed."""
        since = self._clock() - self.resumable_for
        self._sessions = {
            one.id: one for one in self._sessions.values() if one.lost_at is None or one.lost_at >= since
        }  # fmt: skip
        return list(self._sessions.values())

    def line(self, guild_id: int | None) -> Line:
        """Return the shard that gets the events of a server, or the first shard for None."""
        return self.lines[0 if guild_id is None else (guild_id >> 22) % len(self.lines)]

    def recommended(self) -> dict[str, Any]:
        """Return the answer to GET /gateway/bot."""
        self._let_go_of_yesterday()
        oldest = self.starts[0] + A_DAY - self._clock() if self.starts else 0.0
        limit = {"total": self.starts_a_day, "remaining": max(0, self.starts_a_day - len(self.starts)),
                 "reset_after": int(oldest * 1000), "max_concurrency": self.concurrency}  # fmt: skip
        return {"url": self.address, "shards": len(self.lines), "session_start_limit": limit}

    def emit(self, event: str, data: dict[str, Any]) -> None:
        """Send the bot an event, or keep it until the session is resumed."""
        guild = data.get("id") if event.startswith("GUILD_") and "guild_id" not in data else data.get("guild_id")
        for session in self.sessions:
            if session.covers(None if guild is None else int(guild)):
                packet = session.keep(event, data)
                if session.live and session.socket is not None:
                    self._do(self._write(session.socket, packet))

    async def drop(self, *, forget: bool = False, shard: int | None = None) -> None:
        """Cut all connections, or one shard's. With `forget`, the sessions cannot be resumed."""
        for session in self.sessions:
            if shard is not None and session.shard != shard:
                continue
            if forget:
                del self._sessions[session.id]
            if (socket := session.socket) is not None:
                self._hung_up(session, RENEWED)  # the bot did not end it, whatever code it answers with
                await socket.close(code=RENEWED)

    def _do(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, socket: web.WebSocketResponse, packet: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError):  # the bot has gone; if it comes back, it resumes
            await socket.send_str(json.dumps(packet))

    async def _answer_beat(self, socket: web.WebSocketResponse) -> None:
        await asyncio.sleep(ON_THE_WAY)  # discord.py notes the time of a heartbeat only after sending it
        await self._write(socket, {"op": BEAT_HEARD})

    def ask_for_beats(self) -> None:
        """Ask for a heartbeat in each session at once, as Discord may."""
        for session in self.sessions:
            if session.live and session.socket is not None:
                self._do(self._write(session.socket, {"op": BEAT, "d": None}))

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Talk to a bot until it closes the connection."""
        if self.refusing:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        session: Session | None = None
        try:
            await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": self._beats}})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    session = await self._hear(socket, json.loads(message.data), process_of(request)) or session
        except ConnectionError:
            pass  # the bot's process has died meanwhile
        finally:
            if session is not None and session.socket is socket:
                self._hung_up(session, socket.close_code)
        return socket

    def _hung_up(self, session: Session, code: int | None) -> None:
        session.socket, session.live, session.lost_at = None, False, self._clock()
        if code in FOR_GOOD:
            self._sessions.pop(session.id, None)
        if session.of != len(self.lines):
            return
        line = self.lines[session.shard]
        if not any(other.live and (other.shard, other.of) == (session.shard, session.of) for other in self.sessions):
            line.ready.clear()
            line.lost.set()
            self.ready.clear()
            self.lost.set()

    async def _hear(self, socket: web.WebSocketResponse, packet: dict[str, Any], process: int | None) -> Session | None:
        """Handle a packet. Return the session if the packet began or resumed one."""
        data = packet.get("d")
        if packet["op"] == BEAT:
            self._do(self._answer_beat(socket))
        elif packet["op"] == ASK_MEMBERS:
            await self._tell_members(socket, data or {})
        elif packet["op"] == IDENTIFY:
            shard, of = (data or {}).get("shard") or (0, 1)
            return await self._begin(socket, int(shard), int(of), process)
        elif packet["op"] == RESUME and isinstance(data, dict):
            return await self._resume(socket, data, process)
        return None

    async def _tell_members(self, socket: web.WebSocketResponse, asked: dict[str, Any]) -> None:
        """Answer a request for members. Without the privileged intent, the request must give the members' ids."""
        ids = [int(one) for one in asked.get("user_ids", [])]
        if not 0 < len(ids) <= ASKED_AT_ONCE or asked.get("query") or asked.get("presences"):
            self.breaches.append(f"a question about {len(ids)} members: {sorted(asked)}")
        self.asked.append(ids)
        session = next((one for one in self.sessions if one.socket is socket), None)
        if session is not None and self._chunk is not None and not self.deaf:
            await self._write(socket, session.keep("GUILD_MEMBERS_CHUNK", self._chunk(asked)))

    def _let_go_of_yesterday(self) -> None:
        self.starts = [at for at in self.starts if self._clock() - at < A_DAY]

    def _may_identify(self, shard: int) -> bool:
        """Whether a new session is allowed now, both by the bucket's interval and by the limit for the day."""
        if not self.identify_every:
            return True
        now, bucket = self._clock(), shard % self.concurrency
        waited = now - self._identified.get(bucket, -A_DAY)
        self._identified[bucket] = now
        if waited < self.identify_every:
            self.breaches.append(f"IDENTIFY of shard {shard}: {waited:.2f} s after another one of its bucket")
            return False
        self._let_go_of_yesterday()
        if len(self.starts) >= self.starts_a_day:
            self.breaches.append(f"IDENTIFY of shard {shard}: no session is left for today")
            return False
        return True

    async def _begin(self, socket: web.WebSocketResponse, shard: int, of: int, process: int | None) -> Session | None:
        if not 0 <= shard < of:
            await socket.close(code=SHARD_MISSING)
            return None
        if not self._may_identify(shard):
            await socket.send_json({"op": INVALID, "d": False})
            return None
        self.identified += 1
        self.starts.append(self._clock())
        session = Session(shard, of)
        self._sessions[session.id] = session
        ready, guilds = self._welcome(session.covers)
        more = {"session_id": session.id, "resume_gateway_url": self.address, "v": 10, "shard": [shard, of]}
        session.keep("READY", ready | more)
        for guild in guilds:
            session.keep("GUILD_CREATE", guild)
        await self._take_up(socket, session, 0, process)
        return session

    async def _resume(self, socket: web.WebSocketResponse, data: dict[str, Any], process: int | None) -> Session | None:
        session = next((one for one in self.sessions if one.id == data["session_id"]), None)
        heard = int(data["seq"] or 0)
        if session is None or heard > len(session.sent):
            self.invalidated += 1
            await socket.send_json({"op": INVALID, "d": False})
            return None
        self.resumed += 1
        session.keep("RESUMED", {})
        if session.socket is not None:
            self._do(session.socket.close(code=RENEWED))  # of two connections, the newer one gets the session
        await self._take_up(socket, session, heard, process)
        return session

    async def _take_up(self, socket: web.WebSocketResponse, session: Session, heard: int, process: int | None) -> None:
        """Send the bot the events that it has missed. Newer events wait until those have been sent."""
        session.socket, session.live, session.lost_at, session.process = socket, False, None, process
        try:
            while heard < len(session.sent):
                await socket.send_str(json.dumps(session.sent[heard]))
                heard += 1
        except (ConnectionError, RuntimeError):
            if session.socket is socket:
                self._hung_up(session, None)
            return
        if session.socket is not socket:
            return  # a newer connection has taken the session over meanwhile
        session.live = True
        if session.of == len(self.lines):
            line = self.lines[session.shard]
            line.process, line.since = process, self._clock()
            line.ready.set()
            line.lost.clear()
            if all(line.ready.is_set() for line in self.lines):
                self.ready.set()
                self.lost.clear()
