"""Statements for seeks: who is waiting for games on a server, what they would like, and whom they avoid."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import FAR, IN_ORDER, LIVE
from storage.schema.records import SeatStatus, Status
from storage.schema.seek_records import Avoidance, Seek
from storage.schema.tables import avoidances, seats, seeks, tables
from storage.transactions import Reader, Writer

_SEEK: Final = sa.select(seeks).where(seeks.c.guild_id == sa.bindparam("guild_id"), seeks.c.user_id == sa.bindparam("user_id"))
_WAITING: Final = (
    sa.select(seeks)
    .where(seeks.c.guild_id == sa.bindparam("guild_id"), seeks.c.since.is_not(None))
    .order_by(seeks.c.since, seeks.c.user_id)
)


async def get(reader: Reader, guild_id: int, user_id: int) -> Seek | None:
    """Return what a person seeks on a server, or None if they never sought anything or it cannot be read."""
    return next(iter(await reader.readable(Seek, _SEEK, guild_id=guild_id, user_id=user_id)), None)


async def waiting(reader: Reader, guild_id: int) -> tuple[Seek, ...]:
    """Return the seeks of the people waiting on a server, longest waiting first."""
    return await reader.readable(Seek, _WAITING, guild_id=guild_id)


async def put(writer: Writer, seek: Seek) -> None:
    """Store a person's seek on a server, replacing the previous one."""
    writer.put(seeks, seek)


@dataclass(frozen=True, slots=True)
class MatchedPlace:
    """A person's place at a table of matched people. `waits` says whether its game has yet to begin."""

    table_id: int
    user_id: int
    waits: bool


async def matched_places(reader: Reader, guild_id: int) -> tuple[MatchedPlace, ...]:
    """Return the places of matched people at a server's open and running tables."""
    here = (tables.c.guild_id == guild_id, tables.c.matched, tables.c.status.in_(LIVE), IN_ORDER)
    sits = seats.c.status.in_((SeatStatus.INVITED, SeatStatus.JOINED))
    found = sa.select(tables.c.id, seats.c.user_id, tables.c.status).join_from(seats, tables).where(*here, sits)
    return tuple(MatchedPlace(row.id, row.user_id, row.status is Status.OPEN) for row in (await reader.execute(found)).all())


async def avoidances_of(reader: Reader, user_ids: Collection[int]) -> tuple[Avoidance, ...]:
    """Return whom each of these people avoids."""
    found = sa.select(avoidances).where(avoidances.c.user_id.in_(tuple(user_ids)))
    return await reader.readable(Avoidance, found.order_by(avoidances.c.user_id, avoidances.c.avoided_id))


async def avoid(writer: Writer, user_id: int, avoided_ids: Collection[int], now: float) -> None:
    """Replace the list of people whom a person avoids. People who were on it before keep their date."""
    mine = avoidances.c.user_id == user_id
    known = {row.avoided_id for row in await avoidances_of(writer, (user_id,))}
    writer.later(sa.delete(avoidances).where(mine, avoidances.c.avoided_id.not_in(tuple(avoided_ids))))
    for avoided_id in avoided_ids:
        if avoided_id not in known:
            writer.put(avoidances, Avoidance(user_id=user_id, avoided_id=avoided_id, at=now))


async def move(writer: Writer, seconds: float, since: float, until: float, guild_id: int | None = None) -> None:
    """Extend waits going on between `since` and `until`, on one server or all, by `seconds` in which nobody was matched."""
    waited = (seeks.c.since < until, seeks.c.until > since, seeks.c.until < FAR, *writer.own(seeks.c.guild_id))
    here = () if guild_id is None else (seeks.c.guild_id == guild_id,)
    writer.later(sa.update(seeks).where(*waited, *here).values(until=seeks.c.until + seconds))


async def begin_anew(writer: Writer, now: float) -> None:
    """Have all waits begin now, each as long as before, because nobody knows what the time was."""
    waits = (seeks.c.since < FAR, seeks.c.until < FAR, *writer.own(seeks.c.guild_id))
    writer.later(sa.update(seeks).where(*waits).values(since=now, until=now + seeks.c.until - seeks.c.since))
