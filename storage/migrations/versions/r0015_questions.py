"""The messages at a table that ask people for an answer. A rematch that was closed is none any more."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

tables = sa.table(
    "tables", sa.column("id", sa.BigInteger), sa.column("status", sa.String), sa.column("rematch_id", sa.BigInteger)
)


def upgrade() -> None:
    op.add_column("tables", sa.Column("questions", sa.JSON(), nullable=False, server_default="[]"))
    op.create_index("ix_tables_rematch_id", "tables", ["rematch_id"])
    # A game whose rematch was closed can have another one, and shows the button for it.
    rematches = tables.alias()
    closed = sa.select(rematches.c.id).where(rematches.c.status == "closed")
    op.execute(sa.update(tables).where(tables.c.rematch_id.in_(closed)).values(rematch_id=None))
