"""People and their settings."""

from typing import Final

import sqlalchemy as sa

from storage.queries.row_conditions import LIVE
from storage.schema.records import Person
from storage.schema.tables import people, seats, tables
from storage.transactions import Reader, Writer

_PERSON: Final = sa.select(people).where(people.c.user_id == sa.bindparam("user_id"))


async def get(reader: Reader, user_id: int) -> Person:
    """Return a person's settings, or the defaults if nothing is set or readable."""
    if user_id not in reader.people:
        known = await reader.readable(Person, _PERSON, user_id=user_id)
        reader.people[user_id] = next(iter(known), Person(user_id=user_id))
    return reader.people[user_id]


async def get_to_change(writer: Writer, user_id: int) -> Person:
    """Return a person's settings, locked against other processes, too, until the end of the transaction."""
    await writer.lock(user_id)
    writer.forget_people()
    return await get(writer, user_id)


async def put(writer: Writer, person: Person) -> None:
    """Store a person's settings."""
    writer.forget_people()
    writer.put(people, person)


async def first_written(reader: Reader, since: float) -> tuple[int, float | None]:
    """Return how many people the bot has written to for the first time since a moment, and when to the first of them."""
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
