"""Tables that cannot be read: which errors mean that, and which are only of the moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from bot.sessions.history import BrokenLog
from engines import UnknownRules
from storage.errors import UnreadableRow


class Unsound(Exception):
    """A table cannot be read, or its log breaks the rules, and that will not change by itself.

    Attributes:
        table_id: the number of the table.
        reason: why, in English for the operator.
    """

    def __init__(self, table_id: int, reason: str) -> None:
        super().__init__(f"table {table_id}: {reason}")
        self.table_id = table_id
        self.reason = reason


@contextmanager
def judged(table_id: int) -> Iterator[None]:
    """Turn those errors of the block that say that the table itself is broken into `Unsound`.

    All others pass, such as a database that is gone for a moment: they say nothing about the table.
    """
    try:
        yield
    except (BrokenLog, UnknownRules) as error:
        raise Unsound(table_id, str(error.args[0])) from error
    except UnreadableRow as error:
        raise Unsound(table_id, str(error)) from error
