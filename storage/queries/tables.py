"""Tables: finding them, reading one with everybody involved, opening one and changing it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate
from typing import Any, Final

import sqlalchemy as sa

from storage.queries.row_conditions import IN_ORDER, LIVE, NOT_OVER
from storage.schema.records import Departure, Person, Plan, Seat, SeatStatus, Server, Status, Table, Watch
from storage.schema.rows import from_row, to_row
from storage.schema.tables import departures, people, plans, seats, servers, tables, watches
from storage.transactions import Reader, Record, Writer


@dataclass(frozen=True, slots=True)
class JoinedRead:
    """A table, with everybody involved in it.

    Attributes:
        seats: all seats and invitations, including those that were declined, ordered by place.
        departures: those who have left a seat there to a substitute, in order.
        people: the settings of those who sit or sat there, are invited or watch, and of the person asked for. People who have
            set nothing are missing.
        plans: the readable plans of those who sit there, ordered by seat.
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

_PARTS: Final = (seats, people, watches, plans, departures)
_PEOPLE: Final = (
    sa.select(*_PARTS)
    .select_from(_involved)
    .outerjoin(seats, sa.and_(seats.c.table_id == _AT, seats.c.user_id == _involved.c.user_id))
    .outerjoin(people, people.c.user_id == _involved.c.user_id)
    .outerjoin(watches, sa.and_(watches.c.table_id == _AT, watches.c.user_id == _involved.c.user_id))
    .outerjoin(plans, sa.and_(plans.c.table_id == _AT, plans.c.user_id == seats.c.user_id))
    .outerjoin(departures, sa.and_(departures.c.table_id == _AT, departures.c.user_id == _involved.c.user_id))
    .order_by(seats.c.place, seats.c.asked_at, seats.c.user_id, _involved.c.user_id, departures.c.number)
)
"""The statement for each person's seat, settings, watch and plan, if any, with a row for each seat that they have left."""

_ENDS: Final = tuple(accumulate(len(part.c) for part in _PARTS))
_COLUMNS: Final = tuple(slice(end - len(part.c), end) for part, end in zip(_PARTS, _ENDS, strict=True))
"""The columns of such a row that belong to each of the parts."""

_ONE_TABLE: Final = sa.select(tables).where(tables.c.id == sa.bindparam("table_id"))


async def get(reader: Reader, table_id: int) -> Table | None:
    """Return the table, or None. On PostgreSQL, a writer locks it against other processes. Raises UnreadableRow."""
    return await reader.record(Table, reader.locked(_ONE_TABLE), table_id=table_id)


