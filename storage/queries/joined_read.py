"""A table and everybody who has to do with it, read at once: nearly every request begins with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, Final

import sqlalchemy as sa

from storage.schema.records import Departure, Person, Plan, Seat, Server, Table, Watch
from storage.schema.rows import from_row
from storage.schema.tables import departures, people, plans, seats, servers, tables, watches
from storage.transactions import Reader, Record


@dataclass(frozen=True, slots=True)
class JoinedRead:
    """A table and everybody who has to do with it.

    Attributes:
        table: the table.
        server: the server that it is on.
        seats: all seats and invitations, including declined ones, in the order of their places.
        departures: who has left a seat there to a stand-in, in order.
        people: the settings of those who sit or sat there, are invited or watch, and of the person who was asked for, without
            those who have set nothing.
        watches: who wants to be notified about it.
        plans: the plans of those who sit there, by their seats, without those that cannot be read.
    """

    table: Table
    server: Server
    seats: tuple[Seat, ...]
    departures: tuple[Departure, ...]
    people: tuple[Person, ...]
    watches: tuple[Watch, ...]
    plans: tuple[Plan, ...]


_AT: Final = sa.bindparam("table_id", type_=sa.BigInteger)
_ASKED: Final = sa.bindparam("user_id", type_=sa.BigInteger)

_TABLE: Final = (
    sa.select(tables, servers)
    .join_from(tables, servers, servers.c.guild_id == tables.c.guild_id, isouter=True)
    .where(tables.c.id == _AT)
)

_involved = sa.union(
    sa.select(seats.c.user_id).where(seats.c.table_id == _AT),
    sa.select(departures.c.user_id).where(departures.c.table_id == _AT),
    sa.select(watches.c.user_id).where(watches.c.table_id == _AT),
    sa.select(_ASKED.label("user_id")),
).subquery("involved")

_PEOPLE: Final = (
    sa.select(seats, people, watches, plans, departures)
    .select_from(_involved)
    .outerjoin(seats, sa.and_(seats.c.table_id == _AT, seats.c.user_id == _involved.c.user_id))
    .outerjoin(people, people.c.user_id == _involved.c.user_id)
    .outerjoin(watches, sa.and_(watches.c.table_id == _AT, watches.c.user_id == _involved.c.user_id))
    .outerjoin(plans, sa.and_(plans.c.table_id == _AT, plans.c.user_id == seats.c.user_id))
    .outerjoin(departures, sa.and_(departures.c.table_id == _AT, departures.c.user_id == _involved.c.user_id))
    .order_by(seats.c.place, seats.c.asked_at, seats.c.user_id, _involved.c.user_id, departures.c.number)
)
"""A row for each person: their seat, settings, watch and plan, and a seat that they have left, or nothing.

A person who has left several seats has as many rows.
"""


async def of_table(reader: Reader, table_id: int, user_id: int | None = None) -> JoinedRead | None:
    """Return the table with this number and everybody who has to do with it, or None if there is no such table.

    A writer on PostgreSQL locks the table as `queries.tables.get` does. Settings, watches and plans that cannot be read are
    left out. Later questions for these people and watches are answered from what was read here.

    Args:
        reader: the transaction.
        table_id: the number of the table.
        user_id: a person whose settings are wanted too.

    Raises:
        UnreadableRow: if the row of the table, of a seat or of a departure contains something that it cannot.
    """
    row, rows = await reader.run(partial(_select, reader.locked(_TABLE), table_id, user_id))
    if row is None:
        return None
    table, server = from_row(Table, row[: len(tables.c)]), _part(reader, Server, row[len(tables.c) :])
    seated: list[Seat] = []
    known: list[Person] = []
    watching: list[Watch] = []
    planned: list[Plan] = []
    gone: list[Departure] = []
    for person in rows:
        seat, settings, watch, plan, departure = _parts(person)
        if departure[0] is not None:
            gone.append(from_row(Departure, departure))
            if any(other.user_id == gone[-1].user_id for other in gone[:-1]):
                continue
        if seat[0] is not None:
            seated.append(from_row(Seat, seat))
        known.extend(_part(reader, Person, settings))
        watching.extend(_part(reader, Watch, watch))
        planned.extend(_part(reader, Plan, plan))
    asked = () if user_id is None else (user_id,)
    there = (*(seat.user_id for seat in seated), *(departure.user_id for departure in gone), *asked)
    reader.people |= {user: Person(user_id=user) for user in there}
    reader.people |= {person.user_id: person for person in known}
    reader.watches[table_id] = tuple(sorted(watching, key=lambda watch: watch.user_id))
    return JoinedRead(
        table=table, server=next(iter(server), Server(guild_id=table.guild_id)), seats=tuple(seated),
        departures=tuple(sorted(gone, key=lambda departure: departure.number)), people=tuple(known),
        watches=reader.watches[table_id], plans=tuple(sorted(planned, key=lambda plan: plan.seat)),
    )  # fmt: skip


def _select(
    table: sa.Select[Any], table_id: int, user_id: int | None, connection: sa.Connection
) -> tuple[sa.Row[Any] | None, Sequence[sa.Row[Any]]]:
    """Return the row of a table, and the rows of its people."""
    row = connection.execute(table, {"table_id": table_id}).first()
    return row, () if row is None else connection.execute(_PEOPLE, {"table_id": table_id, "user_id": user_id}).all()


def _part(reader: Reader, kind: type[Record], columns: Sequence[Any]) -> tuple[Record, ...]:
    """Return the record in a part of a row; none if the join has found nothing for it, or it cannot be read."""
    record = None if columns[0] is None else reader.read_row(kind, columns)
    return () if record is None else (record,)


_ENDS: Final = tuple(accumulate(len(part.c) for part in (seats, people, watches, plans, departures)))


def _parts(row: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """Return the columns of a row of `_PEOPLE`: of the seat, the settings, the watch, the plan, and the departure."""
    return tuple(row[begin:end] for begin, end in zip((0, *_ENDS), _ENDS, strict=False))
