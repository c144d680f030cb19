"""Statements for ladders: people's places, open challenges, and the badges of past seasons."""

from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import IN_ORDER, LIVE
from storage.schema.ladder_records import Ladder, LadderBadge, LadderPlace
from storage.schema.records import SeatStatus, Status
from storage.schema.tables import ladder_badges, ladder_places, ladders, seats, tables
from storage.transactions import Reader, Writer

_LADDER: Final = sa.select(ladders).where(
    ladders.c.guild_id == sa.bindparam("guild_id"), ladders.c.game == sa.bindparam("game")
)
_PLACES: Final = (
    sa.select(ladder_places)
    .where(ladder_places.c.guild_id == sa.bindparam("guild_id"), ladder_places.c.game == sa.bindparam("game"))
    .order_by(ladder_places.c.place, ladder_places.c.user_id)
)


async def get(reader: Reader, guild_id: int, game: str) -> Ladder | None:
    """Return a server's ladder of a game, or None if nobody has ever joined it or it cannot be read."""
    return next(iter(await reader.readable(Ladder, _LADDER, guild_id=guild_id, game=game)), None)


async def places(reader: Reader, guild_id: int, game: str) -> tuple[LadderPlace, ...]:
    """Return the places of a ladder from the top."""
    return await reader.readable(LadderPlace, _PLACES, guild_id=guild_id, game=game)


async def badges(reader: Reader, guild_id: int, game: str, season: int) -> tuple[LadderBadge, ...]:
    """Return the badges of a ladder's season, ordered by place."""
    c = ladder_badges.c
    theirs = (c.guild_id == guild_id, c.game == game, c.season == season)
    return await reader.readable(LadderBadge, sa.select(ladder_badges).where(*theirs).order_by(c.place))


async def badges_of_person(reader: Reader, guild_id: int, user_id: int) -> tuple[LadderBadge, ...]:
    """Return a person's badges on a server, newest season first."""
    c = ladder_badges.c
    mine = (c.guild_id == guild_id, c.user_id == user_id)
    return await reader.readable(LadderBadge, sa.select(ladder_badges).where(*mine).order_by(c.season.desc(), c.place, c.game))


async def challenges(reader: Reader, guild_id: int, game: str) -> tuple[tuple[int, int], ...]:
    """Return the ids of the challenger and the challenged person for each open or running table of a ladder."""
    on = (tables.c.guild_id == guild_id, tables.c.game == game, tables.c.ladder, tables.c.status.in_(LIVE), IN_ORDER)
    sits = seats.c.status.in_((SeatStatus.INVITED, SeatStatus.JOINED))
    found = sa.select(tables.c.opened_by, seats.c.user_id).join_from(seats, tables).where(*on, sits)
    others = found.where(seats.c.user_id != tables.c.opened_by).order_by(tables.c.id)
    return tuple((row.opened_by, row.user_id) for row in (await reader.execute(others)).all())


async def last_games(reader: Reader, guild_id: int, game: str, user_id: int) -> dict[int, float]:
    """Return when a person's last ladder game against each opponent ended, in seconds since the epoch, by the opponent's id."""
    over = (tables.c.guild_id == guild_id, tables.c.game == game, tables.c.ladder, tables.c.status == Status.FINISHED)
    own, other = seats.alias("own"), seats.alias("other")
    both = (
        own.c.table_id == tables.c.id,
        own.c.user_id == user_id,
        other.c.table_id == tables.c.id,
        other.c.user_id != user_id,
    )
    last = sa.func.max(tables.c.finished_at).label("last")
    found = sa.select(other.c.user_id, last).where(*over, *both).group_by(other.c.user_id)
    rows = (await reader.execute(found)).all()
    return {row.user_id: row.last for row in rows if isinstance(row.last, int | float)}


async def put(writer: Writer, ladder: Ladder) -> None:
    """Store a ladder, replacing the previous version."""
    writer.put(ladders, ladder)


async def put_place(writer: Writer, place: LadderPlace) -> None:
    """Store a person's place on a ladder, replacing the previous one."""
    writer.put(ladder_places, place)


async def remove_place(writer: Writer, guild_id: int, game: str, user_id: int) -> None:
    """Delete a person's place on a ladder. The other places have to be renumbered by the caller."""
    c = ladder_places.c
    writer.later(sa.delete(ladder_places).where(c.guild_id == guild_id, c.game == game, c.user_id == user_id))


async def put_badge(writer: Writer, badge: LadderBadge) -> None:
    """Store a badge."""
    writer.put(ladder_badges, badge)
