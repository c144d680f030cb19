"""The queues of the outbox: which jobs are carried out one after the other, and which of them first.

A queue is a place where jobs post: a channel or thread, or one person, who may have chosen direct messages. Replays, which take
long to draw, have queues of their own. Queues run side by side. In a queue, what somebody who has just clicked waits for comes
first, and what nobody waits for comes last.
"""

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


def waiting(*where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The jobs that are due in places that are not busy, in the order in which they are carried out, each with its `place`.

    Its parameters are `now`, the moment in seconds since the epoch; `busy`, the places that are left out; `each`, how many jobs
    of a place are wanted at most, so that however much waits in one, it does not hide the others; and `limit`, how many in all.
    """
    turn = sa.func.row_number().over(partition_by=_PLACE, order_by=urgent_first())
    found = sa.select(outbox, _PLACE.label("place"), _URGENCY.label("urgency"), turn.label("turn"))
    due = found.join_from(outbox, _home).where(outbox.c.due <= sa.bindparam("now"), *where).subquery()
    columns = [due.c[column.name] for column in outbox.c]
    free = due.c.place.not_in(sa.bindparam("busy", expanding=True))
    wanted = sa.select(*columns, due.c.place).where(due.c.turn <= sa.bindparam("each"), free)
    return wanted.order_by(due.c.urgency, due.c.due, due.c.id).limit(sa.bindparam("limit"))


def of_table(*where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The jobs of the table `table_id`, due or not, in the order in which they are carried out."""
    return sa.select(outbox).where(outbox.c.table_id == sa.bindparam("table_id"), *where).order_by(*urgent_first())


def next_due(*where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """When the first of the jobs is due that are due after the moment `after`."""
    return sa.select(sa.func.min(outbox.c.due)).where(outbox.c.due > sa.bindparam("after"), *where)