async def get_joined(reader: Reader, table_id: int, user_id: int | None = None) -> JoinedRead | None:
    """Return the table with this number and everybody involved, or None if it doesn't exist.

    On PostgreSQL, a writer locks the table as `get` does. Unreadable settings, watches and plans are left out, and an
    unreadable table, seat or departure raises UnreadableRow. The settings of `user_id` are read as well. Later questions about
    these people and watches are answered from what was read here.
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
        seat, settings, watch, plan, departure = (person[columns] for columns in _COLUMNS)
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


async def find(
    reader: Reader,
    *,
    guild_id: int | None = None,
    channel_id: int | None = None,
    user_id: int | None = None,
    seen_by: int | None = None,
    statuses: Collection[Status] | None = None,
    game: str | None = None,
    numbers: Collection[int] | None = None,
    after: int | None = None,
    before: int | None = None,
    limit: int | None = None,
    newest_first: bool = True,
    own: bool = False,
) -> tuple[Table, ...]:
    """Return the tables that meet all of these conditions, leaving out those in quarantine.

    `channel_id` is the channel where the table was opened, or the thread where it is played. `user_id` has a seat or an
    invitation there, and has not left the game. `seen_by` may look at the table, because it is public, or because that user has
    or is offered a seat there. The number of the table is among `numbers`, and between `after` and `before`. If `own`, the
    table's server belongs to this process.
    """
    found = sa.select(tables).where(*_matching(guild_id, channel_id, seen_by, game), *(reader.own() if own else ()))
    if user_id is not None:
        there = (SeatStatus.JOINED, SeatStatus.INVITED)
        sits = sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(there))
        found = found.where(tables.c.id.in_(sits))
    if statuses is not None:
        found = found.where(tables.c.status.in_(tuple(statuses)))
    if numbers is not None:
        found = found.where(tables.c.id.in_(tuple(numbers)))
    if after is not None:
        found = found.where(tables.c.id > after)
    if before is not None:
        found = found.where(tables.c.id < before)
    found = found.order_by(tables.c.id.desc() if newest_first else tables.c.id)
    return await reader.readable(Table, found.limit(limit))


async def results(
    reader: Reader,
    *,
    guild_id: int,
    user_id: int,
    channel_id: int | None = None,
    seen_by: int | None = None,
    game: str | None = None,
    handed_over: bool = False,
    limit: int | None = None,
) -> tuple[Table, ...]:
    """Return the finished games that a person has played on a server, including those that they left, the latest first.

    If a `channel_id` is given, only games in that channel or thread are returned. If `seen_by` is given, only games that this
    user may look at. If `handed_over`, rated games that were left to a substitute, but still count for the person, are returned
    too.
    """
    there = (SeatStatus.JOINED, SeatStatus.WITHDRAWN)
    sat = sa.and_(seats.c.user_id == user_id, seats.c.status.in_(there))
    played = sa.select(seats.c.table_id).where(sa.or_(sat, seats.c.rated_as == user_id) if handed_over else sat)
    involved: sa.ColumnElement[bool] = tables.c.id.in_(played)
    if handed_over:
        lost = sa.select(departures.c.table_id).where(departures.c.user_id == user_id, departures.c.lost)
        involved = sa.or_(involved, tables.c.id.in_(lost))
    wanted = (*_matching(guild_id, channel_id, seen_by, game), tables.c.status == Status.FINISHED, involved)
    found = sa.select(tables).where(*wanted)
    return await reader.readable(Table, found.order_by(tables.c.finished_at.desc(), tables.c.id.desc()).limit(limit))


def _matching(
    guild_id: int | None, channel_id: int | None, seen_by: int | None, game: str | None
) -> Iterator[sa.ColumnElement[bool]]:
    """Yield the condition that a table is not in quarantine, and those conditions of `find` that are given."""
    yield IN_ORDER
    if guild_id is not None:
        yield tables.c.guild_id == guild_id
    if channel_id is not None:
        yield sa.or_(tables.c.channel_id == channel_id, tables.c.thread_id == channel_id)
    if seen_by is not None:
        yield _open_to(seen_by)
    if game is not None:
        yield tables.c.game == game


async def ids(reader: Reader, *, live: bool = False, after: int = 0, limit: int | None = None) -> list[int]:
    """Return the numbers of tables above `after`, in ascending order, whether the tables are readable or not.

    If `live`, tables that are in quarantine or whose games are over are left out.
    """
    found = sa.select(tables.c.id).where(tables.c.id > after, *reader.own()).order_by(tables.c.id).limit(limit)
    if live:
        found = found.where(IN_ORDER, NOT_OVER)
    return list((await reader.execute(found)).scalars())


async def by_interaction(reader: Reader, interaction_id: int) -> int | None:
    """Return the number of the table that an interaction has opened, or None if it has opened none."""
    found = await reader.execute(sa.select(tables.c.id).where(tables.c.interaction_id == interaction_id))
    return found.scalar_one_or_none()


async def count_open(reader: Reader, guild_id: int, opened_by: int) -> int:
    """Return how many tables that a user opened on a server are open or running. Matched and quarantined ones don't count."""
    count = sa.select(sa.func.count()).select_from(tables)
    mine = (tables.c.guild_id == guild_id, tables.c.opened_by == opened_by, ~tables.c.matched)
    number: int = (await reader.execute(count.where(*mine, tables.c.status.in_(LIVE), IN_ORDER))).scalar_one()
    return number


