"""Counts the statements that a program sends to SQLite, with the help of its connections' trace."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any
from unittest import mock


@dataclass
class Counts:
    """The transactions that read a snapshot, the transactions that write, and the statements in them."""

    snapshots: int = 0
    writes: int = 0
    statements: int = 0

    def note(self, sql: str) -> None:
        words = sql.split(None, 2)
        match [word.upper().rstrip(";") for word in words[:2]]:
            case ["BEGIN", "IMMEDIATE", *_]:
                self.writes += 1
            case ["BEGIN", *_]:
                self.snapshots += 1
            case ["COMMIT" | "ROLLBACK" | "PRAGMA" | "--", *_]:
                pass
            case _:
                self.statements += 1

    def __add__(self, more: "Counts") -> "Counts":
        return Counts(*(getattr(self, one.name) + getattr(more, one.name) for one in fields(self)))

    def since(self, before: "Counts") -> "Counts":
        return Counts(*(getattr(self, one.name) - getattr(before, one.name) for one in fields(self)))

    def copy(self) -> "Counts":
        return self.since(Counts())


@contextlib.contextmanager
def counted() -> Iterator[Counts]:
    """Count what is sent by all connections that are opened in this block."""
    counts, connect = Counts(), sqlite3.connect  # SQLAlchemy calls the same in `sqlite3.dbapi2`

    def traced(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_trace_callback(counts.note)
        return connection

    with mock.patch.object(sqlite3, "connect", traced), mock.patch.object(sqlite3.dbapi2, "connect", traced):
        yield counts
