"""Fills a database with games that have just begun.

`python -m benchmarks.load.fill DATABASE` reads the games as JSON from its input. It runs in a process of its own, which may be
that of another checkout.
"""

import asyncio
import json
import random
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

from engines import GAMES
from storage import queries
from storage.schema.records import Grace, Seat, SeatStatus, Status, Table
from storage.store import Store, Writer

VARIANT = GAMES["bouncers"].variants[0]
AT_ONCE = 1000
"""The number of games that are added in one transaction."""


@dataclass(frozen=True)
class GameToFill:
    """A game of Bouncers between two people who play no other. Its turn is over at `due`, in seconds since the epoch."""

    guild_id: int
    channel_id: int
    due: float
    people: tuple[int, int]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


async def add(writer: Writer, number: int, game: GameToFill) -> None:
    began = time.time()
    table = await queries.tables.add(writer,
        Table(
            guild_id=game.guild_id, channel_id=game.channel_id, game="bouncers", variant=VARIANT, wanted=2,
            status=Status.PLAYING, opened_by=game.people[0], clock=86_400, seed=random.Random(number).randbytes(32), turn=1,
            turn_began=began, deadline=game.due, grace=Grace.STRICT, created_at=began, started_at=began,
        )
    )  # fmt: skip
    for place, user_id in enumerate(game.people):
        await queries.seats.put(
            writer,
            Seat(
                table_id=table.id,
                user_id=user_id,
                place=place,
                status=SeatStatus.JOINED,
                name=f"Player {user_id % 10**6}",
                asked_at=began,
            ),
        )


async def add_all(store: Store, games: list[GameToFill]) -> None:
    for first in range(0, len(games), AT_ONCE):
        async with store.write() as writer:
            for number, game in enumerate(games[first : first + AT_ONCE], start=first):
                await add(writer, number, game)


async def main(path: str) -> None:
    games = [GameToFill(**game) for game in json.load(sys.stdin)]
    store = await Store.open(path)
    try:
        await add_all(store, games)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
