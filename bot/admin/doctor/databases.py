"""Whether the database can be used, and whether there are backups of it."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bot.admin.clocks import stopped_time_outs
from bot.admin.doctor.finding import Finding, bad, good, note, poor
from bot.admin.doctor.machine import nearest
from bot.config import BACKUPS, DATABASE, Settings
from storage.connections.addresses import Address, address_of
from storage.connections.connect import errors_of, reason_of
from storage.connections.server import CONNECTING, server_engine, wished_timeout
from storage.connections.suitability import require_suitable
from storage.schema.errors import StorageError
from storage.upkeep import maintenance
from storage.upkeep.backups import HOUR, BackupFolder

OLDEST: Final = 120_000
"""The oldest supported version of PostgreSQL, 12, in the form in which the server states it."""

CONNECTIONS: Final = 8
"""The most connections that one of the bot's processes has to a server."""

LATE: Final = 2.5 * HOUR
"""The age, in seconds, from which the newest backup counts as too old."""

_OWNER: Final = "Give it to the user that the bot runs as (chown), or choose another place."
_FACTS: Final = sa.text(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name, "
    "pg_is_in_recovery() AS copy, current_schema() AS schema, "
    "coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create, "
    "has_schema_privilege(current_schema(), 'USAGE') AS may_use, current_user AS who, current_database() AS database, "
    "current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most, "
    "(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') - 1 AS used, "
    "current_setting('default_transaction_read_only')::bool AS read_only, "
    "(SELECT count(*) FROM pg_stat_replication) AS standbys, current_setting('synchronous_commit') AS waits_for, "
    "current_setting('synchronous_standby_names') <> '' AS waits_for_standbys"
)


async def examine(settings: Settings) -> list[Finding]:
    """Examine the database, and whether time-outs are stopped."""
    label = f"Database ({DATABASE}):"
    try:
        address = address_of(settings.database.get_secret_value())
        if address.path is None:
            said = await _server(address, label)
        else:
            said = [good(f"{label} {_file(address.path)}")]
    except StorageError as error:
        return [bad(f"{label} {error}")]
    return [*said, *await _clocks(settings)]


async def _clocks(settings: Settings) -> list[Finding]:
    """Examine whether time-outs are stopped. Faults of the database itself are reported elsewhere."""
    try:
        return [poor(f"Clocks: {said}") for said in await stopped_time_outs(settings.database.get_secret_value())]
    except StorageError:
        return []


async def _server(address: Address, label: str) -> list[Finding]:
    try:
        row = await asyncio.to_thread(_facts, address)
    except errors_of(address) as error:
        raise StorageError(
            f"{address} cannot be reached: {reason_of(error)}. Check address, user and password, and that the server runs and "
            "lets this machine in (pg_hba.conf)."
        ) from error
    wrong = list(_faults_of(row))
    return [bad(f"{label} {sentence}") for sentence in wrong] or [
        good(f"{label} {address} answers: PostgreSQL {row.name}, where {row.who} may create tables."),
        *_crowd(row, label),
        *_replication(row, label),
        *_unheeded(address, label),
    ]


def _facts(address: Address) -> Any:
    require_suitable(address, writing=False)
    with server_engine(address, reading=True).connect() as connection:
        return connection.execute(_FACTS).one()


def _faults_of(row: Any) -> Iterator[str]:
    """Yield what keeps the bot from using a server. `row` is the server's answer to _FACTS."""
    if row.version < OLDEST:
        yield f"the server is PostgreSQL {row.name}; at least 12 is needed. Update it."
    if row.copy:
        yield (
            "the server is a copy that can only be read (hot standby). Name the primary server, or all servers and "
            "target_session_attrs=read-write."
        )
    elif row.read_only:
        yield (
            "nothing can be written (default_transaction_read_only is on for the server, the database or the user). "
            f'As a superuser: ALTER DATABASE "{row.database}" SET default_transaction_read_only = off; or is the disk full?'
        )
    if row.schema is None:
        yield (
            f"the user {row.who} has no schema to create tables in. As a superuser: "
            f"CREATE SCHEMA {row.who} AUTHORIZATION {row.who};"
        )
    elif not (row.may_create and row.may_use):
        yield (
            f"the user {row.who} may not create tables in the schema {row.schema}. As its owner: "
            f"GRANT USAGE, CREATE ON SCHEMA {row.schema} TO {row.who};"
        )


