"""`springboard check`: whether the database is sound, and all its games follow their rules."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.sessions.verify import check_games
from storage import maintenance
from storage.connect import address_of
from storage.store import Store


def problems(database: str | Path) -> Iterator[str]:
    """Yields a sentence for each problem of a database; nothing if it is sound.

    In a PostgreSQL database only the games are checked, since PostgreSQL has tools of its own for the rest.

    Raises:
        StorageError: if there is no such database, or it cannot be read.
    """
    if address_of(database).path is None:
        yield from asyncio.run(_games(database))
        return
    damage = list(maintenance.check(database))
    if damage:
        yield from damage
        return
    # In a copy, since a running bot keeps other processes away from the database itself.
    with TemporaryDirectory(prefix="springboard-check-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        maintenance.backup(database, copy)
        yield from asyncio.run(_games(copy))


async def _games(database: str | Path) -> list[str]:
    store = await Store.open(database, alone=False)  # a bot may be running
    try:
        return [problem async for problem in check_games(store)]
    finally:
        await store.close()
