"""How long games have waited for one person. This is found from the logs alone, without replaying a game."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from storage.queries.row_conditions import FAR, IN_ORDER, raw
from storage.schema.records import EntryKind, SeatStatus, Status
from storage.schema.tables import actions, departures, seats, tables
from storage.transactions import Reader


@dataclass(frozen=True, slots=True)
class Wait:
    """A log entry with which a game stopped waiting for a person, or went on to wait for the person's next action.

    Attributes:
        fresh: whether a turn begins with it, because the previous entry is another seat's or there is none.
        since: when the previous entry was made, or when the game began if there is none, in seconds since the epoch.
        until: when this entry was made.
        clock: how many seconds the person had.
        counts: whether the person acted by hand or ran out of time. An entry does not count if they left, undid something, or
            had a plan that answered at once.
        timed_out: whether they ran out of time, so that the bot acted for them.
    """

    table_id: int
    fresh: bool
    since: float
    until: float
    clock: float
    counts: bool
    timed_out: bool


async def of_person(
    reader: Reader,
    *,
    guild_id: int,
    user_id: int,
    since: float,
    seen_by: int | None = None,
    game: str | None = None,
    games: int | None = None,
    table_id: int | None = None,
) -> tuple[Wait, ...]:
    """Return how long games at a server's tables have waited for a person since a moment, table by table and in order.

    Games without a clock, and games in quarantine, are left out. If `seen_by` is given, only tables count at which this user
    may certainly look: public ones, and those where they have a seat. If `games` is given, only so many of the newest tables
    count.
    """
    here = () if table_id is None else (tables.c.id == table_id,)
    played = sa.select(tables.c.id).where(_played(guild_id, user_id, since, seen_by, game), *here)
    log = _log(played.order_by(tables.c.id.desc()).limit(games)).subquery("log")
    timed_out = log.c.user_id.is_(None)
    by_hand = sa.and_(log.c.kind == EntryKind.PLAY.value, log.c.fired.is_(False))
    found = (
        sa.select(
            log.c.table_id,
            sa.func.coalesce(log.c.seat_before != log.c.seat, sa.true()).label("fresh"),
            sa.func.coalesce(log.c.at_before, log.c.at).label("since"),
            log.c.at.label("until"),
            log.c.clock,
            sa.or_(timed_out, by_hand).label("counts"),
            timed_out.label("timed_out"),
        )
        .where(log.c.at > since, log.c.at < FAR)
        .where(sa.or_(log.c.user_id == user_id, sa.and_(timed_out, _had_seat(log.c) == user_id)))
        .order_by(log.c.table_id, log.c.number)
    )
    return tuple(Wait(**row) for row in (await reader.execute(found)).mappings())


def _played(guild_id: int, user_id: int, since: float, seen_by: int | None, game: str | None) -> sa.ColumnElement[bool]:
    """Return the condition that a game has a clock, was still going on after a moment, and has or had a seat for a person."""
    left = sa.select(departures.c.table_id).where(departures.c.user_id == user_id)
    conditions = [
        tables.c.guild_id == guild_id,
        IN_ORDER,
        tables.c.clock.is_not(None),
        sa.or_(tables.c.status == Status.PLAYING, sa.and_(tables.c.status == Status.FINISHED, tables.c.finished_at > since)),
        sa.or_(tables.c.id.in_(_seated(user_id)), tables.c.id.in_(left)),
    ]
    if seen_by is not None:
        conditions.append(sa.or_(tables.c.private.is_(False), tables.c.id.in_(_seated(seen_by))))
    if game is not None:
        conditions.append(tables.c.game == game)
    return sa.and_(*conditions)


def _seated(user_id: int) -> sa.Select[Any]:
    there = (SeatStatus.JOINED, SeatStatus.WITHDRAWN)
    return sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(there))


def _log(played: sa.Select[Any]) -> sa.Select[Any]:
    """Return the logs of these tables, with each entry's neighbours. No damaged row can make this fail."""

    def along(value: sa.sql.functions.Function[Any]) -> sa.ColumnElement[Any]:
        return value.over(partition_by=actions.c.table_id, order_by=actions.c.number)

    at, kind = sa.cast(raw(actions.c.at), sa.Double), raw(actions.c.kind)
    began = sa.cast(raw(tables.c.started_at), sa.Double)
    return (
        sa.select(
            actions.c.table_id,
            actions.c.number,
            actions.c.seat,
            actions.c.user_id,
            actions.c.fired,
            kind.label("kind"),
            at.label("at"),
            sa.cast(raw(tables.c.clock), sa.Double).label("clock"),
            along(sa.func.lag(actions.c.seat)).label("seat_before"),
            along(sa.func.lag(at, 1, began)).label("at_before"),
            along(sa.func.lead(kind)).label("kind_after"),
        )
        .join_from(actions, tables, tables.c.id == actions.c.table_id)
        .where(tables.c.id.in_(played))
    )


def _had_seat(log: Any) -> sa.ColumnElement[Any]:
    """Return the id of the person who had the seat of an entry at the time when the entry was made.

    A person who left by running out of time is recorded as having left before that entry, if somebody else has since taken the
    seat and so undone the leaving.
    """
    taken_back = sa.and_(log.kind == EntryKind.WITHDRAW.value, log.kind_after == EntryKind.UNDO.value)
    last = log.number - sa.case((taken_back, 1), else_=0)
    left_later = (
        sa.select(departures.c.user_id)
        .where(departures.c.table_id == log.table_id, departures.c.place == log.seat, departures.c.version >= last)
        .order_by(departures.c.version, departures.c.number)
        .limit(1)
    )
    has = sa.select(seats.c.user_id).where(seats.c.table_id == log.table_id, seats.c.place == log.seat).limit(1)
    return sa.func.coalesce(left_later.scalar_subquery(), has.scalar_subquery())
