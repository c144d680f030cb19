"""People who seek others to play with, whom they avoid, the tables at which they are put together, and weekly posts."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seeks",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("since", sa.Double()),
        sa.Column("until", sa.Double()),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_seeks")),
    )
    op.create_index("ix_seeks_user_id", "seeks", ["user_id"])
    op.create_table(
        "avoidances",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("avoided_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "avoided_id", name=op.f("pk_avoidances")),
    )
    op.create_index("ix_avoidances_avoided_id", "avoidances", ["avoided_id"])
    op.add_column("tables", sa.Column("matched", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("posts", sa.Column("weekday", sa.Integer()))
