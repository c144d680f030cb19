"""A table and everybody who has to do with it, read at once: what nearly everything begins with."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, Final

import sqlalchemy as sa

from storage.alike import AlikeReader
from storage.lines import Line
from storage.records import Departure, Person, Plan, Seat, Server, Table, Watch
from storage.rows import from_row
from storage.share import Share
from storage.tables import departures, people, plans, seats, servers, tables, watches

_PERSON: Final = sa.select(people).where(people.c.user_id == sa.bindparam("user_id"))
_WATCHERS: Final = sa.select(watches).where(watches.c.table_id == sa.bindparam("table_id")).order_by(watches.c.user_id)


@dataclass(frozen=True, slots=True)
class Gathering:
    """A table and everybody who has to do with it.

    Attributes:
        table: the table.
        server: the server that it is on.
        seats: all seats and invitations, including declined ones, in the order of their places.
        departures: who has left a seat there to somebody else, in order.
        people: the settings of those who sit or sat there, are invited or watch, and of whoever was asked for; those of others,
            and of those who have set nothing, are left out.
        watches: who wants to be notified about it.
        plans: what those who sit there have planned ahead, by their seats; without what cannot be read.
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
"""A row for each person: their seat, their settings, their watch, their plan and that they have left a seat, or nothing.

Whoever has left several has as many rows.
"""


class GatheringReader(AlikeReader):
    """Reads tables with everybody who has to do with them, and remembers what it has read of these people."""

    def __init__(self, line: Line, share: Share | None = None) -> None:
        super().__init__(line, share)
        self._people: dict[int, Person] = {}
        self._watches: dict[int, tuple[Watch, ...]] = {}

    def _forget_people(self) -> None:
        """Ask again for what is known of people, because it changes."""
        self._people.clear()
        self._watches.clear()

    async def person(self, user_id: int) -> Person:
        """Somebody's settings; the defaults for somebody who has set nothing, or nothing that can be read."""
        if user_id not in self._people:
            known = await self._readable(Person, _PERSON, user_id=user_id)
            self._people[user_id] = next(iter(known), Person(user_id=user_id))
        return self._people[user_id]

    async def watchers(self, table_id: int) -> tuple[Watch, ...]:
        """The people who want to be notified about a table."""
        if table_id not in self._watches:
            self._watches[table_id] = await self._readable(Watch, _WATCHERS, table_id=table_id)
        return self._watches[table_id]

    async def gathering(self, table_id: int, user_id: int | None = None) -> Gathering | None:
        """The table with this number and everybody who has to do with it, or None if there is no such table.

        In a write on PostgreSQL, the table is locked as by `Reader.table`. What cannot be read of settings, watches and plans
        is left out.

        Args:
            table_id: the number of the table.
            user_id: somebody whose settings are wanted too.

        Raises:
            UnreadableRow: if the row of the table, of a seat or of a departure contains something that it cannot.
        """
        row, rows = await self.run(partial(_found, self._locked(_TABLE), table_id, user_id))
        if row is None:
            return None
        table, server = from_row(Table, row[: len(tables.c)]), self._read_part(Server, row[len(tables.c) :])
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
            known.extend(self._read_part(Person, settings))
            watching.extend(self._read_part(Watch, watch))
            planned.extend(self._read_part(Plan, plan))
        asked = () if user_id is None else (user_id,)
        there = (*(seat.user_id for seat in seated), *(departure.user_id for departure in gone), *asked)
        self._people |= {user: Person(user_id=user) for user in there}
        self._people |= {person.user_id: person for person in known}
        self._watches[table_id] = tuple(sorted(watching, key=lambda watch: watch.user_id))
        return Gathering(
            table=table, server=next(iter(server), Server(guild_id=table.guild_id)), seats=tuple(seated),
            departures=tuple(sorted(gone, key=lambda departure: departure.number)), people=tuple(known),
            watches=self._watches[table_id], plans=tuple(sorted(planned, key=lambda plan: plan.seat)),
        )  # fmt: skip

    def _locked(self, found: sa.Select[Any]) -> sa.Select[Any]:
        """The statement as it is asked of one table: a writer locks its row."""
        return found


def _found(
    table: sa.Select[Any], table_id: int, user_id: int | None, connection: sa.Connection
) -> tuple[sa.Row[Any] | None, Sequence[sa.Row[Any]]]:
    """The row of a table, and the rows of its people."""
    row = connection.execute(table, {"table_id": table_id}).first()
    return row, () if row is None else connection.execute(_PEOPLE, {"table_id": table_id, "user_id": user_id}).all()


_ENDS: Final = tuple(accumulate(len(part.c) for part in (seats, people, watches, plans, departures)))


def _parts(row: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """The columns of a row of `_PEOPLE`: of the seat, of the settings, of the watch, of the plan, and of the departure."""
    return tuple(row[begin:end] for begin, end in zip((0, *_ENDS), _ENDS, strict=False))
