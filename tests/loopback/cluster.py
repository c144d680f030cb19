"""Several bots on one PostgreSQL and one loopback Discord with many shards: started, killed, frozen, stopped."""

import asyncio
import contextlib
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp

from loopback.faults import CALLBACKS, Call
from loopback.server import Loopback
from tests.loopback.successive_bots import Died, ForkServer
from tests.pgbouncer import free_port

ANSWERS: Final = frozenset(CALLBACKS.values())
LOOK_EVERY: Final = 0.02
"""Seconds between two looks at who runs which shard."""
STRUCK_WITHIN: Final = 1.0
"""Seconds for a bot to make the call at which it is to be killed. Then it is killed anyway."""
STARTS_WITHIN: Final = 600.0
"""Seconds after a stop of the database in which a bot may end because it could not start."""
LATE_FOR: Final = 10.0
"""Seconds after thawing in which a bot's calls for shards that others have taken over are counted."""


@dataclass(eq=False)
class Blow:
    """Something that happened to a bot or the database, and its consequences.

    Attributes:
        process: the bot, or None for all of them.
        at: when, by Discord's clock.
        shards: those that had to be taken over.
        connected: seconds until a living bot was connected, by shard.
        answered: seconds until a living bot answered something done afterwards, by shard.
    """

    kind: str
    process: int | None
    at: float
    shards: tuple[int, ...]
    connected: dict[int, float] = field(default_factory=dict)
    answered: dict[int, float] = field(default_factory=dict)

    @property
    def open(self) -> tuple[int, ...]:
        return tuple(shard for shard in self.shards if shard not in self.answered)


