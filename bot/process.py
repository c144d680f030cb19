"""The process: runs the bot until it is asked to stop."""

import asyncio
import gc
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from typing import Any, Final

import aiohttp
import discord
import structlog

import renderers
from bot.app import Springboard, make_client
from bot.backups import backing_up, require_folder
from bot.cluster.keeper import LEASE_SECONDS
from bot.cluster.running import Cluster, scouted, shards_in_all
from bot.config import CannotRun, Settings
from bot.features.replays import messages as replays
from bot.messages import pictures
from bot.monitoring.monitor import Monitor, run_monitor
from bot.proxies import way_out
from bot.runtime import metrics
from bot.runtime.memory import give_back
from bot.workers.drawing import Process, drawing, drawing_in
from bot.workers.thinking import Processes as Thinkers
from bot.workers.thinking import thinking_in
from storage.cluster.leases import Leases
from storage.store import Store

log = structlog.get_logger(__name__)

SHUTDOWN_TIMEOUT: Final = 20.0
"""Seconds for disconnecting from Discord. After that, the connection is dropped, which loses no acknowledged change."""


SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a computing thread yields to the event loop. Python's 5 ms, forty times for each action, would add up."""

COLLECTED_AFTER: Final = 10_000
"""The number of new objects that sets off a garbage collection. Python's own number is below a thousand."""

THREADS: Final = 4
"""The number of threads for long computations. Python would start more threads, each of which takes memory."""


real_client: Final = partial(make_client, own_look=True)
"""Makes the client of a bot that has its own application at Discord."""


@contextmanager
def asked_to_stop() -> Iterator[asyncio.Event]:
    """Yield an event that is set by Ctrl-C or a container's SIGTERM. A second request ends the process at once."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def let_go() -> None:
        for number in signals:
            loop.remove_signal_handler(number)

    def ask() -> None:
        log.info("stopping")
        asked.set()
        let_go()

    for number in signals:
        loop.add_signal_handler(number, ask)
    try:
        yield asked
    finally:
        let_go()


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect garbage less often in this block, and ignore objects that already exist, such as modules, which stay anyway."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


@contextmanager
def beside() -> Iterator[None]:
    """Draw pictures and think for computers in other processes while the block runs."""
    drawer = Process(when_idle=forget_pictures)
    with closing(drawer), drawing_in(drawer), closing(Thinkers()) as thinkers, thinking_in(thinkers):
        yield


def forget_pictures() -> None:
    """Empty the caches of pictures and replays, and give back all memory that can be given back."""
    pictures.CACHE.clear()
    replays.CACHE.clear()
    gc.collect()
    give_back()


@asynccontextmanager
async def open_store(address: str, *, alone: bool = True) -> AsyncIterator[Store]:
    """Open the database while the block lasts. `Store.open` explains `alone`. Raises StorageError."""
    store = await Store.open(address, alone=alone, timed=metrics.observe_transaction)
    try:
        yield store
    finally:
        await store.close()


async def serve(
    settings: Settings, make: Callable[..., discord.Client] = real_client, *, lease_seconds: float = LEASE_SECONDS
) -> None:
    """Run the bot until the process is asked to stop.

    With SQLite, there is one process with one connection to Discord. With PostgreSQL, any number of processes share out the
    shards.

    Args:
        settings: the settings.
        make: makes a client; see `bot.app.make_client`.
        lease_seconds: if there are several processes, the seconds after which others take over the shards of a dead one.

    Raises:
        ConfigError: if the folder for backups cannot be written to.
        CannotRun: if Discord refuses the token or cannot be reached.
        StorageError: if the database cannot be used.
    """
    assert settings.token is not None
    require_folder(settings)
    address = settings.database.get_secret_value()
    several = settings.on_server
    if settings.discord_api is not None:
        discord.http.Route.BASE = settings.discord_api
    sys.setswitchinterval(SWITCH_INTERVAL)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="springboard-work"))
    with asked_to_stop() as stopping, seldom_collected(), beside():
        async with (
            open_store(address, alone=not several) as store,
            backing_up(settings) as backups,
            run_monitor(Monitor(store, time.time, backups), settings.http) as monitor,
        ):
            ready = asyncio.Event()
            making = partial(_make_client, make, ready)
            warming = asyncio.create_task(_warm_up(ready), name="springboard-warm-up")
            try:
                if several:
                    await _serve_shards(store, settings, making, stopping, monitor, lease_seconds)
                else:
                    await _serve_all(store, settings, making, stopping, monitor)
            finally:
                warming.cancel()


async def _serve_all(
    store: Store, settings: Settings, make: Callable[..., discord.Client], stopping: asyncio.Event, monitor: Monitor
) -> None:
    """Serve all servers over one connection until it ends or the process is asked to stop."""
    assert settings.token is not None
    client = make(store, now=time.time, connector=way_out(settings))
    if isinstance(client, Springboard):
        monitor.watch(lambda: (client,), partial(_note_single, client))
    working = asyncio.create_task(client.start(settings.token.get_secret_value()), name="springboard-client")
    try:
        await _either(working, stopping)
    finally:
        await _shut_down(client, working)
    error = None if working.cancelled() else working.exception()
    if error is not None and stopping.is_set():
        # For example, the client was reconnecting, and discord.py raises if its connections are closed meanwhile.
        log.warning("the connection to Discord ended with an error", error=repr(error))
    else:
        _explain(error)


def _note_single(client: Springboard) -> None:
    """Note in the metrics that there is one connection for everything, and whether it is up."""
    for state, count in {"total": 1, "held": 1, "connected": int(client.heartbeat.is_connected)}.items():
        metrics.SHARDS.labels(state).set(count)


async def _serve_shards(
    store: Store,
    settings: Settings,
    make: Callable[..., discord.Client],
    stopping: asyncio.Event,
    monitor: Monitor,
    lease_seconds: float,
) -> None:
    """Serve this process's shards until it is asked to stop."""
    assert settings.token is not None
    leases = Leases(store)
    try:
        async with scouted(settings.token.get_secret_value(), way_out(settings)) as scout:
            recommended, _, _ = await scout.http.get_bot_gateway()
            of = await shards_in_all(settings, leases, recommended)
            cluster = Cluster(store, leases, settings, of, make, scout, lease_seconds)
            monitor.watch(cluster.clients, cluster.note, cluster.idle)
            working = asyncio.create_task(cluster.run(), name="springboard-cluster")
            try:
                await _either(working, stopping)
            finally:
                await _hand_over(cluster)
                working.cancel()
                await asyncio.wait({working})
            if not working.cancelled():
                working.result()
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        _explain(error)


