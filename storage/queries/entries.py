"""The logs of games, entry by entry, and what players contribute to the dice."""

from functools import cache, partial
from typing import Final

import sqlalchemy as sa

from storage.schema.errors import Conflict, Repeated
from storage.schema.records import Contribution, Entry
from storage.schema.rows import from_row, to_row
from storage.schema.tables import actions, contributions
from storage.transactions import Insert, Reader, Writer, insert_into

_ENTRIES: Final = (
    sa.select(actions)
    .where(actions.c.table_id == sa.bindparam("table_id"), actions.c.number > sa.bindparam("after"))
    .order_by(actions.c.number)
)
_BY_INTERACTION: Final = sa.select(actions).where(actions.c.interaction_id == sa.bindparam("interaction_id"))


async def of_table(reader: Reader, table_id: int, after: int = 0) -> tuple[Entry, ...]:
    """Return the log of a table in order, leaving out the first `after` entries."""
    return await reader.records(Entry, _ENTRIES, table_id=table_id, after=after)


async def by_interaction(reader: Reader, interaction_id: int) -> Entry | None:
    """Return the entry that an interaction has made, or None if it has made none."""
    return await reader.record(Entry, _BY_INTERACTION, interaction_id=interaction_id)


async def append(writer: Writer, entry: Entry) -> None:
    """Append an entry to a table's log. Raises Repeated for its interaction, Conflict for its number, ValueError for a gap."""
    await writer.run(partial(_append, writer.dialect, entry))
    writer.appended += (entry,)


async def append_later(writer: Writer, entry: Entry) -> None:
    """Append an entry as `append` does, but together with the next question or the commit, which then raises the errors."""
    writer.run_later(partial(_append, writer.dialect, entry))
    writer.appended += (entry,)


async def contributions_of_table(reader: Reader, table_id: int) -> tuple[Contribution, ...]:
    """Return the contributions to the dice of a table in the order of mixing, or of pressing if they are not mixed in yet."""
    found = sa.select(contributions).where(contributions.c.table_id == table_id)
    return await reader.records(Contribution, found.order_by(contributions.c.number, contributions.c.interaction_id))


async def put_contribution(writer: Writer, contribution: Contribution) -> None:
    """Store a contribution to the dice of a table, replacing any contribution by the same press of a button."""
    writer.put(contributions, contribution)


async def remove_contributions(writer: Writer, table_id: int, user_id: int) -> None:
    """Delete a person's contributions to the dice of a table."""
    mine = (contributions.c.table_id == table_id, contributions.c.user_id == user_id)
    writer.later(sa.delete(contributions).where(*mine))


@cache
def _append_statement(dialect: str) -> Insert:
    """Return the statement that appends an entry, unless earlier entries are missing or its number is taken."""
    last = sa.select(sa.func.max(actions.c.number)).where(actions.c.table_id == sa.bindparam("table_id"))
    values = [sa.bindparam(column.name, type_=column.type) for column in actions.c]
    follows = sa.func.coalesce(last.scalar_subquery(), 0) >= sa.bindparam("number", type_=sa.Integer) - 1
    insert = insert_into(dialect, actions).from_select(list(actions.c), sa.select(*values).where(follows))
    return insert.on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def _append(dialect: str, entry: Entry, connection: sa.Connection) -> None:
    # Not left to an error of the database: PostgreSQL would not continue the transaction after one.
    if connection.execute(_append_statement(dialect), to_row(entry)).rowcount == 0:
        raise _refusal(entry, connection)


def _refusal(entry: Entry, connection: sa.Connection) -> Exception:
    last = sa.select(sa.func.max(actions.c.number)).where(actions.c.table_id == entry.table_id)
    known = connection.execute(last).scalar() or 0
    if entry.number > known + 1:
        return ValueError(f"the log of table {entry.table_id} ends with {known}: {entry.number} would leave a gap")
    if entry.interaction_id is not None:
        made = sa.select(actions).where(actions.c.interaction_id == entry.interaction_id)
        first = connection.execute(made).first()
        if first is not None:
            return Repeated(from_row(Entry, first))
    return Conflict(entry.table_id, entry.number)
