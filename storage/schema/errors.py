"""The errors of the store."""

from collections.abc import Mapping
from typing import Any

from storage.schema.game_records import Entry
from storage.schema.table_records import Table

_KEYS = ("id", "table_id", "event_id", "number", "guild_id", "user_id", "puzzle")


class StorageError(Exception):
    """The database cannot be used. The message tells the operator why, and what to do about it."""


class Unreachable(StorageError):
    """The database is unavailable. Nothing of the transaction has been written, unless it was just being committed."""


class NoAnswer(Unreachable):
    """The database has not answered in time."""


class LeaseLost(Unreachable):
    """Another process has taken over the shard, so this process must not write there any more."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Another process has taken over {name}, so nothing was written.")
        self.name = name


class Conflict(Exception):
    """The log of a table already has a different entry with this number, because the board has moved on."""

    def __init__(self, table_id: int, number: int) -> None:
        super().__init__(f"table {table_id} already has an entry {number}")
        self.table_id = table_id
        self.number = number


class Repeated(Exception):
    """An interaction has already made this entry, because the same click was delivered twice."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"interaction {entry.interaction_id} made entry {entry.number} of table {entry.table_id}")
        self.entry = entry


class UnreadableRow(ValueError):
    """A row doesn't fit its record, because it was damaged or was written by another version of the program.

    Attributes:
        kind: the kind of record that the row should be.
        table_id: the table that the row describes or belongs to, or None for people, servers and ratings.
        row_id: the number of the row, or None if it has no number.
    """

    def __init__(self, kind: type, values: Mapping[str, Any], column: str, reason: str) -> None:
        key = ", ".join(f"{name} {values[name]}" for name in _KEYS if values.get(name) is not None)
        super().__init__(f"{kind.__name__} ({key}): {column}: {reason}")
        self.kind = kind
        self.row_id: int | None = values.get("id")
        self.table_id: int | None = values.get("table_id", values["id"] if kind is Table else None)
