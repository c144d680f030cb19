"""The data that a database has about a person, for that person alone. Each column is exported, or left out for a reason.

The ids, names, words and interactions of other people are never exported, whichever row they are in. The same is true of
anything that other people have set.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import sqlalchemy as sa

from storage.schema.column_types import as_text
from storage.schema.columns import EXPORTED, SEARCHED, AsText, Exported, ExportedAs, Withheld
from storage.schema.errors import UnreadableRow
from storage.schema.records import Handover, Job, OfferKind, Seat, SeatStatus, Status, Table
from storage.schema.rows import from_row
from storage.schema.tables import declared, every_column, metadata, noted, outbox, record_of, tables


@dataclass(frozen=True, slots=True)
class ExportSection:
    """A section of the export: its name, the column `whose` with the person's id, and the names of the exported columns."""

    name: str
    whose: sa.Column[Any]
    columns: tuple[str, ...]

    @property
    def table(self) -> sa.Table:
        """The table that the rows are in."""
        found = self.whose.table
        assert isinstance(found, sa.Table)
        return found

    @property
    def at_table(self) -> bool:
        """Whether the rows belong to a table where people play."""
        return self.table is tables or "table_id" in self.table.primary_key.columns


def exported(table: sa.Table) -> tuple[str, ...]:
    """Return the names of those columns of a table that are exported wherever the table's rows are."""
    return tuple(column.name for column in table.columns if declared(column).note(Exported) == EXPORTED)


PARTS: Final = tuple(
    ExportSection(said.part, column, said.only or exported(column.table))
    for column in every_column()
    if (said := declared(column).note(ExportedAs))
)
"""All sections, which contain the rows with a person's id."""

PERSONAL: Final = tuple(part for part in PARTS if not part.at_table)
"""The sections that belong to no table where people play."""

AT_TABLE: Final = tuple(part for part in PARTS if part.at_table)
"""The sections that belong to a table where people play."""

ABOUT_TABLE: Final = exported(tables)
"""The columns that say what was played at a table. They are given only to people to whom the table is open."""

OF_A_JOB: Final = tuple(name for name in exported(outbox) if name != "guild_id")
"""The exported columns of a job about a table, without the server, which is the table's. The payload names the person."""

OF_ANOTHER_JOB: Final = ("guild_id", *OF_A_JOB)
"""The exported columns of a job that is not about a table."""

PICKED: Final = tuple(column for column in noted(SEARCHED) if not declared(column).says(Withheld))
"""The JSON columns that may contain several people. `_offers_of` and `_is_for` pick out what concerns the person."""

_AS_TEXT: Final = {
    record_of(table): {column.name for column in table.columns if declared(column).says(AsText)}
    for table in metadata.tables.values()
}


@dataclass(slots=True)
class Unread:
    """A count of the rows that were left out because they cannot be read."""

    rows: int = 0


def personal(connection: sa.Connection, user_id: int, unread: Unread) -> dict[str, list[dict[str, Any]]]:
    """Return the data of a person that belongs to no table where people play, by section."""
    found = {}
    for part in PERSONAL:
        rows = sa.select(part.table).where(part.whose == user_id).order_by(*part.table.primary_key)
        found[part.name] = [_columns_of(record, part.columns) for record in _readable(connection, part.table, rows, unread)]
    sent_to = sa.or_(_may_name(outbox.c.payload, user_id), outbox.c.place == f"person {user_id}")
    others = sa.select(outbox).where(outbox.c.table_id.is_(None), sent_to).order_by(outbox.c.id)
    jobs = [job for job in _readable(connection, outbox, others, unread) if _is_for(job, user_id)]
    return found | ({"still_to_be_sent": [_columns_of(job, OF_ANOTHER_JOB) for job in jobs]} if jobs else {})


def numbers_of(connection: sa.Connection, user_id: int) -> list[int]:
    """Return the numbers of all tables, on any server, that have data of a person, newest first."""
    asked = [sa.select(_number(part.table)).where(part.whose == user_id) for part in AT_TABLE]
    asked += [sa.select(_number(column.table)).where(_may_name(column, user_id)) for column in PICKED]
    found = sa.union(*asked).subquery()
    (number,) = found.c
    return list(connection.execute(sa.select(number).where(number.is_not(None)).order_by(number.desc())).scalars())


