"""An overview of the whole database for monitoring. Its queries stay cheap however large the database is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import IN_ORDER, JOB_HERE
from storage.schema.records import Status
from storage.schema.tables import heartbeats, outbox, tables

SET_ASIDE: Final = "set_aside"


@dataclass(frozen=True, slots=True)
class Overview:
    """Figures about the whole database.

    Attributes:
        jobs: how many jobs in the outbox can be done, whether they are due or not.
        put_off: how many of these jobs have failed and are waiting for another attempt.
        oldest_due: for how many seconds the longest overdue job has been due, or 0.0 if none is due.
        halted: whether time-outs are stopped.
        tables: how many tables are `open`, `playing` or `set_aside`.
    """

    jobs: int
    put_off: int
    oldest_due: float
    halted: bool
    tables: Mapping[str, int]


def overview(connection: sa.Connection, now: float) -> Overview:
    """Return the overview for a time, given in seconds since the epoch."""
    failed = sa.func.count(sa.case((outbox.c.tries > 0, 1)))
    counted = sa.select(sa.func.count(), failed, sa.func.min(outbox.c.due)).select_from(outbox.outerjoin(tables))
    owed = counted.where(IN_ORDER, JOB_HERE)
    jobs, put_off, first = connection.execute(owed).one()
    halted = connection.execute(sa.select(sa.func.count()).where(heartbeats.c.halted.is_not(None))).scalar_one()
    live = tables.c.status.in_((Status.OPEN, Status.PLAYING))
    state = sa.case((tables.c.set_aside.is_not(None), SET_ASIDE), else_=sa.cast(tables.c.status, sa.String))
    counts = {str(Status.OPEN): 0, str(Status.PLAYING): 0, SET_ASIDE: 0}
    found = connection.execute(sa.select(state, sa.func.count()).where(live).group_by(state))
    counts |= {str(status): count for status, count in found}
    overdue = now - first if isinstance(first, int | float) else 0.0
    return Overview(jobs, put_off, max(0.0, overdue), halted > 0, counts)
