"""Statements for players' plans, which `queries.tables.get_joined` reads along with their table."""

import sqlalchemy as sa

from storage.schema.records import Plan
from storage.schema.tables import plans
from storage.transactions import Writer


async def put(writer: Writer, plan: Plan) -> None:
    """Store a person's plan at a table, replacing the last one."""
    writer.put(plans, plan)


async def remove(writer: Writer, table_id: int, *user_ids: int) -> None:
    """Delete the plans at a table that belong to these people, or all of its plans if nobody is named."""
    whose = (plans.c.user_id.in_(user_ids),) if user_ids else ()
    writer.later(sa.delete(plans).where(plans.c.table_id == table_id, *whose))