def at_tables(connection: sa.Connection, user_id: int, numbers: Collection[int], unread: Unread) -> Iterator[dict[str, Any]]:
    """Yield, in order, a person's data at each of these tables that has any. `unread` counts the rows that cannot be read."""
    known: dict[int, Table | None] = dict.fromkeys(numbers)
    known |= {row.id: row for row in _at(connection, tables, numbers, unread)}
    records: dict[int, dict[str, list[Any]]] = {number: {} for number in numbers}
    seated: dict[int, Seat] = {}
    for part in AT_TABLE:
        mine: Iterable[Any] = (
            (table for table in known.values() if table is not None and table.opened_by == user_id)  # read above
            if part.table is tables
            else _at(connection, part.table, known, unread, part.whose == user_id)
        )
        for record in mine:
            number = record.id if part.table is tables else record.table_id
            if isinstance(record, Seat) and record.user_id == user_id:
                seated[number] = record
            records[number].setdefault(part.name, []).append(_columns_of(_without_others_rating(record, user_id), part.columns))
    for job in _at(connection, outbox, numbers, unread, _may_name(outbox.c.payload, user_id)):
        if _is_for(job, user_id):
            records[job.table_id].setdefault("still_to_be_sent", []).append(_columns_of(job, OF_A_JOB))
    for number, table in known.items():
        if table is not None and (offers := list(_offers_of(table, seated.get(number), user_id))):
            records[number]["offers"] = offers
        if records[number]:
            may_look = table is not None and _is_open_to(user_id, table, seated.get(number))
            about = {"about": _columns_of(table, ABOUT_TABLE)} if may_look else {}
            yield {"table": number, **about, **records[number]}


def _without_others_rating(record: Any, user_id: int) -> Any:
    """Return a record as it is or, if it is a seat whose result counts for another player, without that player's rating."""
    if isinstance(record, Seat) and record.user_id == user_id and record.rated_as not in {None, user_id}:
        return replace(record, rating_before=None, rating_after=None)
    return record


def _at(
    connection: sa.Connection, table: sa.Table, numbers: Collection[int], unread: Unread, *conditions: sa.ColumnElement[bool]
) -> Iterator[Any]:
    rows = sa.select(table).where(_number(table).in_(tuple(numbers)), *conditions).order_by(*table.primary_key)
    return _readable(connection, table, rows, unread)


def _readable(connection: sa.Connection, table: sa.Table, rows: sa.Select[Any], unread: Unread) -> Iterator[Any]:
    for row in connection.execute(rows).all():
        try:
            yield from_row(record_of(table), row)
        except UnreadableRow:
            unread.rows += 1


def _number(table: Any) -> sa.Column[int]:
    number: sa.Column[int] = tables.c.id if table is tables else table.c.table_id
    return number


def _may_name(column: sa.Column[Any], user_id: int) -> sa.ColumnElement[bool]:
    return as_text(column).like(f"%{user_id}%")


def _columns_of(record: Any, columns: Sequence[str]) -> dict[str, Any]:
    values, as_text = ((name, getattr(record, name)) for name in columns), _AS_TEXT[type(record)]
    return {name: str(value) if name in as_text and value is not None else value for name, value in values}


def _is_for(job: Job, user_id: int) -> bool:
    """Return whether a job is meant for a person, rather than telling others about them."""
    return job.place == f"person {user_id}" or bool(job.payload.get("to", job.payload.get("user")) == user_id)


def _offers_of(table: Table, own: Seat | None, user_id: int) -> Iterator[dict[str, Any]]:
    """Yield those offers at a table that a person has made, agreed to, or received."""
    seated = own is not None and own.status is SeatStatus.JOINED and table.status is Status.PLAYING
    place = own.place if own is not None and seated else None
    for kind in OfferKind:
        offer = table.offers.of(kind)
        if offer is None:
            continue
        mine = {"by_you": offer.by == place}
        if isinstance(offer, Handover):
            mine["to_you"] = offer.to == user_id
        else:
            mine["agreed"] = place in offer.agreed
        if any(mine.values()):
            rest = {name: value for name, value in asdict(offer).items() if name not in {"by", "agreed", "to"}}
            yield {"kind": kind, **rest, **mine}


def _is_open_to(user_id: int, table: Table, own: Seat | None) -> bool:
    """Return whether a person may look at a table. See `bot.core.table.snapshot.Snapshot.open_to`."""
    there = own is not None and own.status is not SeatStatus.DECLINED
    offered = table.offers.substitute
    return not table.private or there or (offered is not None and offered.to == user_id)
