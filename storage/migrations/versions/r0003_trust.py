"""What fair dice, outages, quarantine, stand-ins and the grace of servers that were left have to be known by."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("threaded", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("rules", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("stream_key", sa.LargeBinary()))
    op.add_column("tables", sa.Column("given_back", sa.Double()))
    op.add_column("tables", sa.Column("set_aside", sa.String()))
    op.add_column("seats", sa.Column("rated_as", sa.BigInteger()))
    op.add_column("actions", sa.Column("link", sa.String()))
    op.add_column("servers", sa.Column("left_at", sa.Double()))
    counted = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "contributions",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("number", sa.Integer()),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_contributions_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "interaction_id", name=op.f("pk_contributions")),
    )
    op.create_index("ix_contributions_user_id", "contributions", ["user_id"])
    op.create_table(
        "pings",
        sa.Column("id", counted, nullable=False),
        sa.Column("by_user", sa.BigInteger(), nullable=False),
        sa.Column("to_user", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pings")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_pings_by_user_to_user_at", "pings", ["by_user", "to_user", "at"])
    op.create_index("ix_pings_at", "pings", ["at"])
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("halted", sa.String()),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
