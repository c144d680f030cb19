"""The private boards on which people think about positions."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("nodes", sa.JSON(), nullable=False),
        sa.Column("current", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.BigInteger()),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_analyses_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_analyses_user_id_used_at", "analyses", ["user_id", "used_at"])
    op.create_index("ix_analyses_table_id", "analyses", ["table_id"])
    op.create_index("ix_analyses_used_at", "analyses", ["used_at"])
