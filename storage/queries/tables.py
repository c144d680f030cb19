"""Tables: to find them, to open one, and to change one."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

import sqlalchemy as sa

from storage.queries.conditions import IN_ORDER, LIVE, NOT_OVER
from storage.schema.records import SeatStatus, Status, Table
from storage.schema.rows import to_row
from storage.schema.tables import departures, seats, tables
from storage.transactions import Reader, Writer

_ONE_TABLE: Final = sa.select(tables).where(tables.c.id == sa.bindparam("table_id"))


async def get(reader: Reader, table_id: int) -> Table | None:
    """Return the table with this number, or None. A writer on PostgreSQL locks it against writes of other processes.

    Raises:
        UnreadableRow: if its row contains something that a table cannot. Lists leave out such tables.
    """
    return await reader.record(Table, reader.locked(_ONE_TABLE), table_id=table_id)


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
    """Return the tables that fulfil all of these conditions, without those in quarantine.

    Args:
        reader: the transaction.
        guild_id: they are on this server.
        channel_id: they were opened in this channel, or are played in this thread.
        user_id: this user has a seat or an invitation there, and has not left the game.
        seen_by: this user may look at them: they are not private, or the user has or is offered a seat there.
        statuses: they have one of these statuses.
        game: the id of the game that is played.
        numbers: they have one of these numbers.
        after: their numbers are higher than this.
        before: their numbers are lower than this.
        limit: the maximum number of tables.
        newest_first: whether they are ordered from the newest to the oldest, or the other way round.
        own: this process looks after them.
    """
    found = sa.select(tables).where(IN_ORDER, *(reader.own() if own else ()))
    if guild_id is not None:
        found = found.where(tables.c.guild_id == guild_id)
    if channel_id is not None:
        found = found.where(sa.or_(tables.c.channel_id == channel_id, tables.c.thread_id == channel_id))
    if user_id is not None:
        there = (SeatStatus.JOINED, SeatStatus.INVITED)
        sits = sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(there))
        found = found.where(tables.c.id.in_(sits))
    if seen_by is not None:
        found = found.where(_open_to(seen_by))
    if statuses is not None:
        found = found.where(tables.c.status.in_(tuple(statuses)))
    if game is not None:
        found = found.where(tables.c.game == game)
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
    """Return the finished games that a person played on a server, also those that they left, ordered from the last to end.

    Args:
        reader: the transaction.
        guild_id: the server.
        user_id: the person.
        channel_id: only those of this channel or thread.
        seen_by: only those that this user may look at.
        game: the id of the game; None: any game.
        handed_over: whether to include the rated games that they left to a stand-in, and that count for them.
        limit: the maximum number of tables.
    """
    there = (SeatStatus.JOINED, SeatStatus.WITHDRAWN)
    sat = sa.and_(seats.c.user_id == user_id, seats.c.status.in_(there))
    played = sa.select(seats.c.table_id).where(sa.or_(sat, seats.c.rated_as == user_id) if handed_over else sat)
    involved: sa.ColumnElement[bool] = tables.c.id.in_(played)
    if handed_over:
        lost = sa.select(departures.c.table_id).where(departures.c.user_id == user_id, departures.c.lost)
        involved = sa.or_(involved, tables.c.id.in_(lost))
    over = (tables.c.guild_id == guild_id, tables.c.status == Status.FINISHED, involved)
    found = sa.select(tables).where(IN_ORDER, *over)
    if channel_id is not None:
        found = found.where(sa.or_(tables.c.channel_id == channel_id, tables.c.thread_id == channel_id))
    if seen_by is not None:
        found = found.where(_open_to(seen_by))
    if game is not None:
        found = found.where(tables.c.game == game)
    return await reader.readable(Table, found.order_by(tables.c.finished_at.desc(), tables.c.id.desc()).limit(limit))


async def ids(reader: Reader, *, live: bool = False, after: int = 0, limit: int | None = None) -> list[int]:
    """Return the numbers of tables, whether or not they can be read, in ascending order.

    Args:
        reader: the transaction.
        live: without those in quarantine, and those whose games are over.
        after: only those that are higher than this.
        limit: the maximum number of tables.
    """
    found = sa.select(tables.c.id).where(tables.c.id > after, *reader.own()).order_by(tables.c.id).limit(limit)
    if live:
        found = found.where(IN_ORDER, NOT_OVER)
    return list((await reader.execute(found)).scalars())


async def by_interaction(reader: Reader, interaction_id: int) -> int | None:
    """Return the number of the table that an interaction has opened, or None."""
    found = await reader.execute(sa.select(tables.c.id).where(tables.c.interaction_id == interaction_id))
    return found.scalar_one_or_none()


async def count_open(reader: Reader, guild_id: int, opened_by: int) -> int:
    """Return how many tables that a user opened on a server are open or running, without those in quarantine."""
    count = sa.select(sa.func.count()).select_from(tables)
    mine = count.where(tables.c.guild_id == guild_id, tables.c.opened_by == opened_by, tables.c.status.in_(LIVE), IN_ORDER)
    number: int = (await reader.execute(mine)).scalar_one()
    return number


async def add(writer: Writer, table: Table) -> Table:
    """Insert a new table, with an id from the database that no table ever had."""
    row = to_row(table)
    del row["id"]
    writer.note_times(table.deadline, table.notice_at)
    return replace(table, id=(await writer.execute(sa.insert(tables).values(row).returning(tables.c.id))).scalar_one())


async def change(writer: Writer, table_id: int, **columns: object) -> Table:
    """Change some fields of a table, and return it as it is then.

    Raises:
        TypeError: if a name is not a field of Table that can be changed.
        LookupError: if there is no such table.
    """
    _check(writer, columns)
    if columns:
        changed = await writer.record(Table, _change(tuple(columns), returned=True), **_new_values(table_id, columns))
    else:
        changed = await get(writer, table_id)
    if changed is None:
        raise LookupError(f"there is no table {table_id}")
    return changed


async def amend(writer: Writer, table: Table, **columns: object) -> Table:
    """Change some fields of a table that was read in this transaction. Returns it as it is then, without reading it again.

    Raises TypeError if a name is not a field of Table that can be changed. LookupError comes later, if there is no such table.
    """
    _check(writer, columns)
    if columns:
        writer.run_later(partial(_update, table.id, columns))
    return replace(table, **columns)  # type: ignore[arg-type]  # their names are known only here


def _check(writer: Writer, columns: Mapping[str, object]) -> None:
    """Raise TypeError if a name is not a field that can be changed. Otherwise the writer notes the times among the changes."""
    for name in columns:
        if name == "id" or name not in tables.c:
            raise TypeError(f"a table has no field {name!r} that can be changed")
    writer.note_times(columns.get("deadline"), columns.get("notice_at"))


def _open_to(user_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a person may look at a table.

    Of offers it is only likely, since a database may contain JSON that is none; `Snapshot.open_to` decides.
    """
    looking = (SeatStatus.JOINED, SeatStatus.INVITED, SeatStatus.WITHDRAWN)
    seated = sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(looking))
    offered = sa.cast(sa.type_coerce(tables.c.offers, sa.String), sa.String).like(f"%{user_id}%")
    return sa.or_(tables.c.private.is_(False), tables.c.id.in_(seated), offered)


@cache
def _change(names: tuple[str, ...], *, returned: bool = False) -> sa.Update:
    """Return the statement that changes these columns of a table; `returned`: it returns the row. See `_new_values`."""
    values = {name: sa.bindparam(f"new_{name}", type_=tables.c[name].type) for name in names}
    change = sa.update(tables).where(tables.c.id == sa.bindparam("table_id")).values(values)
    return change.returning(*tables.c) if returned else change


def _new_values(table_id: int, columns: Mapping[str, object]) -> dict[str, Any]:
    """Return the parameters of `_change`."""
    return {"table_id": table_id} | {f"new_{name}": value for name, value in columns.items()}


def _update(table_id: int, columns: Mapping[str, object], connection: sa.Connection) -> None:
    """Change a table. Raises LookupError if there is none."""
    if connection.execute(_change(tuple(columns)), _new_values(table_id, columns)).rowcount == 0:
        raise LookupError(f"there is no table {table_id}")
