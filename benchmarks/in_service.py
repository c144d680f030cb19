"""The service and the bot, run in this process."""

import asyncio
import contextlib
import itertools
import random
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.app import make_client
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.parts import PARTS
from bot.process import SWITCH_INTERVAL
from loopback.connecting import pointed_to
from loopback.server import Loopback
from opponents.playouts import random_action
from storage.store import Store
from tests.bot.command_line import TOKEN
from tests.loopback.bot_process import GUILDS_COME_WITHIN
from tests.loopback.people import People

ANN, BEN = User(1, "Ann"), User(2, "Ben")


@contextlib.asynccontextmanager
async def service(folder: Path | None = None) -> AsyncIterator[Core]:
    """Yield the service over a database in a folder.

    Its clock goes on by a minute each time that it is looked at, so that no limit stops new tables.
    """
    minutes = itertools.count(1_767_614_400, 60)
    with TemporaryDirectory() if folder is None else contextlib.nullcontext(folder) as place:
        store = await Store.open(Path(place) / "service.sqlite3")
        try:
            yield Core(store, parts=PARTS, now=lambda: float(next(minutes)))
        finally:
            await store.close()


@contextlib.contextmanager
def switching() -> Iterator[None]:
    """Let threads take turns in this block as often as in the bot."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextlib.asynccontextmanager
async def played_here(folder: Path) -> AsyncIterator[People]:
    """Yield people in front of a bot that is ready, whose database is in a folder."""
    async with Loopback(time.time) as loopback:
        store = await Store.open(folder / "springboard.sqlite3")
        with pointed_to(loopback.discord.base):
            client = make_client(store, now=time.time, guild_ready_timeout=GUILDS_COME_WITHIN)
            working = asyncio.create_task(client.start(TOKEN))
            try:
                await loopback.gateway.ready.wait()
                await client.wait_until_ready()
                yield People(loopback)
            finally:
                await client.close()
                await asyncio.wait({working})
                await store.close()


class EndlessGame:
    """A game between Ann and Ben, who play at random. When it is over, another one begins."""

    def __init__(self, core: Core, game: str = "bouncers", guild_id: int = 1) -> None:
        self._core = core
        self._request = TableRequest(guild_id=guild_id, channel_id=1, game=game, seats=2, most_tables=1_000_000)
        self._dice = random.Random(1)
        self.snapshot: Snapshot | None = None

    async def ready(self) -> Snapshot:
        """Return the game as it is now, or a new one if it is over."""
        if self.snapshot is None or self.snapshot.playing.outcome is not None:
            opened = await self._core.service(Lobby).open(ANN, self._request)
            self.snapshot = await self._core.service(Lobby).join(opened.table.id, BEN)
        return self.snapshot

    async def act(self) -> tuple[float, float]:
        """Play an action. Return the seconds that it took, of the clock and of the processor."""
        snapshot = await self.ready()
        history = snapshot.playing
        seat = history.to_act[0]
        action = random_action(history.game, history.state, seat, self._dice)
        wall, cpu = time.perf_counter(), time.process_time()
        self.snapshot = (await self._core.service(Play).act(snapshot.table.id, (ANN, BEN)[seat], action)).snapshot
        return time.perf_counter() - wall, time.process_time() - cpu
