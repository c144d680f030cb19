"""`springboard check`: whether the database is sound, what it contains can be used, and all its games follow their rules."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from bot.admin.clocks import told
from bot.admin.facts import facts
from bot.admin.settings_check import setting_faults
from bot.sessions.verify import check_games
from storage import maintenance
from storage.checking import findings
from storage.connect import address_of
from storage.errors import StorageError
from storage.store import Store


def problems(database: str | Path) -> Iterator[str]:
    """Yields a sentence for each problem of a database, and if time-outs are stopped; nothing if all is well.

    Of a PostgreSQL database only the content is checked, since PostgreSQL has tools of its own for the rest.

    Raises:
        StorageError: if there is no such database, or it cannot be read.
    """
    if address_of(database).path is None:
        yield from asyncio.run(_content(database, clocks=True))
        return
    with TemporaryDirectory(prefix="springboard-check-") as folder:
        yield from _problems_of_file(database, Path(folder), clocks=True)


def problems_of_backup(path: Path, folder: Path) -> list[str]:
    """A sentence for each problem of a backup, which is only read. `folder`: an empty one, on a disk with space for a copy.

    Raises:
        StorageError: if there is no such file, or it cannot be read.
    """
    return list(_problems_of_file(path, folder, clocks=False))


def _problems_of_file(database: str | Path, folder: Path, *, clocks: bool) -> Iterator[str]:
    damage = list(maintenance.check(database))
    yield from damage
    # In a copy, since a running bot keeps other processes away from the database itself.
    copy = folder / "copy.sqlite3"
    try:
        maintenance.duplicate_of(database, copy)
        found = asyncio.run(_content(copy, clocks=clocks))
    except StorageError:
        if damage:
            return  # there are no games to be read in what is left
        raise
    yield from (problem for problem in found if problem not in damage)


async def _content(database: str | Path, *, clocks: bool) -> list[str]:
    """What is wrong with rows and games, and, if `clocks`, which processes have stopped their time-outs."""
    store = await Store.open(database, alone=None)  # a bot may be running
    try:
        rows = await store.inspect(_rows)
        async with store.read() as reader:
            stopped = [told(beat) for beat in await reader.heartbeats() if beat.halted is not None and clocks]
        return [*rows, *stopped, *[problem async for problem in check_games(store, facts=facts)]]
    finally:
        await store.close()


def _rows(connection: sa.Connection) -> list[str]:
    return [*findings(connection), *setting_faults(connection)]
