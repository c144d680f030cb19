"""Alembic's environment, run for every command. The caller provides the connection and the transaction around all steps."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy.types import TypeDecorator

from storage.schema.tables import metadata


def in_plain_types(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Render our column types as plain ones in a new migration: they may change before it is applied."""
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
