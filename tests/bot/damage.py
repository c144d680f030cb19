"""Damage: writes rows to a SQLite database that the store never would."""

import asyncio
import sqlite3
from pathlib import Path


def damage(database: Path, *statements: str) -> None:
    """Change a database without any of the store's checks."""
    connection = sqlite3.connect(database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


async def damage_beside(database: Path, *statements: str) -> None:
    """The same while a bot is at work in this loop, perhaps in the middle of a write: it is waited for, not held up."""
    await asyncio.to_thread(damage, database, *statements)
