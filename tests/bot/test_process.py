"""How the bot's process starts and ends."""

import asyncio
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web

from bot.app import Springboard, make_client
from bot.config import CannotRun, ConfigError, Settings, load
from bot.features.replays import messages as replays
from bot.messages import pictures
from bot.process import COLLECTED_AFTER, SWITCH_INTERVAL, THREADS, forget_pictures, serve
from bot.workers.drawing import drawing
from renderers.replay import Replay
from storage.schema.errors import StorageError
from storage.store import Store
from tests.bot import worker_calls as calls
from tests.bot.command_line import TOKEN

pytestmark = pytest.mark.usefixtures("bare")


def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(tmp_path / "games.sqlite3"))
    return load()


@pytest.fixture
async def discord_says(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[int, Any], None]]:
    """A stand-in for Discord's HTTP interface which answers everything alike."""
    answer: list[Any] = [500, {}]

    async def reply(request: web.Request) -> web.Response:
        return web.json_response(answer[1], status=answer[0])

    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", reply)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}")
    yield lambda status, body: answer.__setitem__(slice(None), [status, body])
    await runner.cleanup()


async def test_a_token_that_discord_refuses_ends_the_bot_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, discord_says: Callable[[int, Any], None]
) -> None:
    discord_says(401, {"message": "401: Unauthorized", "code": 0})
    with pytest.raises(CannotRun, match="does not accept the token") as error:
        await serve(settings(monkeypatch, tmp_path))
    assert TOKEN not in str(error.value)
    store = await Store.open(tmp_path / "games.sqlite3")  # the bot has let go of it
    await store.close()


async def test_no_network_ends_the_bot_with_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    with pytest.raises(CannotRun, match="cannot be reached"):
        await serve(settings(monkeypatch, tmp_path))


@pytest.mark.parametrize(("where", "reason"), [
    ("/dev/null", "/dev/null: Not a directory"),
    ("/dev/null/deep/backups", "/dev/null: Not a directory"),
    ("/proc/backups", "/proc: No such file or directory"),
    ("~nobody-of-this-name/backups", "leads nowhere: there is no home for ~ to stand for"),
])  # fmt: skip
async def test_a_folder_in_which_no_backups_can_be_kept_ends_the_bot_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str, reason: str
) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", where)
    with pytest.raises(
        ConfigError, match=f"SPRINGBOARD_BACKUPS: No backup can be written to .*{reason}.*Name a folder"
    ) as error:
        await serve(settings(monkeypatch, tmp_path))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "games.sqlite3").exists(), "it was refused before anything was begun"


async def test_a_full_disk_for_backups_ends_the_bot_with_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1")
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", str(tmp_path / "backups"))
    set_up = settings(monkeypatch, tmp_path)
    with monkeypatch.context() as while_full:
        while_full.setattr("os.fsync", full)
        with pytest.raises(ConfigError, match=r"SPRINGBOARD_BACKUPS: .*No space left on device"):
            await serve(set_up)
    assert list(tmp_path.iterdir()) == [], "nothing is left of the attempt"
    with pytest.raises(CannotRun, match="cannot be reached"):
        await serve(set_up)


class Idle(discord.Client):
    """A client that is connected and waits, as far as `serve` can see."""

    def __init__(self, store: Store, *, now: Callable[[], float], connector: aiohttp.BaseConnector | None = None) -> None:
        super().__init__(intents=discord.Intents.none(), connector=connector)
        self.store = store
        self.started = asyncio.Event()
        self.left = asyncio.Event()

    async def start(self, token: str, *, reconnect: bool = True) -> None:
        self.started.set()
        await self.left.wait()

    async def close(self) -> None:
        async with self.store.read():  # the store is still there when the bot says goodbye
            self.left.set()
        await super().close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_bot_orderly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: signal.Signals) -> None:
    clients: list[Idle] = []

    def make(store: Store, **options: Any) -> Idle:
        clients.append(Idle(store, **options))
        return clients[0]

    serving = asyncio.create_task(serve(settings(monkeypatch, tmp_path), make))
    while not clients or not clients[0].started.is_set():
        assert not serving.done()
        await asyncio.sleep(0.01)
    os.kill(os.getpid(), number)
    await serving
    assert clients[0].is_closed()
    with pytest.raises(StorageError, match="closed"):
        async with clients[0].store.read():
            pass
    assert signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)


