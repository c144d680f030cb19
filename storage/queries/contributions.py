"""Contributions: what players mix into the dice of a game."""

import sqlalchemy as sa

from storage.schema.records import Contribution
from storage.schema.tables import contributions
from storage.transactions import Reader, Writer


async def of_table(reader: Reader, table_id: int) -> tuple[Contribution, ...]:
    """Return the contributions to the dice of a table, as they were mixed in, or else in the order of pressing."""
    found = sa.select(contributions).where(contributions.c.table_id == table_id)
    return await reader.records(Contribution, found.order_by(contributions.c.number, contributions.c.interaction_id))


async def put(writer: Writer, contribution: Contribution) -> None:
    """Store a contribution to the dice of a table, replacing that of the same press."""
    writer.put(contributions, contribution)


async def remove(writer: Writer, table_id: int, user_id: int) -> None:
    """Delete a person's contributions to the dice of a table."""
    mine = (contributions.c.table_id == table_id, contributions.c.user_id == user_id)
    writer.later(sa.delete(contributions).where(*mine))
