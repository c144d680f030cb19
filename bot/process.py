"""The process: runs the bot until it is asked to stop."""

import asyncio
import functools
import gc
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from typing import Final

import aiohttp
import discord
import structlog

import renderers
from bot.app import make_client
from bot.backups import backing_up
from bot.config import Settings
from bot.drawing.place import Processes, drawing, drawing_in
from bot.thinking import Processes as Thinkers
from bot.thinking import thinking_in
from storage.store import Store

log = structlog.get_logger(__name__)

SHUTDOWN_TIMEOUT: Final = 20.0
"""Seconds to disconnect from Discord, after which the connection is dropped. Nothing that was acknowledged is lost then."""


SWITCH_INTERVAL: Final = 0.001
"""Seconds after which a thread that computes lets the event loop have its turn.

Python's own five milliseconds add up: an action changes between the loop and the threads of the database some forty times.
"""

COLLECTED_AFTER: Final = 10_000
"""How many objects more than before there have to be until garbage is collected. Python's own number is below a thousand."""

THREADS: Final = 4
"""The number of threads for what takes long to compute. Python would take more of them, and memory for each."""


class CannotRun(Exception):
    """The bot cannot start. The message tells the operator why, and what to do."""


real_client: Final = functools.partial(make_client, own_emojis=True)
"""Makes the client of a bot that has an application of its own at Discord."""


@contextmanager
def asked_to_stop() -> Iterator[asyncio.Event]:
    """An event that is set when the process is asked to stop (Ctrl-C, or SIGTERM from a container).

    Asked a second time, the process ends at once.
    """
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
    """In this block garbage is collected less often, and not looked for in what is there already: modules, which stay."""
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
    """In this block pictures are drawn, and computers think, in processes beside this one."""
    with closing(Processes()) as drawers, drawing_in(drawers), closing(Thinkers()) as thinkers, thinking_in(thinkers):
        yield


@asynccontextmanager
async def open_store(address: str) -> AsyncIterator[Store]:
    """The database, closed at the end of the block. Raises StorageError."""
    store = await Store.open(address)
    try:
        yield store
    finally:
        await store.close()


async def serve(settings: Settings, make: Callable[..., discord.Client] = real_client) -> None:
    """Run the bot until the process is asked to stop.

    Raises:
        CannotRun: if Discord does not accept the token or cannot be reached.
        StorageError: if the database cannot be used.
    """
    assert settings.token is not None
    sys.setswitchinterval(SWITCH_INTERVAL)
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, thread_name_prefix="springboard-work"))
    with asked_to_stop() as asked, seldom_collected(), beside():
        async with open_store(settings.database.get_secret_value()) as store, backing_up(settings):
            warming = asyncio.create_task(_warm_up(), name="springboard-warm-up")
            client = make(store, now=time.time)
            working = asyncio.create_task(client.start(settings.token.get_secret_value()), name="springboard-client")
            asking = asyncio.create_task(asked.wait(), name="springboard-stop")
            try:
                await asyncio.wait({working, asking}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                asking.cancel()
                warming.cancel()
                await _shut_down(client, working)
            error = None if working.cancelled() else working.exception()
            if error is not None and asked.is_set():
                # It was reconnecting, for example, and discord.py takes it amiss that its connections are closed meanwhile.
                log.warning("the connection to Discord ended with an error", error=repr(error))
            else:
                _explain(error)


async def _warm_up() -> None:
    """Have drawn what is drawn once in a process, before somebody waits for it."""
    try:
        await drawing(renderers.warm)
    except Exception:
        log.exception("nothing was drawn ahead")  # those who wait for pictures are told what it is


async def _shut_down(client: discord.Client, working: asyncio.Task[None]) -> None:
    """Close the client, and wait for its task to end."""
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
    """Raise the error that ended the client, as CannotRun if there is something that the operator can do about it."""
    match error:
        case None:
            return
        case discord.LoginFailure():
            raise CannotRun(
                "Discord does not accept the token. Make a new one in the developer portal, under Bot, Reset Token."
            )
        case discord.HTTPException():
            raise CannotRun(f"Discord refused to let the bot in: {error.status} {error.text}.")
        case aiohttp.ClientError() | discord.GatewayNotFound() | OSError():
            raise CannotRun(f"Discord cannot be reached ({error}). Is this machine connected?") from error
        case _:
            raise error
