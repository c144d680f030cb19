"""SQL statements for running and recently ended games at a server's public tables, except tables in quarantine."""

from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import FAR, IN_ORDER
from storage.schema.records import Ending, Status, Table
from storage.schema.tables import actions, tables
from storage.transactions import Reader

DECIDED: Final = (Ending.RULES, Ending.AGREED)
"""The kinds of ending that give a game a result worth reporting."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many games are running, how many of these have `moved` or begun, and how many have ended with a result."""

    running: int
    moved: int
    ended: int


_OPEN_TO_ALL: Final = (tables.c.guild_id == sa.bindparam("guild_id"), tables.c.private.is_(False), IN_ORDER)
_NEWEST: Final = (
    sa.select(actions.c.at)
    .where(actions.c.table_id == tables.c.id)
    .order_by(actions.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_MOVED_AT: Final = sa.func.coalesce(_NEWEST, tables.c.started_at)
"""When somebody last acted, or when the game began if nobody has."""

_written: Final = sa.cast(sa.type_coerce(tables.c.outcome, sa.String), sa.String)
_RUNNING: Final = tables.c.status == Status.PLAYING
# An ending is a quoted word. The reason can't be mistaken for one, because quotes within it are escaped.
_ENDED: Final = sa.and_(
    tables.c.status == Status.FINISHED,
    tables.c.finished_at.between(sa.bindparam("since"), FAR),
    sa.or_(*(_written.like(f'%"{how.value}"%') for how in DECIDED)),
)

_running: Final = sa.select(tables).where(*_OPEN_TO_ALL, _RUNNING).order_by(_MOVED_AT.desc(), tables.c.id.desc())
_ended: Final = sa.select(tables).where(*_OPEN_TO_ALL, _ENDED).order_by(tables.c.finished_at.desc(), tables.c.id.desc())
_all: Final = (
    sa.select(tables.c.status.label("status"), sa.case((_RUNNING, _MOVED_AT)).label("moved_at"))
    .where(*_OPEN_TO_ALL, sa.or_(_RUNNING, _ENDED))
    .subquery("here")
)
_COUNTS: Final = sa.select(
    sa.func.count().filter(_all.c.status == Status.PLAYING).label("running"),
    sa.func.count().filter(_all.c.moved_at >= sa.bindparam("since")).label("moved"),
    sa.func.count().filter(_all.c.status == Status.FINISHED).label("ended"),
)


async def running(reader: Reader, guild_id: int, *, limit: int) -> tuple[Table, ...]:
    """Return at most `limit` running games, the most recently active first."""
    return await reader.readable(Table, _running.limit(limit), guild_id=guild_id)


async def last_games(reader: Reader, guild_id: int, since: float, *, limit: int) -> tuple[Table, ...]:
    """Return at most `limit` games that have ended with a result since a given moment, the latest first."""
    return await reader.readable(Table, _ended.limit(limit), guild_id=guild_id, since=since)


async def count(reader: Reader, guild_id: int, since: float) -> Counts:
    """Count what has happened since a given moment, in seconds since the epoch."""
    row = (await reader.execute(_COUNTS, {"guild_id": guild_id, "since": since})).one()
    return Counts(row.running, row.moved, row.ended)