async def test_a_connection_that_breaks_during_the_stop_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started = asyncio.Event()

    class Reconnecting(Idle):
        async def start(self, token: str, *, reconnect: bool = True) -> None:
            started.set()
            await self.left.wait()
            raise ConnectionError("Connector is closed")

    serving = asyncio.create_task(serve(settings(monkeypatch, tmp_path), Reconnecting))
    await started.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    await serving


async def test_an_error_of_the_client_is_not_swallowed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Broken(Idle):
        async def start(self, token: str, *, reconnect: bool = True) -> None:
            raise ArithmeticError("broken")

    with pytest.raises(ArithmeticError, match="broken"):
        await serve(settings(monkeypatch, tmp_path), Broken)


async def test_few_threads_compute_and_the_loop_gets_its_turn_soon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names: set[str] = set()
    intervals: list[float] = []

    class Working(Idle):
        async def start(self, token: str, *, reconnect: bool = True) -> None:
            together = threading.Barrier(THREADS)

            def work() -> None:
                together.wait(60)  # so many run at once
                names.add(threading.current_thread().name)

            await asyncio.gather(*(asyncio.to_thread(work) for _ in range(3 * THREADS)))

    monkeypatch.setattr(sys, "setswitchinterval", intervals.append)
    await serve(settings(monkeypatch, tmp_path), Working)
    assert (len(names), intervals) == (THREADS, [SWITCH_INTERVAL])


async def test_garbage_is_only_collected_from_later_objects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found: list[tuple[int, bool]] = []

    class Looking(Idle):
        async def start(self, token: str, *, reconnect: bool = True) -> None:
            found.append((gc.get_threshold()[0], gc.get_freeze_count() > len(gc.get_objects())))

    before = gc.get_threshold(), gc.get_freeze_count()
    await serve(settings(monkeypatch, tmp_path), Looking)
    assert (found, (gc.get_threshold(), gc.get_freeze_count())) == ([(COLLECTED_AFTER, True)], before)


@pytest.mark.slow
async def test_pictures_are_drawn_in_a_process_that_is_warmed_once_the_bot_is_ready_and_ends_with_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drew: list[int] = []

    class Drawing(Springboard):
        async def start(self, token: str, *, reconnect: bool = True) -> None:
            assert not await drawing(calls.warm)
            self.was_ready.set()
            while not await drawing(calls.warm):
                await asyncio.sleep(0.01)
            drew.append(await drawing(os.getpid))

    await serve(settings(monkeypatch, tmp_path), partial(make_client, kind=Drawing))
    assert drew != [os.getpid()]
    with pytest.raises(ProcessLookupError):
        os.kill(drew[0], 0)
    assert await drawing(os.getpid) == os.getpid()


@pytest.mark.parametrize(("code", "sentence"), [(4004, "does not accept the token"), (4011, "SPRINGBOARD_SHARDS")])
async def test_a_connection_that_discord_ends_for_good_ends_the_bot_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, sentence: str
) -> None:
    class Refused(Idle):
        """A client whose connection Discord closes: the token was reset, or there are too few shards."""

        async def start(self, token: str, *, reconnect: bool = True) -> None:
            raise discord.ConnectionClosed(None, shard_id=None, code=code)  # type: ignore[arg-type]

    with pytest.raises(CannotRun, match=sentence):
        await serve(settings(monkeypatch, tmp_path), Refused)


async def test_a_bot_that_nobody_plays_with_forgets_its_pictures() -> None:
    async def draw() -> bytes:
        return b"picture"

    await pictures.CACHE.picture("key", draw)
    replays.CACHE.keep("key", Replay(b"gif", (0,), 1))
    forget_pictures()
    assert (pictures.CACHE.weight, replays.CACHE.weight) == (0, 0)
