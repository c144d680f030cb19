"""People: their settings, and the pings they have caused, which are kept for as long as they matter."""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import LIVE
from storage.schema.records import Person, Ping
from storage.schema.tables import people, pings, seats, tables
from storage.transactions import Reader, Writer

_PERSON: Final = sa.select(people).where(people.c.user_id == sa.bindparam("user_id"))
_PINGS: Final = (
    sa.select(pings)
    .where(pings.c.by_user == sa.bindparam("user_id"), pings.c.at > sa.bindparam("since"))
    .order_by(pings.c.at, pings.c.id)
)
_PAST_PINGS: Final = sa.delete(pings).where(pings.c.at <= sa.bindparam("before"))


async def get(reader: Reader, user_id: int) -> Person:
    """Return a person's settings, or the defaults if nothing has been set or the row cannot be read."""
    if user_id not in reader.people:
        known = await reader.readable(Person, _PERSON, user_id=user_id)
        reader.people[user_id] = next(iter(known), Person(user_id=user_id))
    return reader.people[user_id]


async def get_to_change(writer: Writer, user_id: int) -> Person:
    """Return a person's settings. They are locked, against other processes as well, until the end of the transaction."""
    await writer.lock(user_id)
    writer.forget_people()
    return await get(writer, user_id)


async def put(writer: Writer, person: Person) -> None:
    """Store a person's settings."""
    writer.forget_people()
    writer.put(people, person)


async def first_written(reader: Reader, since: float) -> tuple[int, float | None]:
    """Return how many people the bot has first written to since a moment, and when it wrote to the first of them."""
    counted = (sa.func.count().label("many"), sa.func.min(people.c.direct_since).label("first"))
    found = await reader.row(sa.select(*counted).where(people.c.direct_since > since))
    return (0, None) if found is None else (found.many, found.first)


async def on_vacation(reader: Reader, since: float) -> tuple[Person, ...]:
    """Return the people whose vacation ended after `since`, or is still on."""
    found = sa.select(people).where(people.c.vacation_until > since)
    if reader.shard_filter is not None:
        there = (seats.c.user_id == people.c.user_id, tables.c.status.in_(LIVE), *reader.own())
        found = found.where(sa.exists().where(seats.c.table_id == tables.c.id, *there))
    return await reader.readable(Person, found)


async def pings_by(writer: Writer, user_id: int, since: float) -> tuple[Ping, ...]:
    """Return the pings that a person has caused after `since`, in seconds since the epoch, oldest first."""
    return await writer.readable(Ping, _PINGS, user_id=user_id, since=since)


async def add_pings(writer: Writer, by_user: int, to_users: Iterable[int], at: float) -> None:
    """Store that a person has caused pings to other people."""
    rows = [{"by_user": by_user, "to_user": user, "at": at} for user in to_users]
    if rows:
        writer.later(sa.insert(pings), rows)


async def forget_pings(writer: Writer, before: float) -> None:
    """Delete all pings up to a moment, in seconds since the epoch."""
    writer.later(_PAST_PINGS, {"before": before})
