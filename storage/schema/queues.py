"""The queues of the outbox: which jobs are carried out one after the other, and which of them first.

A queue is a place where jobs post: a channel or thread, or one person, who may have chosen direct messages. A job may name its
place; otherwise it follows from where its table is played. Replays, which take long to draw, have queues of their own.

Queues run side by side. In a queue, the jobs come first that a person who has just clicked waits for, and those come last that
nobody waits for.
"""

from typing import Final

from storage.schema.records import JobKind, Table

FIRST: Final = ((JobKind.LOBBY, JobKind.OPENING), (JobKind.BOARD,))
"""The most urgent kinds of jobs. A board may be shown in a thread that comes with the opening of its table."""

IDLE: Final = frozenset({JobKind.REFRESH, JobKind.RETIRE, JobKind.WATCH, JobKind.REPLAY})
"""The kinds of jobs that nobody waits for."""


def place_of(table: Table) -> str:
    """Return the queue of the jobs that post where a table is played."""
    return f"channel {table.thread_id or table.channel_id}"
