"""Deadlines and reminders: finding those that are due, and changing the times of all tables at once."""

from collections.abc import Collection

import sqlalchemy as sa

from storage.queries.row_conditions import ENDS, FAR, HERE, IN_ORDER, LIVE, RUNNING, UNSEEN, at_own
from storage.schema.records import Grace, Status, Table
from storage.schema.tables import outbox, servers, tables, thinking
from storage.transactions import Reader, Writer


async def due(
    reader: Reader, now: float, *, waits: float = 0.0, limit: int = 100, without: Collection[int] = ()
) -> tuple[Table, ...]:
    """Return the open and running tables whose deadline or reminder is due by `now`, longest overdue first.

    Time stands still at tables in quarantine, and on servers that have removed the bot. Until the message of a turn has been
    posted, the turn's deadline is later by the length of a turn. A deadline counts as due only when it has been over for
    `waits` seconds. Tables in `without` are left out.
    """
    since = sa.case(
        (tables.c.deadline.is_(None), tables.c.notice_at),
        (tables.c.notice_at.is_(None), tables.c.deadline),
        (tables.c.deadline < tables.c.notice_at, tables.c.deadline),
        else_=tables.c.notice_at,
    )
    is_over = sa.and_(tables.c.deadline <= now - waits, now - waits >= ENDS)
    has_come = sa.or_(is_over, tables.c.notice_at <= now)
    found = sa.select(tables).where(*RUNNING, has_come, *reader.own(), *_other_than(without))
    return await reader.readable(Table, found.order_by(since, tables.c.id).limit(limit))


async def next_due(reader: Reader, now: float, *, waits: float = 0.0, without: Collection[int] = ()) -> float | None:
    """Return when the next deadline or reminder is due, in seconds since the epoch, or None. `due` says which count."""
    wanted = (IN_ORDER, HERE, *reader.own(), *_other_than(without))

    def first(column: sa.Column[float | None], status: Status, *more: sa.ColumnElement[bool]) -> sa.Select[float | None]:
        # An index finds the first one at once, however many there are.
        found = sa.select(column).where(tables.c.status == status, column.is_not(None), *more, *wanted)
        return found.order_by(column).limit(1)

    is_past = tables.c.deadline <= now - waits
    unseen = sa.select(sa.func.min(ENDS)).where(tables.c.status == Status.PLAYING, is_past, UNSEEN, *wanted)
    deadlines = (
        first(tables.c.deadline, Status.OPEN),
        first(tables.c.deadline, Status.PLAYING, sa.or_(sa.not_(is_past), sa.not_(UNSEEN))),
        unseen,
    )
    reminders = (first(tables.c.notice_at, status) for status in LIVE)
    asked = (*deadlines, *reminders)
    row = (await reader.execute(sa.select(*(one.scalar_subquery() for one in asked)))).one()
    over = [moment + waits for moment in row[: len(deadlines)] if isinstance(moment, float)]
    return min([*over, *(moment for moment in row[len(deadlines) :] if isinstance(moment, float))], default=None)


async def give_back(writer: Writer, since: float, until: float) -> tuple[int, ...]:
    """Extend the deadlines and reminders of all open and running tables by an outage, in seconds since the epoch.

    If a turn began, or a table was opened, during the outage, it gets back only what it lost. On servers that have removed the
    bot, time stands still in any case. Upcoming reminders are recomputed. Returns the numbers of those running tables that have
    a clock, earliest deadline first.
    """
    began = sa.func.coalesce(tables.c.turn_began, tables.c.created_at)
    left_at = sa.select(servers.c.left_at).where(servers.c.guild_id == tables.c.guild_id).scalar_subquery()
    ended = sa.case((left_at < until, left_at), else_=until)
    lost = ended - sa.case((sa.and_(began > since, began < FAR), began), else_=since)
    timed = sa.and_(tables.c.status == Status.PLAYING, tables.c.clock.is_not(None))
    moved = (
        sa.update(tables)
        .where(tables.c.status.in_(LIVE), tables.c.deadline < FAR, lost > 0, *writer.own())
        .values(
            deadline=tables.c.deadline + lost,
            notice_at=sa.case(
                (tables.c.status != Status.PLAYING, tables.c.notice_at),
                (tables.c.notice_at >= ENDS, since),  # nothing could be told before the time ended
                (tables.c.notice_at < until, tables.c.notice_at),
                else_=until,
            ),
            given_back=sa.case((timed, sa.func.coalesce(tables.c.given_back, 0.0) + lost), else_=tables.c.given_back),
        )
    )
    return await _move(writer, moved)


