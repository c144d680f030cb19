"""`springboard health`: whether the bot is alive, for a container's health check or a monitor. It must be cheap.

So this module imports neither Discord nor the games, and `python -m bot.admin.health` takes a fraction of a second. It reads
the environment alone. If the bot answers monitors (SPRINGBOARD_HTTP), it is asked. For any other bot, the database tells when
it was last connected to Discord.
"""

import asyncio
import os
import sqlite3
import sys
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from storage.connections.addresses import Address, address_of
from storage.connections.connect import reason_of
from storage.connections.database_connection import Statistics
from storage.connections.server import ServerConnection, server_engine
from storage.schema.errors import StorageError

FRESH: Final = 720.0
"""Seconds after its last heartbeat for which a bot counts as alive. A connected bot beats every four minutes."""

TIMEOUT: Final = 5.0
"""Seconds that the database may take to answer."""

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - as others write it
"""The addresses at which a bot that listens on all addresses is asked."""

_NEWEST: Final = "SELECT max(at) FROM heartbeats"


def last_heartbeat(address: Address) -> float | None:
    """Return when the bot last beat, in seconds since the epoch, or None. Raises StorageError for an unreadable database."""
    try:
        at = _from_file(address.path) if address.path is not None else asyncio.run(_from_server(address))
    except Exception as error:
        raise StorageError(f"The database {address} cannot be read: {reason_of(error)}.") from error
    return at if isinstance(at, int | float) else None


def _from_file(path: Path) -> object:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=TIMEOUT)) as connection:
        return connection.execute(_NEWEST).fetchone()[0]


async def _from_server(address: Address) -> object:
    server = ServerConnection(server_engine(address, reading=True), Statistics())
    await server.begin(TIMEOUT)
    try:
        return await server.run(lambda connection: connection.execute(sa.text(_NEWEST)).scalar(), TIMEOUT)
    finally:
        await server.drop(TIMEOUT)


def trouble(database: str, now: float) -> str | None:
    """Return why the bot does not seem alive at `now`, or None if it does. Raises StorageError without a readable database."""
    at = last_heartbeat(address_of(database))
    if at is None:
        return "The bot has never been connected to Discord."
    if now - at > FRESH:
        return f"The bot was last connected to Discord {(now - at) / 60:.0f} minutes ago."
    return None


def complaint(http: str) -> str | None:
    """Return what the bot at this host and port complains of, or that it does not answer. Returns None if all is well."""
    host, _, port = http.strip().rpartition(":")
    host = EVERYWHERE.get(host, host)
    try:
        with closing(HTTPConnection(host.strip("[]"), int(port), timeout=TIMEOUT)) as connection:
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            said = answer.read().decode(errors="replace").strip()
    except (OSError, ValueError, HTTPException) as error:
        return f"The bot does not answer at {host}:{port}: {reason_of(error)}."
    return None if answer.status == 200 else said


def main(database: str, http: str | None = None) -> int:
    """Print whether the bot of this database, or at this host and port, is well. Returns the exit status: 0 if so, else 1."""
    try:
        said = complaint(http) if http else trouble(database, time.time())
    except StorageError as error:
        said = str(error)
    print(said or "The bot is alive.", file=sys.stderr if said else sys.stdout)
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(os.environ.get("SPRINGBOARD_DATABASE") or "data/springboard.sqlite3", os.environ.get("SPRINGBOARD_HTTP")))
