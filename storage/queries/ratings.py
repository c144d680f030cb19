"""Ratings, which say how well people play each game on a server."""

from collections.abc import Collection

import sqlalchemy as sa

from storage.schema.records import Rating
from storage.schema.tables import departures, ratings, seats, tables
from storage.transactions import Reader, Writer


async def get(reader: Reader, guild_id: int, user_id: int, game: str) -> Rating | None:
    """Return a person's rating at a game on a server, or None if they have not played a rated game yet."""
    key = (ratings.c.guild_id == guild_id, ratings.c.user_id == user_id, ratings.c.game == game)
    return await reader.record(Rating, sa.select(ratings).where(*key))


async def find(
    reader: Reader,
    *,
    guild_id: int | None = None,
    user_id: int | None = None,
    game: str | None = None,
    played_at_least: int = 0,
    limit: int | None = None,
) -> tuple[Rating, ...]:
    """Return the ratings that meet all of these conditions, from best to worst."""
    found = sa.select(ratings).where(ratings.c.played >= played_at_least)
    if guild_id is not None:
        found = found.where(ratings.c.guild_id == guild_id)
    if user_id is not None:
        found = found.where(ratings.c.user_id == user_id)
    if game is not None:
        found = found.where(ratings.c.game == game)
    order = (ratings.c.mu.desc(), ratings.c.played.desc(), ratings.c.user_id, ratings.c.game, ratings.c.guild_id)
    return await reader.readable(Rating, found.order_by(*order).limit(limit))


async def of_people(reader: Reader, guild_id: int, user_ids: Collection[int]) -> tuple[Rating, ...]:
    """Return the ratings of these people on a server, at all games."""
    theirs = (ratings.c.guild_id == guild_id, ratings.c.user_id.in_(tuple(user_ids)))
    return await reader.readable(Rating, sa.select(ratings).where(*theirs).order_by(ratings.c.user_id, ratings.c.game))


async def rated_together(
    reader: Reader, guild_id: int, game: str, user_ids: Collection[int], since: float
) -> tuple[frozenset[int], ...]:
    """For each game that ended on a server since a moment and counted for several of these people, return those people."""
    theirs = [
        sa.select(taken.c.table_id, taken.c.user_id)
        .join(tables, tables.c.id == taken.c.table_id)
        .where(taken.c.user_id.in_(tuple(user_ids)), taken.c.rating_after.is_not(None), *own)
        .where(tables.c.guild_id == guild_id, tables.c.game == game, tables.c.finished_at >= since)
        for taken, own in ((seats, (seats.c.rated_as.is_(None),)), (departures, ()))
    ]
    found: dict[int, set[int]] = {}
    for row in await reader.execute(sa.union(*theirs)):
        found.setdefault(row.table_id, set()).add(row.user_id)
    return tuple(frozenset(people) for people in found.values() if len(people) > 1)


async def put(writer: Writer, rating: Rating) -> None:
    """Store a rating."""
    writer.put(ratings, rating)
