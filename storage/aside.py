"""Tables that are set aside because they cannot be read: the queries that work whatever is wrong with a row."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from storage.records import JobKind, Status
from storage.rows import Rows, WritingRows
from storage.share import Share, within
from storage.tables import outbox, plans, seats, servers, tables, thinking

# A value as the database has it, without anything being made of it that could fail.
_RAW = sa.types.NullType()

_OVER = (Status.FINISHED.value, Status.CLOSED.value)
NOT_OVER = sa.cast(sa.type_coerce(tables.c.status, _RAW), sa.String).not_in(_OVER)

IN_ORDER = tables.c.set_aside.is_(None)
"""The condition that a table is not set aside."""

HERE = ~sa.exists().where(servers.c.guild_id == tables.c.guild_id, servers.c.left_at.is_not(None))
"""The condition that the bot is still on the server of a table. It is looked up row by row: a list of all servers that it was
removed from would be made anew with each question."""

SPEAKABLE = sa.or_(
    sa.exists().where(tables.c.id == outbox.c.table_id, IN_ORDER),
    outbox.c.kind == JobKind.SET_ASIDE,
)
"""The condition that a job may be done: its table is not set aside, or it is to tell that it is."""


def at_own(share: Share | None, table_id: sa.ColumnElement[int]) -> tuple[sa.ColumnElement[bool], ...]:
    """The condition that something of a table is of a share; no condition if there is none."""
    own = within(share, tables.c.guild_id)
    return (sa.exists().where(tables.c.id == table_id, *own),) if own else ()


NEVER = 1e12
"""The time, in seconds since the epoch, to which jobs that cannot be read are put off: some 30,000 years from now."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What can be told of a table even if its row cannot be read. What is wrong itself is None.

    Attributes:
        id: its number.
        guild_id, channel_id, thread_id: where it is.
        private: whether it is private, or nobody knows whether it is.
        begun: whether its game has begun, or nobody knows whether it has.
        over: whether its game is over, or was closed.
        reason: why it is set aside; None for a table that is in order.
        seated: the ids of the users who sit there or are invited.
        known: the ids of the users who may know of it: those too who have left the game.
    """

    id: int
    guild_id: int | None
    channel_id: int | None
    thread_id: int | None
    private: bool
    begun: bool
    over: bool
    reason: str | None
    seated: tuple[int, ...]
    known: tuple[int, ...]


class AsideReader(Rows):
    """Reads tables that cannot be read."""

    async def table_ids(self, *, live: bool = False, after: int = 0, limit: int | None = None) -> list[int]:
        """The numbers of tables, whether or not they can be read, in ascending order.

        Args:
            live: without those that are set aside, and those whose games are over.
            after: only those that are higher than this.
            limit: the maximum number of tables.
        """
        found = sa.select(tables.c.id).where(tables.c.id > after, *self._own()).order_by(tables.c.id).limit(limit)
        if live:
            found = found.where(IN_ORDER, NOT_OVER)
        return list((await self._do(found)).scalars())

    async def whereabouts(self, table_id: int) -> Whereabouts | None:
        """What can be told of a table, whatever is wrong with its row; None if there is none."""
        columns = ("guild_id", "channel_id", "thread_id", "private", "status", "set_aside")
        raw = [sa.type_coerce(tables.c[name], _RAW).label(name) for name in columns]
        row = (await self._do(sa.select(*raw).where(tables.c.id == table_id))).mappings().first()
        if row is None:
            return None
        people = [sa.type_coerce(seats.c[name], _RAW).label(name) for name in ("user_id", "status")]
        sitting = (await self._do(sa.select(*people).where(seats.c.table_id == table_id))).mappings().all()
        there = [(person["user_id"], person["status"]) for person in sitting if _number(person["user_id"]) is not None]
        return Whereabouts(
            id=table_id,
            guild_id=_number(row["guild_id"]),
            channel_id=_number(row["channel_id"]),
            thread_id=_number(row["thread_id"]),
            private=row["private"] not in (0, False),
            begun=row["status"] != Status.OPEN.value,
            over=row["status"] in _OVER,
            reason=None if row["set_aside"] is None else str(row["set_aside"]),
            seated=tuple(user for user, status in there if status in ("joined", "invited") and user > 0),
            known=tuple(user for user, status in there if status != "declined"),
        )

    async def set_aside(self, guild_id: int | None = None, *, over: bool = False) -> list[tuple[int, str]]:
        """The numbers of the tables that are set aside, with the reasons: those of one server, or of all.

        Those whose games are over, or were closed, are left out unless `over`.
        """
        found = sa.select(tables.c.id, tables.c.set_aside.label("reason")).where(~IN_ORDER, *self._own())
        if not over:
            found = found.where(NOT_OVER)
        if guild_id is not None:
            found = found.where(tables.c.guild_id == guild_id)
        rows = (await self._do(found.order_by(tables.c.id))).mappings()
        return [(row["id"], str(row["reason"])) for row in rows]

    async def dead_jobs(self) -> list[int]:
        """The ids of the jobs that were put off for ever because they could not be read."""
        dead = sa.select(outbox.c.id).where(outbox.c.due == NEVER, *at_own(self._share, outbox.c.table_id))
        return list((await self._do(dead)).scalars())


class AsideWriter(AsideReader, WritingRows):
    """Changes tables that cannot be read."""

    async def put_aside(self, table_id: int, reason: str) -> bool:
        """Set a table aside. Returns False if it was set aside before, or there is none."""
        change = sa.update(tables).where(tables.c.id == table_id, IN_ORDER).values(set_aside=reason)
        return await self._count(change) == 1

    async def take_back(self, table_id: int) -> None:
        """Undo `put_aside`."""
        self._later(sa.update(tables).where(tables.c.id == table_id).values(set_aside=None))

    async def shut(self, table_id: int, now: float, **columns: Any) -> None:
        """Close a table without reading it: change these columns, stop its clock, and delete what was still to happen there."""
        for what in (outbox, plans, thinking):
            self._later(sa.delete(what).where(what.c.table_id == table_id))
        ended = {"finished_at": now, "deadline": None, "notice_at": None, "rated": False}
        self._later(sa.update(tables).where(tables.c.id == table_id).values(**(ended | columns)))

    async def bury_job(self, job_id: int) -> None:
        """Put off for ever a job that cannot be read."""
        self._later(sa.update(outbox).where(outbox.c.id == job_id).values(due=NEVER))

    async def revive_job(self, job_id: int, due: float) -> None:
        """Undo `bury_job`."""
        self._later(sa.update(outbox).where(outbox.c.id == job_id).values(due=due, tries=0))


def _number(value: object) -> int | None:
    return value if type(value) is int else None
