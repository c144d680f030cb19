"""Computers at a table: in which seats they sit, and where they have something to decide; and how many hints people took."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("computer", sa.String()))
    op.add_column("seats", sa.Column("hopeless", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("offered", sa.Integer()))
    op.add_column("seats", sa.Column("hints", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("hinted", sa.Integer()))
    op.create_table(
        "thinking",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_thinking_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_thinking")),
    )
    op.create_index("ix_thinking_due", "thinking", ["due"])
