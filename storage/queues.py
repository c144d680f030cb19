"""The queues of the outbox: which jobs are carried out one after the other, and which of them first.

A queue is a place where jobs post: a channel or thread, or one person, who may have chosen direct messages. Replays, which take
long to draw, have queues of their own. Queues run side by side. In a queue, what somebody who has just clicked waits for comes
first, and what nobody waits for comes last.
"""

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa

from storage.records import JobKind, Table
from storage.tables import outbox, tables

FIRST: Final = ((JobKind.LOBBY, JobKind.OPENING), (JobKind.BOARD,))
"""The most urgent kinds of jobs. A board may be shown in a thread that comes with the opening of its table."""

IDLE: Final = frozenset({JobKind.REFRESH, JobKind.RETIRE, JobKind.WATCH, JobKind.REPLAY})
"""The kinds of jobs that nobody waits for."""


def place_of(table: Table) -> str:
    """The queue of the jobs that post where a table is played."""
    return f"channel {table.thread_id or table.channel_id}"


def _words(*parts: Any) -> sa.ColumnElement[str]:
    """The parts as text, joined by spaces."""
    joined: sa.ColumnElement[str] = sa.literal("")
    for number, part in enumerate(parts):
        text = sa.literal(part) if isinstance(part, str) else sa.cast(part, sa.String)
        joined = text if number == 0 else joined.concat(" ").concat(text)
    return joined


# The table of a job, under a name of its own: conditions on jobs ask for tables too.
_home = tables.alias("home")

_PLACE: Final = sa.case(
    (outbox.c.kind == JobKind.WATCH, _words("person", outbox.c.key)),
    (outbox.c.kind == JobKind.REMINDER, _words("reminder", outbox.c.table_id, outbox.c.key)),
    # A replay takes long to draw, and nothing else is to wait for it.
    (outbox.c.kind == JobKind.REPLAY, _words("replay", outbox.c.table_id, outbox.c.key)),
    (outbox.c.kind == JobKind.LETTER, _words("letter", outbox.c.table_id, outbox.c.key)),
    (outbox.c.kind.in_((JobKind.LOBBY, JobKind.OPENING)), _words("channel", sa.func.coalesce(_home.c.channel_id, 0))),
    else_=_words("channel", sa.func.coalesce(_home.c.thread_id, _home.c.channel_id, 0)),
)

_URGENCY: Final = sa.case(
    *((outbox.c.kind.in_(kinds), number) for number, kinds in enumerate(FIRST)),
    (outbox.c.kind.in_(IDLE), len(FIRST) + 1),
    else_=len(FIRST),
)


def urgent_first() -> tuple[sa.ColumnElement[Any], ...]:
    """The order in which jobs are carried out."""
    return _URGENCY, outbox.c.due, outbox.c.id


def queues_due(now: float, busy: Collection[str], limit: int, *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The places with jobs that are due, other than those that are busy: the most urgent and oldest first."""
    joined = sa.select(_PLACE.label("place"), _URGENCY.label("urgency"), outbox.c.due.label("due"))
    found = joined.join_from(outbox, _home).where(outbox.c.due <= now, *where).subquery()
    ordered = sa.select(found.c.place).where(found.c.place.not_in(list(busy))).group_by(found.c.place)
    return ordered.order_by(sa.func.min(found.c.urgency), sa.func.min(found.c.due), found.c.place).limit(limit)


def queue(place: str, now: float, limit: int, *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The jobs of a queue that are due, in the order in which they are carried out."""
    found = sa.select(outbox).join_from(outbox, _home).where(outbox.c.due <= now, sa.literal(place) == _PLACE, *where)
    return found.order_by(*urgent_first()).limit(limit)


def next_due(busy: Collection[str], *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """When the next job of a queue that is not busy is due."""
    found = sa.select(_PLACE.label("place"), outbox.c.due.label("due")).join_from(outbox, _home).where(*where).subquery()
    return sa.select(sa.func.min(found.c.due)).where(found.c.place.not_in(list(busy)))
