"""`springboard check`: whether the database is sound, its rows and settings are usable, and its games follow the rules."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import sqlalchemy as sa
from pydantic import BaseModel, TypeAdapter, ValidationError

from bot.admin.clocks import describe_stop
from bot.admin.facts import facts
from bot.core.table.settings import Learning, PersonSettings, ServerSettings
from bot.features.analysis.tree import is_playable
from bot.features.lessons.courses import COURSES
from bot.features.lessons.courses.lesson import END
from bot.features.verify.service import check_games
from bot.i18n.language import languages
from storage import queries
from storage.connections.addresses import address_of
from storage.schema import tables
from storage.schema.errors import StorageError
from storage.schema.records import Analysis, Person, Server
from storage.store import Store
from storage.upkeep import maintenance
from storage.upkeep.checking import readable
from storage.upkeep.consistency import findings


def problems(database: str | Path) -> Iterator[str]:
    """Yield a sentence for each problem of a database, and for each process with stopped time-outs; nothing if all is well.

    PostgreSQL has its own tools to check files, so only the content is checked there.

    Raises:
        StorageError: if there is no such database, or it cannot be read.
    """
    if address_of(database).path is None:
        yield from asyncio.run(_content(database, clocks=True))
        return
    with TemporaryDirectory(prefix="springboard-check-") as folder:
        yield from _problems_of_file(database, Path(folder), clocks=True)


def problems_of_backup(path: Path, folder: Path) -> list[str]:
    """Return a sentence for each problem of a backup. The backup is only read.

    Args:
        path: the file of the backup.
        folder: an empty folder, on a disk with enough space for a copy.

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
            return  # the damaged file has no games that can be read
        raise
    yield from (problem for problem in found if problem not in damage)


async def _content(database: str | Path, *, clocks: bool) -> list[str]:
    """Return what is wrong with rows and games. With `clocks`, also say which processes have stopped their time-outs."""
    store = await Store.open(database, alone=None)  # a bot may be running
    try:
        rows = await store.inspect(_rows)
        async with store.read() as reader:
            stopped = [
                describe_stop(beat) for beat in await queries.heartbeats.find(reader) if beat.halted is not None and clocks
            ]
        return [*rows, *stopped, *[problem async for problem in check_games(store, facts=facts)]]
    finally:
        await store.close()


def _rows(connection: sa.Connection) -> list[str]:
    return [*findings(connection), *setting_faults(connection), *analysis_faults(connection)]


def analysis_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each analysis whose root is not a position, or whose nodes cannot be played."""
    for analysis in readable(connection, tables.analyses, Analysis):
        if not is_playable(analysis):  # its content is private to its owner
            yield f"A row of analyses is not as it should be: Analysis (id {analysis.id}): it cannot be played."


_LEARNING: Final = TypeAdapter(dict[str, Learning])


def setting_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each setting of a person or a server that cannot be used."""
    for person in readable(connection, tables.people, Person):
        for reason in (*_faults(PersonSettings, person.settings), *_learning_faults(person.settings)):
            yield f"A row of people is not as it should be: Person (user_id {person.user_id}): settings: {reason}."
    for server in readable(connection, tables.servers, Server):
        for reason in _faults(ServerSettings, server.settings):
            yield f"A row of servers is not as it should be: Server (guild_id {server.guild_id}): settings: {reason}."


def _faults(kind: type[BaseModel], settings: Mapping[str, Any]) -> Iterator[str]:
    try:
        kind.model_validate(settings)
    except ValidationError as error:
        yield from (f"{'.'.join(map(str, found['loc']))}: {found['msg']}" for found in error.errors())
    yield from (f"{name}: there is no such setting" for name in settings.keys() - kind.model_fields.keys())
    code = settings.get("language")
    if isinstance(code, str) and code not in languages():
        yield f"language: there is no language {code!r}"


def _learning_faults(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the lessons that a person has finished. Each lesson must exist, or have existed once."""
    try:
        learning = _LEARNING.validate_python(settings.get("learning", {}))
    except ValidationError:
        return  # said by `_faults`
    for game_id, progress in learning.items():
        unknown = settings["learning"][game_id].keys() - Learning.model_fields.keys()
        yield from (f"learning.{game_id}.{name}: nothing of that name is kept of lessons" for name in unknown)
        names = COURSES[game_id].names if game_id in COURSES else None
        if names is None:
            yield f"learning.{game_id}: there are no lessons of {game_id!r}"
            continue
        if progress.at not in {"", END, *names}:
            yield f"learning.{game_id}.at: there is no lesson {progress.at!r}"
        for name in set(progress.solved) - names:
            yield f"learning.{game_id}.solved: there is no lesson {name!r}"