class Cluster:
    """Bots in places: whoever is killed has a successor.

    Args:
        count: how many.
        options: for `bot.process.serve`.

    Attributes:
        log: the output of all of them.
        places: the process id in each place, if any.
        frozen: the frozen ones among them.
        late: calls by thawed bots for shards that others had taken over.
        refused: how many writes the database refused to thawed bots, since others had taken over.
    """

    def __init__(
        self, loopback: Loopback, database: str, folder: Path, count: int = 3, options: Mapping[str, Any] | None = None
    ) -> None:
        self.loopback, self.database = loopback, database
        self.log = folder / "bots.log"
        self.places: list[int | None] = [None] * count
        self.frozen: set[int] = set()
        self.late: Counter[str] = Counter()
        self.refused = 0
        self._gone = 0.0
        self._ports: dict[int, int] = {}
        self._refused_before: dict[int, int] = {}
        self._options = dict(options or {})
        self._fork_server = ForkServer()
        self._blows: list[Blow] = []
        self._doomed: tuple[int, str, asyncio.Event] | None = None
        self._thawed: dict[int, tuple[float, frozenset[int]]] = {}

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[None]:
        """The forking process exists in this block, and no bot outlives it."""
        self.loopback.before, self.loopback.after = self._before, self._after
        async with self._fork_server:
            try:
                yield
            finally:
                for pid in self.places:
                    if pid is not None:
                        os.kill(pid, signal.SIGKILL)

    @property
    def living(self) -> frozenset[int]:
        return frozenset(pid for pid in self.places if pid is not None and pid not in self.frozen)

    async def start(self, place: int) -> None:
        port, shards = free_port(), len(self.loopback.gateway.lines)
        pid = await self._fork_server.ask(
            start=self.loopback.discord.base, database=self.database, log=str(self.log), options=self._options,
            environment={"SPRINGBOARD_SHARDS": f"total:{shards}", "SPRINGBOARD_HTTP": f"127.0.0.1:{port}"},
        )  # fmt: skip
        assert pid is not None
        self.places[place], self._ports[pid] = pid, port

    def port_of(self, pid: int) -> int:
        return self._ports[pid]

    async def refused_to(self, pid: int) -> int:
        """How many writes the database refused a bot since its start, from its metrics."""
        async with aiohttp.ClientSession() as session:
            answer = await session.get(f"http://127.0.0.1:{self._ports[pid]}/metrics")
            lines = (await answer.text()).splitlines()
        return sum(int(float(line.split()[-1])) for line in lines if line.startswith("springboard_writes_refused_total"))

    async def look(self) -> None:
        """Restart a bot that could not start without the database. Raise Died if one ended otherwise."""
        for place, pid in enumerate(self.places):
            if pid is None or (status := await self._fork_server.ask(look=pid)) is None:
                continue
            self.places[place] = None
            if self.loopback.discord.now() - self._gone > STARTS_WITHIN:
                raise Died(f"status {status}:\n{self.log.read_text()[-4000:]}")
            await self.start(place)

    def gone(self) -> None:
        """The database is about to stop: whoever is starting will fail."""
        self._gone = self.loopback.discord.now()

    def _blow(self, kind: str, pid: int | None) -> Blow:
        lines = enumerate(self.loopback.gateway.lines)
        shards = tuple(shard for shard, line in lines if pid is None or line.process == pid)
        blow = Blow(kind, pid, self.loopback.discord.now(), shards)
        self._blows.append(blow)
        return blow

    async def kill(self, place: int, way: str) -> Blow:
        """Kill a bot with SIGKILL ``before`` or ``after`` its next call to Discord is carried out, or ``now``."""
        pid = self.places[place]
        assert pid is not None
        if way != "now":
            struck = asyncio.Event()
            self._doomed = pid, way, struck
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(struck.wait(), STRUCK_WITHIN)
            self._doomed = None
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        blow = self._blow("killed", pid)
        self.places[place] = None
        await self._fork_server.ended(pid)
        return blow

    async def freeze(self, place: int) -> Blow:
        pid = self.places[place]
        assert pid is not None
        self._refused_before[pid] = await self.refused_to(pid)
        os.kill(pid, signal.SIGSTOP)
        self.frozen.add(pid)
        return self._blow("frozen", pid)

    def thaw(self, blow: Blow) -> None:
        assert blow.process is not None
        lost = frozenset(shard for shard in blow.shards if self.loopback.gateway.lines[shard].process != blow.process)
        self._thawed[blow.process] = self.loopback.discord.now(), lost
        self.frozen.discard(blow.process)
        os.kill(blow.process, signal.SIGCONT)

    async def settled(self, blow: Blow) -> None:
        """Record what was refused to a bot that was thawed a while ago."""
        assert blow.process is not None
        self.refused += await self.refused_to(blow.process) - self._refused_before[blow.process]

    async def stop(self, place: int) -> tuple[Blow, int]:
        """Ask a bot to stop, and wait. Returns its exit status, too."""
        pid = self.places[place]
        assert pid is not None
        blow = self._blow("stopped", pid)
        os.kill(pid, signal.SIGTERM)
        while (status := await self._fork_server.ask(look=pid)) is None:
            await asyncio.sleep(LOOK_EVERY)
        self.places[place] = None
        return blow, status

    def back(self) -> Blow:
        """The database can be reached again, and all shards must be served."""
        return self._blow("database back", None)

    async def taken_over(self, blow: Blow, within: float) -> bool:
        """Wait until living bots serve all shards that a blow hit."""
        until = self.loopback.discord.now() + within
        while blow.open and self.loopback.discord.now() < until:
            self._look(blow)
            await asyncio.sleep(LOOK_EVERY)
        self._look(blow)
        self._blows.remove(blow)
        return not blow.open

    def _look(self, blow: Blow) -> None:
        living = self.living
        for shard in blow.shards:
            line = self.loopback.gateway.lines[shard]
            came = line.since - blow.at
            known = blow.process is None or came > 0
            if shard not in blow.connected and line.ready.is_set() and line.process in living and known:
                blow.connected[shard] = max(0.0, came)

    def _before(self, call: Call) -> None:
        thawed = self._thawed.get(call.process or 0)
        shard = self._shard_of(call) if thawed is not None and call.at - thawed[0] < LATE_FOR else None
        if thawed is not None and shard in thawed[1] and self.loopback.gateway.lines[shard].process != call.process:
            self.late[str(call.route)] += 1
        self._strike(call, "before")

    def _after(self, call: Call) -> None:
        self._strike(call, "after")
        parts = call.path.split("/")
        found = self.loopback.discord.interactions.get(parts[3]) if call.route in ANSWERS else None
        if found is None or found.calls[-1] != (call.route, 200) or call.process not in self.living:
            return
        shard, now = self._shard(self.loopback.discord.channels[found.channel_id].guild_id), self.loopback.discord.now()
        for blow in self._blows:
            if shard in blow.open and found.made > blow.at:
                blow.answered[shard] = now - blow.at

    def _strike(self, call: Call, way: str) -> None:
        if self._doomed is not None and self._doomed[:2] == (call.process, way):
            os.kill(self._doomed[0], signal.SIGKILL)
            self._doomed[2].set()
            self._doomed = None

    def _shard(self, guild_id: int | None) -> int:
        return 0 if guild_id is None else (guild_id >> 22) % len(self.loopback.gateway.lines)

    def _shard_of(self, call: Call) -> int | None:
        """The shard of a call about a server's channel."""
        parts = call.path.split("/")
        channel = self.loopback.discord.channels.get(int(parts[2])) if parts[1] == "channels" else None
        return None if channel is None or channel.guild_id is None else self._shard(channel.guild_id)

    def served_twice(self) -> dict[int, frozenset[int]]:
        """Shards whose events more than one process gets."""
        told: dict[int, set[int]] = {}
        for session in self.loopback.gateway.sessions:
            if session.live and session.process is not None and session.process not in self.frozen:
                told.setdefault(session.shard, set()).add(session.process)
        return {shard: frozenset(processes) for shard, processes in told.items() if len(processes) > 1}
