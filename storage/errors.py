"""What can go wrong between the store and whoever uses it."""

from storage.records import Entry


class StorageError(Exception):
    """The database cannot be used. The message tells the operator, in sentences, what is wrong and what to do about it."""


class Conflict(Exception):
    """That number of a table's log is already taken by another entry: the board has moved on."""

    def __init__(self, table_id: int, number: int) -> None:
        super().__init__(f"table {table_id} already has an entry {number}")
        self.table_id = table_id
        self.number = number


class Repeated(Exception):
    """An interaction that has already made an entry: the same click was delivered twice.

    Attributes:
        entry: what it made the first time.
    """

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"interaction {entry.interaction_id} made entry {entry.number} of table {entry.table_id}")
        self.entry = entry
