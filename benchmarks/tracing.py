"""Counts the statements that a program sends to SQLite, with the help of its connections' trace."""

import contextlib
import mmap
import sqlite3
import struct
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any, Final
from unittest import mock

KEPT: Final = struct.Struct("3q")
"""The format of a file with counts."""


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
    counts = Counts()
    with _traced(counts.note):
        yield counts


@contextlib.contextmanager
def counted_in(file: Path) -> Iterator[None]:
    """Count in a file, which another process can read in the meantime, what is sent by connections opened in this block."""
    counts = Counts()
    file.write_bytes(KEPT.pack(*astuple(counts)))
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), KEPT.size) as memory:

        def note(sql: str) -> None:
            counts.note(sql)
            KEPT.pack_into(memory, 0, *astuple(counts))

        with _traced(note):
            yield


def read(file: Path) -> Counts:
    """Return the counts in a file."""
    return Counts(*KEPT.unpack(file.read_bytes()))


@contextlib.contextmanager
def _traced(note: Callable[[str], None]) -> Iterator[None]:
    connect = sqlite3.connect  # SQLAlchemy calls the same in `sqlite3.dbapi2`

    def traced(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_trace_callback(note)
        return connection

    with mock.patch.object(sqlite3, "connect", traced), mock.patch.object(sqlite3.dbapi2, "connect", traced):
        yield
