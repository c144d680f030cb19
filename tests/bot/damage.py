"""Damage: what the store would never write, done to a SQLite database behind its back."""

import sqlite3
from pathlib import Path


def damage(database: Path, *statements: str) -> None:
    """Change a database without any of the store's checks."""
    connection = sqlite3.connect(database)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
