"""A world in virtual time: the loopback with a server and people, and the bot in this process."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest import mock

import structlog
from PIL import Image

from bot.app import Springboard, make_client
from bot.messages.pictures import CACHE
from bot.runtime import metrics
from loopback.connecting import pointed_to
from loopback.faults import Fault, Route, Rule
from loopback.guilds import Guild
from loopback.model import Channel, Person
from loopback.server import Loopback
from renderers import RENDERERS
from storage.store import Store
from tests.bot.command_line import TOKEN
from tests.bot.kit import registered_once
from tests.loopback.people import People
from tests.opening import have_open

have_open()

CLIENT_OPTIONS: Final[dict[str, Any]] = {
    "guild_ready_timeout": 0.05, "heartbeat_timeout": float(1 << 40), "beat_every": 6 * 3600.0,
}  # fmt: skip
"""Options for a clock that skips hours: the gateway's silence is no reason to give it up, and heartbeats are rare."""


@dataclass
class LoopbackWorld:
    """Everything at hand.

    Attributes:
        chief: somebody who may manage the server. The others are members.
        client: the running bot.
        logs: what it logged, and errors logged by discord.py and asyncio.
    """

    loopback: Loopback
    people: People
    folder: Path
    logs: list[Any]
    guild: Guild
    channel: Channel
    ann: Person
    ben: Person
    cleo: Person
    chief: Person
    _opened: contextlib.AsyncExitStack = field(default_factory=contextlib.AsyncExitStack)
    client: Springboard = field(init=False)

    @property
    def database(self) -> Path:
        return self.folder / "springboard.sqlite3"

    def now(self) -> float:
        return self.loopback.discord.now()

    async def start(self) -> None:
        """Start the bot, and wait until it is ready."""
        self.client = await self._start(self.database)

    async def start_rival(self) -> Springboard:
        """Start another bot with the same token, over a database of its own."""
        return await self._start(self.folder / "rival.sqlite3")

    async def _start(self, database: Path) -> Springboard:
        store = await Store.open(database, timed=metrics.observe_transaction)
        self._opened.push_async_callback(store.close)
        client = make_client(store, now=self.now, **CLIENT_OPTIONS)
        working = asyncio.create_task(client.start(TOKEN))
        self._opened.push_async_callback(asyncio.wait, {working})
        self._opened.push_async_callback(client.close)
        ready = asyncio.create_task(self.loopback.gateway.ready.wait())
        await asyncio.wait({working, ready}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
        await client.wait_until_ready()
        return client

    async def stop(self) -> None:
        await self._opened.aclose()

    def goes_wrong(self, route: Route, fault: Fault, times: int | None = None, **more: Any) -> Rule:
        """From now on a fault hits calls to a route."""
        rule = Rule(route, fault, times, **more)
        self.loopback.rules.append(rule)
        return rule

    def all_well(self) -> None:
        self.loopback.rules.clear()

    def errors(self) -> list[Any]:
        return [one for one in self.logs if one["log_level"] in ("error", "critical")]


class _Errors(logging.Handler):
    """Records errors that libraries log, such as uncaught exceptions."""

    def __init__(self, logs: list[Any]) -> None:
        super().__init__(logging.ERROR)
        self._logs = logs

    def emit(self, record: logging.LogRecord) -> None:
        text = logging.Formatter().format(record)
        self._logs.append({"log_level": "error", "event": text, "logger": record.name})


def _blank(view: Any, scene: Any) -> Image.Image:
    """Draw nothing: the looks of pictures are not tested here, and drawing is slow."""
    return Image.new("RGB", (512, 512))  # more than the edge and the strip, which posters leave out


@contextlib.contextmanager
def nothing_drawn() -> Iterator[None]:
    blank = {game: replace(real, draw=_blank, hand=real.hand and _blank) for game, real in RENDERERS.items()}
    with mock.patch.dict(RENDERERS, blank):
        CACHE.clear()
        try:
            yield
        finally:
            CACHE.clear()


@contextlib.asynccontextmanager
async def a_loopback_world(folder: Path, *, started: bool = True) -> AsyncIterator[LoopbackWorld]:
    """A world with a new database and, if `started`, a running bot."""
    loop = asyncio.get_running_loop()
    ahead = time.time() - loop.time()
    logs: list[Any]
    with (
        TemporaryDirectory() as place,  # pytest's own folders have too long names for a socket
        structlog.testing.capture_logs([structlog.processors.format_exc_info]) as logs,
        registered_once(),
    ):
        socket = Path(place) / "discord"
        handler = _Errors(logs)
        logging.getLogger().addHandler(handler)
        try:
            async with Loopback(lambda: loop.time() + ahead, socket=socket) as loopback:
                discord = loopback.discord
                guild = discord.guild("Bounce Club")
                ann, ben, cleo = (discord.person(name) for name in ("Ann", "Ben", "Cleo"))
                chief = discord.person("Chief", manages=True)
                channel = discord.channel(guild, "games")
                world = LoopbackWorld(loopback, People(loopback), folder, logs, guild, channel, ann, ben, cleo, chief)
                with pointed_to(discord.base, socket):
                    try:
                        if started:
                            await world.start()
                        yield world
                    finally:
                        await world.stop()
        finally:
            logging.getLogger().removeHandler(handler)
