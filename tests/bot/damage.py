"""Damage: writes rows to a SQLite database that the store never would."""

import asyncio
import sqlite3
from pathlib import Path


def damage(database: Path, *statements: str) -> None:
    connection = sqlite3.connect(database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


async def damage_beside(database: Path, *statements: str) -> None:
    """The same while a bot runs in this loop: wait for its writes, but do not block it."""
    await asyncio.to_thread(damage, database, *statements)
