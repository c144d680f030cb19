"""The work of an action, counted: function calls, statements, calls to Discord, pictures, and bytes.

People play all games in front of the loopback Discord, in virtual time and with the same dice in every run. So the counts do
not depend on how fast the machine is, or on what else it does; two runs differ by less than a twentieth, since people's choices
follow from what the bot offers.

`python -m benchmarks.counted [--functions N]` prints the counts of one action as JSON, and the N functions with the most calls.
Of the bot it uses only `make_client` and `Store.open`, so that it can count the work of earlier versions: see `mixed` in
`benchmarks.measuring`.
"""

import argparse
import asyncio
import contextlib
import json
import random
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any, Final

from benchmarks import tracing
from benchmarks.load.players import GAMES, BusyTable, Times
from benchmarks.load.watch import Watch
from bot.app import make_client
from loopback import virtual_time
from loopback.connecting import pointed_to
from loopback.server import Loopback
from storage.store import Store
from tests.bot.command_line import TOKEN
from tests.loopback.people import People

with contextlib.suppress(ImportError):  # version 1.0.0 opens tables by `/play`
    from tests.opening import have_open

    have_open()

ROOT: Final = Path(make_client.__code__.co_filename).parents[1]
COUNTED: Final = (
    *(f"{ROOT}/{name}/" for name in ("bot", "competitions", "engines", "matchmaking", "opponents", "renderers", "storage")),
    *(f"/site-packages/{name}/" for name in ("PIL", "aiosqlite", "discord", "sqlalchemy")),
)
"""The folders whose functions are counted: those of the bot, and of the libraries for Discord, databases and pictures."""

BEGAN: Final = 1_800_000_000.0
"""The time at which the bot starts, in seconds since 1970."""

QUIET: Final = 30.0
"""The virtual seconds after which everything that an action leads to is done."""

CLIENT_OPTIONS: Final[Mapping[str, Any]] = {
    "guild_ready_timeout": 0.05, "heartbeat_timeout": float(1 << 40), "beat_every": 6 * 3600.0,
}  # fmt: skip
TABLES_OF_EACH: Final = 2
ACTIONS: Final = 64


@dataclass(frozen=True)
class Effort:
    """The work done so far, or for one action.

    Attributes:
        functions: how many functions were called.
        statements, transactions: how many the database carried out.
        requests: how many calls to Discord were made.
        pictures, sent: the number of pictures in these calls, and the number of bytes in all files that came with them.
    """

    functions: float
    statements: float
    transactions: float
    requests: float
    pictures: float
    sent: float


class _Profile:
    """Counts function calls in all threads. It is a profile function; see `sys.setprofile`."""

    def __init__(self) -> None:
        self._calls: Counter[CodeType] = Counter()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            self._calls[frame.f_code] += 1

    def clear(self) -> None:
        """Forget the calls so far."""
        self._calls.clear()

    def counted(self) -> Iterator[tuple[int, str]]:
        """Yield the functions that count, those with the most calls first: how many calls, and a name."""
        for code, calls in Counter(self._calls).most_common():
            if any(place in code.co_filename for place in COUNTED):
                yield calls, f"{code.co_filename.removeprefix(f'{ROOT}/')}:{code.co_qualname}"


@contextlib.contextmanager
def _profiled(profile: _Profile) -> Iterator[None]:
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@contextlib.asynccontextmanager
async def _playing(folder: Path) -> AsyncIterator[Loopback]:
    """Run the bot in this process, in front of a Discord with one server, which knows its avatar and its banner."""
    loop, entropy = asyncio.get_running_loop(), random.Random(1)
    began = loop.time()
    with TemporaryDirectory() as place:
        socket = Path(place) / "discord"
        async with Loopback(lambda: BEGAN + loop.time() - began, socket=socket) as loopback:
            loopback.discord.bot.avatar = loopback.discord.bot.banner = b"\x89PNG"
            loopback.discord.guild("Bounce Club")
            with pointed_to(loopback.discord.base, socket):
                store = await Store.open(folder / "springboard.sqlite3")
                client = make_client(store, now=loopback.discord.now, entropy=entropy.randbytes, **CLIENT_OPTIONS)
                working = asyncio.create_task(client.start(TOKEN))
                try:
                    await loopback.gateway.ready.wait()
                    await client.wait_until_ready()
                    yield loopback
                finally:
                    await client.close()
                    await asyncio.wait({working})
                    await store.close()


async def _measured(folder: Path, actions: int, profile: _Profile) -> Effort:
    with tracing.counted() as sql:
        async with _playing(folder) as loopback:

            def work() -> Effort:
                functions = sum(calls for calls, _ in profile.counted())
                transactions = sql.snapshots + sql.writes
                return Effort(functions, sql.statements, transactions, len(loopback.calls), loopback.pictures, loopback.sent)

            people, watch = People(loopback), Watch(loopback)
            guild = next(iter(loopback.discord.guilds.values()))
            tables = []
            for number in range(TABLES_OF_EACH * len(GAMES)):
                game, seats = GAMES[number % len(GAMES)]
                where = loopback.discord.channel(guild, f"{number}")
                tables.append(BusyTable(people, watch, Times(), where, game, seats, random.Random(number)))
                await tables[-1].open()
            for table in tables:  # what a process does only once
                await table.act()
            await asyncio.sleep(QUIET)
            profile.clear()
            before, done = work(), 0
            while done < actions:
                played = [await table.act() for table in tables]
                assert any(played), "all games are over"
                done += sum(played)
            await asyncio.sleep(QUIET)
            after = work()
            assert not loopback.strange
    return Effort(*((now - then) / done for now, then in zip(astuple(after), astuple(before), strict=True)))


def measured(actions: int = ACTIONS, functions: int = 0) -> tuple[Effort, list[tuple[int, str]]]:
    """Return the mean work of an action over at least `actions` of them, and the functions that were called most in all."""
    profile = _Profile()
    with TemporaryDirectory() as folder, _profiled(profile):
        work = virtual_time.run(_measured(Path(folder), actions, profile))
    return work, list(profile.counted())[:functions]


def main(arguments: list[str] | None = None) -> None:
    """Print the work of one action."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counted")
    parser.add_argument("--functions", type=int, default=0)
    work, functions = measured(functions=parser.parse_args(arguments).functions)
    for calls, name in functions:
        print(f"{calls:9,} {name}")
    print(json.dumps({name: round(value, 2) for name, value in asdict(work).items()}))


if __name__ == "__main__":
    main()
