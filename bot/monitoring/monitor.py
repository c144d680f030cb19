"""Monitor: collects, every few seconds, what is not counted where it happens, and serves the site."""

import asyncio
import math
import shutil
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final

import structlog
from prometheus_client import Counter

from bot.app import Springboard
from bot.backups import Backups
from bot.core.clocks.heartbeats import Heartbeats
from bot.monitoring.health import Health
from bot.runtime import metrics
from bot.runtime.outage import unreachable
from bot.runtime.rival import rivals
from bot.workers.thinking import questions_waiting
from storage.queries.overview import Overview, overview
from storage.store import Store

EVERY: Final = 5.0
"""Seconds between two rounds of measurements."""
LAG_EVERY: Final = 0.25
"""Seconds between two measurements of the event loop's lag."""
LAGS_KEPT: Final = 240
"""The number of latest lags, a minute's worth, whose maximum is reported."""

FEWEST_BYTES: Final = 8 * 1024 * 1024
"""The space on the database's disk below which the bot is not ready, because the next write may not fit."""

UNCONNECTED: Final = "There is no connection to Discord."

NONE: Final = math.nan
"""The value of a gauge that has nothing to measure."""

log = structlog.get_logger(__name__)


@dataclass
class Monitor:
    """The monitor of one process and its backups, if any. To be ready, the bot needs `fewest_bytes` on the database's disk."""

    store: Store
    now: Callable[[], float]
    backups: Backups | None = None
    fewest_bytes: int = FEWEST_BYTES
    health: Health = field(default_factory=Health)
    _clients: Callable[[], Sequence[Springboard]] = tuple
    _note: Callable[[], None] | None = None
    _idle: Callable[[], str | None] = lambda: UNCONNECTED
    _down: str | None = None
    _opened: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._opened = _file(self.store)
        self.health.add("gateway", self._gateway)
        self.health.add("database", self._database)
        self.health.add("disk", self._disk)
        self.health.add("token", self._token)

    def watch(
        self,
        clients: Callable[[], Sequence[Springboard]],
        note: Callable[[], None] | None = None,
        idle: Callable[[], str | None] = lambda: UNCONNECTED,
    ) -> None:
        """Watch the connections of `clients`; call `note` each round. If there are none, `idle` returns the fault or None."""
        self._clients, self._note, self._idle = clients, note, idle

    async def run(self) -> None:
        """Measure everything in regular rounds until cancelled."""
        metrics.INFO.info({"version": version("springboard")})
        while True:
            try:
                await self.look()
            except Exception:
                log.exception("not looked at")
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Measure everything once."""
        if self._note is not None:
            self._note()
        latencies = [client.latency for client in self._clients()]
        metrics.LATENCY.set(max((one for one in latencies if math.isfinite(one)), default=NONE))
        metrics.THINKING_QUEUE.set(questions_waiting())
        _count_up(metrics.REFUSED, self.store.statistics.refused)
        free = await self._free()
        metrics.DISK_FREE.set(NONE if free is None else free)
        if self.backups is not None:
            age = self.backups.age()
            metrics.BACKUP_AGE.set(NONE if age is None else age)
            _count_up(metrics.BACKUP_FAILURES, self.backups.failures)
        else:
            metrics.BACKUP_AGE.set(NONE)
        await self._look_into_the_database()

    async def _look_into_the_database(self) -> None:
        try:
            seen: Overview = await self.store.inspect(lambda connection: overview(connection, self.now()))
            await self.store.require_turn()
        except Exception as error:  # noqa: BLE001 - it is told, and the next look may find it in order
            self._down = self._missing_file() or str(unreachable(error) or "It cannot be read.")
        else:
            self._down = self._missing_file() or self.store.statistics.failing
            metrics.OUTBOX_JOBS.set(seen.jobs)
            metrics.OUTBOX_PUT_OFF.set(seen.put_off)
            metrics.OUTBOX_OLDEST.set(seen.oldest_due)
            # A jump that the next heartbeat will write down is reported at once.
            jumped = any(client.core.service(Heartbeats).has_jumped for client in self._clients())
            metrics.STOPPED.set(seen.halted or jumped)
            for status, count in seen.tables.items():
                metrics.TABLES.labels(status).set(count)
        metrics.DATABASE_UP.set(self._down is None)

    def _missing_file(self) -> str | None:
        """Return a reason if the database's file was removed, so that later writes would be lost, or None."""
        return None if _file(self.store) == self._opened else "The file of the database is gone."

    async def _free(self) -> int | None:
        """Return the free bytes on the database's disk, or None if the database is on a server or its folder is gone."""
        path = self.store.address.path
        if path is None:
            return None
        try:
            return (await asyncio.to_thread(shutil.disk_usage, path.parent)).free
        except OSError:
            return None

    async def _disk(self) -> str | None:
        """Return why the bot is not ready if the disk is nearly full, or None."""
        free = await self._free()
        if free is None or free >= self.fewest_bytes:
            return None
        return f"The disk of the database is full: {free / 1024 / 1024:.1f} MB are left."

    async def _gateway(self) -> str | None:
        """Return why the bot is not ready if connections to Discord are lost, or None."""
        clients = self._clients()
        lost = [client for client in clients if not client.heartbeat.is_connected]
        if not clients:
            return self._idle()
        if not lost:
            return None
        shards = ", ".join(str(client.shard_id) for client in lost if client.shard_id is not None)
        return f"There is no connection to Discord for shard {shards}." if shards else UNCONNECTED

    async def _token(self) -> str | None:
        """Return why the bot is not ready if another process uses its token, or None."""
        return rivals.complaint

    async def _database(self) -> str | None:
        """Ask the database now, and return why the bot is not ready if it cannot be used, or None."""
        await self._look_into_the_database()
        return self._down


def _file(store: Store) -> tuple[int, int] | None:
    """Return what identifies a database's file apart from its name, or None if there is no file."""
    try:
        found = None if store.address.path is None else store.address.path.stat()
    except OSError:
        return None
    return None if found is None else (found.st_dev, found.st_ino)


async def measure_lag() -> None:
    """Measure, until cancelled, by how much computations in the event loop delay all answers."""
    loop = asyncio.get_running_loop()
    recent: deque[float] = deque(maxlen=LAGS_KEPT)
    while True:
        asked = loop.time() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        lag = max(0.0, loop.time() - asked)
        recent.append(lag)
        metrics.LAG.observe(lag)
        metrics.LAG_MAX.set(max(recent))


def _count_up(counter: Counter, to: float) -> None:
    """Raise a counter to the total that another part of this process has counted."""
    (known,) = (sample.value for metric in counter.collect() for sample in metric.samples if sample.name.endswith("_total"))
    counter.inc(max(0.0, to - known))


@asynccontextmanager
async def run_monitor(monitor: Monitor, address: tuple[str, int] | None) -> AsyncIterator[Monitor]:
    """Run a monitor while the block lasts. If an address is given, serve its site. Raises CannotRun if that is impossible."""
    if address is None:
        yield monitor
        return
    from bot.monitoring.endpoints import serve_site  # noqa: PLC0415 - aiohttp's server, which most bots do not need

    async with serve_site(address, monitor.health) as port:
        log.info("monitors are answered", host=address[0], port=port)
        tasks = [
            asyncio.create_task(monitor.run(), name="springboard-monitor"),
            asyncio.create_task(measure_lag(), name="springboard-lag"),
        ]
        try:
            yield monitor
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
