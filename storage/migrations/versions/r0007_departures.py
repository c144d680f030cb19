"""Who has left a seat of a running game to somebody else. What was left before stands in the seats, and stays there."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "departures",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Boolean(), nullable=False),
        sa.Column("rating_before", sa.Integer()),
        sa.Column("rating_after", sa.Integer()),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_departures_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_departures")),
    )
    op.create_index("ix_departures_user_id", "departures", ["user_id"])
