"""The work of an action and of pictures, counted: function calls, pixels, statements, calls to Discord, pictures, and bytes.

People play all games in front of the loopback Discord, in virtual time and with the same dice in every run, and threads run in
turn. So two runs count the same, whatever else the machine does. People choose by what they are offered, but their choice stays
the same if something is offered beside it. So most changes of the bot leave their games as they were.

`python -m benchmarks.counted [--functions N]` prints the counts as JSON, after the N functions with the most calls in all. With
`--keep`, these counts become the reference, which later ones may exceed by a tenth (`benchmarks.kept`). An action needs only
`make_client` and `Store.open` of the bot, so that the work of earlier versions can be counted: see `mixed` in
`benchmarks.measuring`.
"""

import argparse
import asyncio
import contextlib
import hashlib
import itertools
import json
import random
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar
from unittest import mock

from benchmarks import counted_pictures, in_turn, kept, tracing
from benchmarks.calls import Profile, profiled
from benchmarks.load.players import GAMES, BusyTable, Times
from benchmarks.load.watch import Watch
from bot.app import make_client
from loopback.connecting import pointed_to
from loopback.model import EPOCH, Interaction
from loopback.server import Loopback
from loopback.state import Discord
from storage.store import Store
from tests.bot.command_line import TOKEN
from tests.loopback.people import People

with contextlib.suppress(ImportError):  # version 1.0.0 opens tables by `/play`
    from tests.opening import have_open

    have_open()

T = TypeVar("T")

BEGAN: Final = 1_800_000_000.0
"""The time at which the bot starts, in seconds since 1970."""

APART: Final = 1000.0
"""The virtual seconds between the openings of two tables, and those after which all that an action leads to is done."""

CLIENT_OPTIONS: Final[Mapping[str, Any]] = {
    "guild_ready_timeout": 0.05, "heartbeat_timeout": float(1 << 40), "beat_every": 6 * 3600.0,
}  # fmt: skip
TABLES_OF_EACH: Final = 2
ACTIONS: Final = 64


@dataclass(frozen=True)
class Effort:
    """The work done so far, or for one action.

    Attributes:
        functions, pixels: those of a `Profile`.
        statements, transactions: how many the database carried out.
        requests: how many calls to Discord were made.
        pictures, sent: the number of pictures in these calls, and the number of bytes in all files that came with them.
    """

    functions: float
    pixels: float
    statements: float
    transactions: float
    requests: float
    pictures: float
    sent: float


class _Habits(random.Random):
    """Choices that depend on the occasion and on what each option says, but not on how many others there are."""

    def choice(self, options: Sequence[T]) -> T:  # type: ignore[override]
        """Return the option that comes first in an order of its own for each occasion."""
        occasion = self.getrandbits(64)
        return min(options, key=lambda one: hashlib.sha256(f"{occasion} {_meaning(one)}".encode()).digest())


def _meaning(option: Any) -> str:
    """Return what a button's id or an option of a menu says, without the numbers of its table, its version and its message."""
    words = option["value"] if isinstance(option, Mapping) else option
    verb, *rest = words.split("|")
    return "|".join([verb, *rest[:1], *rest[4:]])


class _Pressing(People):
    """People whose presses have ids that do not depend on how many messages there are, since the dice depend on them."""

    def __init__(self, loopback: Loopback) -> None:
        super().__init__(loopback)
        self._ids = _ids(self.discord)

    def _interact(self, *what: Any) -> Interaction:
        with mock.patch.object(self.discord, "snowflake", self._ids.__next__):
            return super()._interact(*what)

    def tables(self, watch: Watch) -> list[BusyTable]:
        """Make people and channels, with such ids too, for tables of all games."""
        guild = next(iter(self.discord.guilds.values()))
        with mock.patch.object(self.discord, "snowflake", self._ids.__next__):
            return [
                BusyTable(self, watch, Times(), self.discord.channel(guild, f"{number}"), game, seats, _Habits(number))
                for number, (game, seats) in enumerate(GAMES * TABLES_OF_EACH)
            ]


def _ids(discord: Discord) -> Iterator[int]:
    """Yield ids that tell the time as usual, and that no message has."""
    for number in itertools.count(1 << 21):
        yield (int((discord.now() - EPOCH) * 1000) << 22) | number


@contextlib.asynccontextmanager
async def _playing(folder: Path) -> AsyncIterator[Loopback]:
    """Run the bot in this process, in front of a Discord with one server, which knows its avatar and its banner."""
    loop, entropy = asyncio.get_running_loop(), random.Random(1)
    with TemporaryDirectory() as place:
        socket = Path(place) / "discord"
        async with Loopback(lambda: BEGAN + loop.time(), socket=socket) as loopback:
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


async def _measured(folder: Path, actions: int, profile: Profile) -> Effort:
    loop = asyncio.get_running_loop()
    with tracing.counted() as sql:
        async with _playing(folder) as loopback:

            def work() -> Effort:
                transactions = sql.snapshots + sql.writes
                requests, pictures, sent = len(loopback.calls), loopback.pictures, loopback.sent
                return Effort(profile.functions, profile.pixels, sql.statements, transactions, requests, pictures, sent)

            await asyncio.sleep(APART - loop.time())  # however long the start took
            tables = _Pressing(loopback).tables(Watch(loopback))
            for number, table in enumerate(tables, 2):
                await asyncio.sleep(APART * number - loop.time())
                await table.open()
            for table in tables:  # what a process does only once
                await table.act()
            await asyncio.sleep(APART)
            profile.clear()
            before, done, turn = work(), 0, 0
            while done < actions:
                done, turn = done + await _played(tables, turn), turn + 1
            await asyncio.sleep(APART)
            after = work()
            assert not loopback.strange
    return Effort(*((now - then) / done for now, then in zip(astuple(after), astuple(before), strict=True)))


async def _played(tables: list[BusyTable], turn: int) -> int:
    """Play an action at each table, and return how many were played."""
    played = 0
    for number, table in enumerate(tables):
        table.dice.seed(f"{number} {turn}")
        played += await table.act()
    assert played, "all games are over"
    return played


def measured(actions: int = ACTIONS, functions: int = 0) -> tuple[Effort, list[tuple[int, str]]]:
    """Return the mean work of an action over at least `actions` of them, and the functions that were called most in all."""
    profile = Profile()
    with TemporaryDirectory() as folder, profiled(profile):
        work = in_turn.result_of(_measured(Path(folder), actions, profile))
    return work, list(profile.counted())[:functions]


def main(arguments: list[str] | None = None) -> None:
    """Print the work of one action, and that of each picture."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counted")
    parser.add_argument("--functions", type=int, default=0, help="how many functions to print besides")
    parser.add_argument("--keep", action="store_true", help="keep the counts as the reference for all later ones")
    wanted = parser.parse_args(arguments)
    work, functions = measured(functions=wanted.functions)
    for calls, name in functions:
        print(f"{calls:9,} {name}")
    counts = {"an action": asdict(work), **{name: asdict(drawn) for name, drawn in counted_pictures.drawn()}}
    if wanted.keep:
        kept.keep(counts)
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