async def ending(writer: Writer, since: float, until: float) -> tuple[Table, ...]:
    """Return those running games with a clock whose turns end between two moments, earliest first."""
    timed = (tables.c.status == Status.PLAYING, tables.c.clock.is_not(None), tables.c.deadline <= until)
    found = sa.select(tables).where(*timed, ENDS.between(since, until), IN_ORDER, *writer.own()).order_by(ENDS, tables.c.id)
    return await writer.readable(Table, found)


async def shift_deadlines(writer: Writer, guild_id: int, seconds: float) -> None:
    """Extend the deadlines and reminders of a server's open and running tables by `seconds`."""
    live = sa.update(tables).where(tables.c.guild_id == guild_id, tables.c.status.in_(LIVE))
    writer.later(live.values(deadline=tables.c.deadline + seconds, notice_at=tables.c.notice_at + seconds))


async def begin_anew(
    writer: Writer,
    now: float,
    *,
    open_for: float,
    matched_for: float,
    challenged_for: float,
    abandoned_after: float,
    longest_grace: float,
) -> tuple[int, ...]:
    """Restart the deadlines of all open and running tables at `now`, whatever they were before. Times are in seconds.

    An open table closes after `open_for`, a table from matchmaking after `matched_for`, and a ladder challenge after
    `challenged_for`. A game without a clock ends as abandoned after `abandoned_after`. A turn in its grace period starts that
    period again, for at most `longest_grace`. Returns the numbers of the running tables that have a clock, earliest deadline
    first.
    """
    timed = sa.and_(tables.c.status == Status.PLAYING, tables.c.clock.is_not(None))
    is_open = tables.c.status == Status.OPEN
    in_grace = sa.and_(tables.c.grace == Grace.RUNNING, tables.c.clock > longest_grace)
    whole = sa.case((in_grace, longest_grace), else_=tables.c.clock)
    matched, challenged = sa.and_(is_open, tables.c.matched), sa.and_(is_open, tables.c.ladder)
    time = sa.case(
        (matched, matched_for), (challenged, challenged_for), (is_open, open_for), (timed, whole), else_=abandoned_after
    )
    notice = sa.case((is_open, sa.null()), else_=now)
    gained = now + time - tables.c.deadline
    longer = sa.and_(timed, tables.c.deadline < FAR, gained > 0)
    # Nobody knows how far the machine's clock jumped, but no turn can have lost more than all of its time.
    back = sa.func.coalesce(tables.c.given_back, 0.0) + sa.case((gained < whole, gained), else_=whole)
    moved = (
        sa.update(tables)
        .where(tables.c.status.in_(LIVE), tables.c.deadline.is_not(None), *writer.own())
        .values(deadline=now + time, notice_at=notice, given_back=sa.case((longer, back), else_=tables.c.given_back))
    )
    return await _move(writer, moved)


async def _move(writer: Writer, moved: sa.Update) -> tuple[int, ...]:
    returned: sa.Executable = moved.returning(tables.c.id, tables.c.deadline, tables.c.status, tables.c.clock)
    rows = [row for row in await writer.execute(returned) if row.status is Status.PLAYING and row.clock is not None]
    return tuple(row.id for row in sorted(rows, key=lambda row: (row.deadline, row.id)))


async def move_jobs(writer: Writer, seconds: float) -> None:
    """Shift the times of all jobs, and of all computers' decisions, because the machine's clock has jumped by `seconds`."""
    moved = {"due": thinking.c.due + seconds, "created_at": thinking.c.created_at + seconds}
    writer.later(sa.update(thinking).where(thinking.c.due < FAR, *at_own(writer, thinking.c.table_id)).values(moved))
    own = writer.own(outbox.c.guild_id)
    writer.later(sa.update(outbox).where(outbox.c.due < FAR, *own).values(due=outbox.c.due + seconds))


def _other_than(without: Collection[int]) -> list[sa.ColumnElement[bool]]:
    return [tables.c.id.not_in(tuple(without))] if without else []