async def plays_rated(reader: Reader, user_id: int, game: str, variant: str) -> bool:
    """Return whether a person sits at a running rated table of this game and variant, on any server."""
    at_table = (seats.c.user_id == user_id, seats.c.status == SeatStatus.JOINED, tables.c.status == Status.PLAYING)
    alike = (tables.c.rated.is_(True), tables.c.game == game, tables.c.variant == variant, IN_ORDER)
    found = sa.select(sa.exists().where(seats.c.table_id == tables.c.id, *at_table, *alike))
    return bool((await reader.execute(found)).scalar())


async def add(writer: Writer, table: Table) -> Table:
    """Insert a new table, with a number that no table has ever had."""
    row = to_row(table)
    del row["id"]
    writer.note_times(table.deadline, table.notice_at)
    return replace(table, id=(await writer.execute(sa.insert(tables).values(row).returning(tables.c.id))).scalar_one())


async def change(writer: Writer, table_id: int, **columns: object) -> Table:
    """Change some fields of a table, and return it. Raises TypeError for a wrong field, LookupError for a missing table."""
    _check(writer, columns)
    if columns:
        changed = await writer.record(Table, _change(tuple(columns), returned=True), **_new_values(table_id, columns))
    else:
        changed = await get(writer, table_id)
    if changed is None:
        raise LookupError(f"there is no table {table_id}")
    return changed


async def amend(writer: Writer, table: Table, **columns: object) -> Table:
    """Return a table, read in this transaction, with some fields changed. If it is missing, LookupError is raised later."""
    _check(writer, columns)
    if columns:

        def update(connection: sa.Connection) -> None:
            if connection.execute(_change(tuple(columns)), _new_values(table.id, columns)).rowcount == 0:
                raise LookupError(f"there is no table {table.id}")

        writer.run_later(update)
    return replace(table, **columns)  # type: ignore[arg-type]  # the names of the columns are known only here


async def end_rematch(writer: Writer, table_id: int) -> list[int]:
    """Let the game that had its rematch at this table have another. Returns the numbers of such games: one or none."""
    ended = sa.update(tables).where(tables.c.rematch_id == table_id).values(rematch_id=None).returning(tables.c.id)
    return list((await writer.execute(ended)).scalars())


def _select(
    table: sa.Select[Any], table_id: int, user_id: int | None, connection: sa.Connection
) -> tuple[sa.Row[Any] | None, Sequence[sa.Row[Any]]]:
    row = connection.execute(table, {"table_id": table_id}).first()
    return row, () if row is None else connection.execute(_PEOPLE, {"table_id": table_id, "user_id": user_id}).all()


def _part(reader: Reader, kind: type[Record], columns: Sequence[Any]) -> tuple[Record, ...]:
    """Return the record in one part of a row, or an empty tuple if the join found nothing or the record is unreadable."""
    record = None if columns[0] is None else reader.read_row(kind, columns)
    return () if record is None else (record,)


def _check(writer: Writer, columns: Mapping[str, object]) -> None:
    """Let the writer note the new times. Raises TypeError for a field that cannot be changed."""
    for name in columns:
        if name == "id" or name not in tables.c:
            raise TypeError(f"a table has no field {name!r} that can be changed")
    writer.note_times(columns.get("deadline"), columns.get("notice_at"))


def _open_to(user_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a person may look at a table. For offers it is only likely, so `Snapshot.open_to` decides."""
    looking = (SeatStatus.JOINED, SeatStatus.INVITED, SeatStatus.WITHDRAWN)
    seated = sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(looking))
    offered = sa.cast(sa.type_coerce(tables.c.offers, sa.String), sa.String).like(f"%{user_id}%")
    return sa.or_(tables.c.private.is_(False), tables.c.id.in_(seated), offered)


@cache
def _change(names: tuple[str, ...], *, returned: bool = False) -> sa.Update:
    """Return the statement that changes these columns of a table, and returns its row if `returned`. See `_new_values`."""
    values = {name: sa.bindparam(f"new_{name}", type_=tables.c[name].type) for name in names}
    change = sa.update(tables).where(tables.c.id == sa.bindparam("table_id")).values(values)
    return change.returning(*tables.c) if returned else change


def _new_values(table_id: int, columns: Mapping[str, object]) -> dict[str, Any]:
    return {"table_id": table_id} | {f"new_{name}": value for name, value in columns.items()}