async def _either(working: asyncio.Task[None], stopping: asyncio.Event) -> None:
    """Wait until the work is over or the process is asked to stop."""
    asking = asyncio.create_task(stopping.wait(), name="springboard-stop")
    try:
        await asyncio.wait({working, asking}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        asking.cancel()


async def _hand_over(cluster: Cluster) -> None:
    try:
        async with asyncio.timeout(SHUTDOWN_TIMEOUT):
            await cluster.close()
    except TimeoutError:
        log.warning("not all shards were handed over in time; their leases expire")


def _make_client(make: Callable[..., discord.Client], ready: asyncio.Event, *args: Any, **options: Any) -> discord.Client:
    """Make a client that sets `ready` when it is."""
    client = make(*args, **options)
    if isinstance(client, Springboard):
        client.was_ready = ready
    return client


async def _warm_up(ready: asyncio.Event) -> None:
    """Draw the sprites that a process draws only once, before any user has to wait for them, but after the bot is there."""
    await ready.wait()
    try:
        await drawing(renderers.warm)
    except Exception:
        log.exception("nothing was drawn ahead")  # a picture that is asked for reports the error itself


async def _shut_down(client: discord.Client, working: asyncio.Task[None]) -> None:
    try:
        async with asyncio.timeout(SHUTDOWN_TIMEOUT):
            await client.close()
            await asyncio.wait({working}, timeout=SHUTDOWN_TIMEOUT / 2)
    except TimeoutError:
        log.warning("the connection to Discord did not close in time")
    working.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait({working})


def _explain(error: BaseException | None) -> None:
    """Raise the error that ended the client, or CannotRun in its place if the operator can do something about it."""
    match error:
        case None:
            return
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):
            raise CannotRun(
                "Discord does not accept the token. Make a new one in the developer portal, under Bot, Reset Token."
            )
        case discord.ConnectionClosed(code=4010 | 4011):
            raise CannotRun("Discord wants the bot to have more shards: see docs/scaling.md, and SPRINGBOARD_SHARDS.")
        case discord.HTTPException():
            raise CannotRun(f"Discord refused to let the bot in: {error.status} {error.text}.")
        case aiohttp.ClientError() | discord.GatewayNotFound() | OSError():
            raise CannotRun(f"Discord cannot be reached ({error}). Is this machine connected?") from error
        case _:
            raise error
