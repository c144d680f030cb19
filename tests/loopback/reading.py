"""Reads a bot's SQLite or PostgreSQL database without using the bot, which may be running."""

import asyncio
import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import set_json_loads

Database = Path | str
"""A file, or a PostgreSQL URL."""
TIMEOUT = 60.0


def rows(database: Database, statement: str, *values: Any) -> list[dict[str, Any]]:
    """A query's rows. A question mark stands for a value."""
    if isinstance(database, Path):
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=TIMEOUT)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(statement, values)]
    with ThreadPoolExecutor(1) as thread:  # whoever asks has an event loop of its own
        return thread.submit(asyncio.run, told(database, statement, *values)).result()


async def told(url: str, statement: str, *values: Any) -> list[dict[str, Any]]:
    """The same for PostgreSQL, also what a changing command returns."""
    async with (
        asyncio.timeout(TIMEOUT),
        await psycopg.AsyncConnection.connect(url, autocommit=True, row_factory=dict_row) as connection,
    ):
        set_json_loads(lambda json: json if isinstance(json, str) else json.decode(), connection)  # as in a file
        found = await connection.execute(statement.replace("%", "%%").replace("?", "%s"), values)
        return [] if found.description is None else await found.fetchall()
