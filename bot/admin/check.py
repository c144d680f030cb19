"""`springboard check`: whether the database is sound, and every game in it went by its rules."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.sessions.verify import check_games
from storage import maintenance
from storage.connect import address_of
from storage.store import Store


def problems(database: str | Path) -> Iterator[str]:
    """A sentence for each thing that is wrong with a database; nothing if all is well.

    Of a PostgreSQL database only the games are checked; it brings its own tools for the rest.

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
    # A copy: the bot keeps other processes away from the database itself.
    with TemporaryDirectory(prefix="springboard-check-") as folder:
        copy = Path(folder) / "copy.sqlite3"
        maintenance.backup(database, copy)
        yield from asyncio.run(_games(copy))


async def _games(database: str | Path) -> list[str]:
    store = await Store.open(database)
    try:
        return [problem async for problem in check_games(store)]
    finally:
        await store.close()