def _crowd(row: Any, label: str) -> Iterator[Finding]:
    """Examine whether the server has enough spare connections for one of the bot's processes."""
    left = row.most - row.used
    if left < CONNECTIONS:
        yield poor(
            f"{label} {row.used} of {row.most} connections are used, and each process of the bot may need {CONNECTIONS}. Raise "
            "max_connections in postgresql.conf, or end other programs."
        )


def _replication(row: Any, label: str) -> Iterator[Finding]:
    """Report whether moves that players saw saved could be lost if the server failed."""
    if row.waits_for == "off":
        why = "commits do not wait for the disk (synchronous_commit = off)"
    elif row.standbys and (row.waits_for == "local" or not row.waits_for_standbys):
        why = "its standby servers follow by themselves (asynchronous replication)"
    else:
        return
    yield note(
        f"{label} {why}: if the server fails, moves of its last moments may be lost although players saw them noted. The games "
        "go on from what is left. To lose nothing, set synchronous_commit = on, and synchronous_standby_names."
    )


def _unheeded(address: Address, label: str) -> Iterator[Finding]:
    """Name the parameters of the address that the bot ignores."""
    if address.foreign:
        yield note(f"{label} the address has {', '.join(address.foreign)}, which PostgreSQL does not know. That is left out.")
    wished = wished_timeout(address)
    if wished is not None and wished > CONNECTING:
        yield note(
            f"{label} connect_timeout={wished} is not heeded: players are waiting, so a host is given {CONNECTING:.0f} seconds."
        )


def _file(path: Path) -> str:
    """Examine a database's file, and return a sentence about it. Raises StorageError if it cannot be used."""
    folder = nearest(path.parent)
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        if path.exists():
            raise StorageError(f"{folder} cannot be written to, and SQLite keeps a log beside {path}. {_OWNER}")
        raise StorageError(f"{path} is not there and cannot be made: {folder} cannot be written to. {_OWNER}")
    if not path.exists():
        return f"{path} will be made at the first start."
    for part in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", ".lock"))):
        if part.exists() and not os.access(part, os.R_OK | os.W_OK):
            raise StorageError(f"{part} cannot be read and written by this user. {_OWNER}")
    problems = list(maintenance.check(path))
    if problems:
        raise StorageError(" ".join(problems))
    return f"{path} is sound."


def backups(settings: Settings, now: float) -> Iterator[Finding]:
    """Examine whether the bot makes backups, and how old the newest one is."""
    if settings.on_server:
        yield note("Backups: have the server's own tools make them, such as pg_dump every night; see docs/hosting.md.")
        return
    if settings.backups is None:
        yield note(f"Backups: the bot makes none. Set {BACKUPS} to a folder, such as data/backups, best on another disk.")
        return
    label = f"Backups ({BACKUPS}):"
    try:
        folder = BackupFolder(settings.backups)
        folder.require_writable()
    except StorageError as error:
        yield bad(f"{label} {error}")
        return
    try:
        newest, there = folder.newest(now), folder.backups()
    except StorageError as error:
        yield poor(f"{label} {error}")
        return
    if newest is None:
        yield note(f"{label} none yet in {folder.path}. The bot makes the first one some seconds after its start.")
        return
    hours = (now - newest.made) / HOUR
    if now - newest.made > LATE:
        yield poor(
            f"{label} the newest of {len(there)} is {hours:.0f} hours old. Is the bot running? If it is, its log says "
            "`no backup`, and why."
        )
    else:
        yield good(f"{label} {len(there)} in {folder.path}, the newest {max(0.0, hours) * 60:.0f} minutes old.")
    if newest.faulty:
        yield poor(f"{label} `check` found faults in the newest one. Run `springboard check`, which names them.")
