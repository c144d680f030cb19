"""Alembic's environment, run for every command. The connection, and the transaction around all steps, come from the caller."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy.types import TypeDecorator

from storage.schema.tables import metadata


def in_plain_types(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Render the types of tables.py as plain ones in a new migration, since they may have changed by the time it is applied."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite changes a table by copying it.
    render_as_batch=True,
    render_item=in_plain_types,
)
with context.begin_transaction():
    context.run_migrations()
