"""ClockWriter: the changes to the store that concern the time of all tables at once."""

from typing import Final

import sqlalchemy as sa

from storage.aside import at_own
from storage.reading import LIVE, Reader
from storage.records import Grace, Heartbeat, JobKind, Status
from storage.rows import WritingRows
from storage.tables import heartbeats, outbox, servers, tables, thinking

FAR: Final = 1e12
"""A moment that no clock shows. In SQLite every text is greater than it, so comparing leaves out what is not a number."""


class ClockWriter(Reader, WritingRows):
    """The part of a transaction that moves deadlines and keeps heartbeats.

    Attributes:
        soonest: the earliest deadline or reminder, or time for a computer to think, that this transaction has given to a table,
            in seconds since the epoch; None if it has given none. Those that were moved for all tables at once are not counted.
    """

    soonest: float | None = None

    def _note_times(self, *times: object) -> None:
        """Remember the earliest of these times; those that are no numbers are none."""
        for time in times:
            if isinstance(time, int | float) and (self.soonest is None or time < self.soonest):
                self.soonest = time

    async def put_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Store the heartbeat of a process, in place of the one before."""
        values = {"at": heartbeat.at, "halted": heartbeat.halted}
        mine = sa.update(heartbeats).where(heartbeats.c.name == heartbeat.name)
        if await self._count(mine.values(values)) == 0:
            self._later(sa.insert(heartbeats).values(name=heartbeat.name, **values))

    async def beat_on(self, name: str, at: float, *, since: float, until: float) -> bool:
        """Note that a process is still alive, if all is in order. Returns whether it is.

        Args:
            name: the name of the process.
            at: the moment, in seconds since the epoch.
            since: the earliest time at which the heartbeat before may have been.
            until: the latest one. Nothing is noted either if time-outs are stopped.
        """
        mine = (heartbeats.c.name == name, heartbeats.c.halted.is_(None), heartbeats.c.at.between(since, until))
        return await self._count(sa.update(heartbeats).where(*mine).values(at=at)) == 1

    async def give_back(self, since: float, until: float) -> tuple[int, ...]:
        """Move the deadlines and reminders of all open and running tables by the time of an outage.

        A turn that began in the meantime, and a table that was opened then, get back only what they lost of it. At tables of
        servers that the bot was removed from, time stands still anyway.

        Args:
            since: when the outage began, in seconds since the epoch.
            until: when it ended.

        Returns:
            The numbers of the running tables with a clock among them, those whose time is over soonest first.
        """
        began = sa.func.coalesce(tables.c.turn_began, tables.c.created_at)
        left_at = sa.select(servers.c.left_at).where(servers.c.guild_id == tables.c.guild_id).scalar_subquery()
        ended = sa.case((left_at < until, left_at), else_=until)
        lost = ended - sa.case((sa.and_(began > since, began < FAR), began), else_=since)
        timed = sa.and_(tables.c.status == Status.PLAYING, tables.c.clock.is_not(None))
        moved = (
            sa.update(tables)
            .where(tables.c.status.in_(LIVE), tables.c.deadline < FAR, lost > 0, *self._own())
            .values(
                deadline=tables.c.deadline + lost,
                notice_at=tables.c.notice_at + lost,
                given_back=sa.case((timed, sa.func.coalesce(tables.c.given_back, 0.0) + lost), else_=tables.c.given_back),
            )
        )
        return await self._soonest(moved)

    async def shift_deadlines(self, guild_id: int, seconds: float) -> None:
        """Move the deadlines and reminders of all open and running tables of a server by so many seconds."""
        live = sa.update(tables).where(tables.c.guild_id == guild_id, tables.c.status.in_(LIVE))
        self._later(live.values(deadline=tables.c.deadline + seconds, notice_at=tables.c.notice_at + seconds))

    async def begin_anew(
        self, now: float, *, open_for: float, warned_after: float, abandoned_after: float, longest_grace: float
    ) -> tuple[int, ...]:
        """Begin the time of all open and running tables anew, whatever their deadlines say.

        Args:
            now: the moment at which it begins, in seconds since the epoch.
            open_for: the seconds until an open table is closed.
            warned_after: the seconds until the players of a game without a clock are warned.
            abandoned_after: the seconds until such a game ends as abandoned.
            longest_grace: the most seconds of a period of grace; a turn that is in one begins that again.

        Returns:
            The numbers of the running tables with a clock, those whose time is over soonest first.
        """
        timed = sa.and_(tables.c.status == Status.PLAYING, tables.c.clock.is_not(None))
        is_open = tables.c.status == Status.OPEN
        in_grace = sa.and_(tables.c.grace == Grace.RUNNING, tables.c.clock > longest_grace)
        whole = sa.case((in_grace, longest_grace), else_=tables.c.clock)
        time = sa.case((is_open, open_for), (timed, whole), else_=abandoned_after)
        notice = sa.case((is_open, sa.null()), (timed, now + whole / 2.0), else_=now + warned_after)
        gained = now + time - tables.c.deadline
        longer = sa.and_(timed, tables.c.deadline < FAR, gained > 0)
        # Of what the clock of the machine did nothing is known, but no turn can have lost more than all of its time.
        back = sa.func.coalesce(tables.c.given_back, 0.0) + sa.case((gained < whole, gained), else_=whole)
        moved = (
            sa.update(tables)
            .where(tables.c.status.in_(LIVE), tables.c.deadline.is_not(None), *self._own())
            .values(deadline=now + time, notice_at=notice, given_back=sa.case((longer, back), else_=tables.c.given_back))
        )
        return await self._soonest(moved)

    async def _soonest(self, moved: sa.Update) -> tuple[int, ...]:
        """Carry out an update of tables. Returns the running ones with a clock, in the order of their deadlines."""
        returned: sa.Executable = moved.returning(tables.c.id, tables.c.deadline, tables.c.status, tables.c.clock)
        rows = [row for row in await self._do(returned) if row.status is Status.PLAYING and row.clock is not None]
        return tuple(row.id for row in sorted(rows, key=lambda row: (row.deadline, row.id)))

    async def move_reminder(self, job_id: int, due: float) -> None:
        """Have a reminder sent at another time, in seconds since the epoch."""
        self._later(sa.update(outbox).where(outbox.c.id == job_id, outbox.c.kind == JobKind.REMINDER).values(due=due))

    async def move_jobs(self, seconds: float) -> None:
        """Move the times of all jobs and computers, because the clock of the machine has jumped by so many seconds."""
        moved = {"due": thinking.c.due + seconds, "created_at": thinking.c.created_at + seconds}
        self._later(sa.update(thinking).where(thinking.c.due < FAR, *at_own(self._share, thinking.c.table_id)).values(moved))
        own = at_own(self._share, outbox.c.table_id)
        self._later(sa.update(outbox).where(outbox.c.due < FAR, *own).values(due=outbox.c.due + seconds))
