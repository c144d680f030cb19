"""The click or command that has opened a table, which opens no other one."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("interaction_id", sa.BigInteger()))
    op.create_index("ix_tables_interaction_id", "tables", ["interaction_id"], unique=True)
