"""Ladders: their seasons, the places on them, badges, and the tables that are challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ladders",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("looked_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", name=op.f("pk_ladders")),
    )
    op.create_table(
        "ladder_places",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("played_at", sa.Double(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name=op.f("pk_ladder_places")),
    )
    op.create_index("ix_ladder_places_user_id", "ladder_places", ["user_id"])
    op.create_table(
        "ladder_badges",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "season", "place", name=op.f("pk_ladder_badges")),
    )
    op.create_index("ix_ladder_badges_user_id", "ladder_badges", ["user_id"])
    op.add_column("tables", sa.Column("ladder", sa.Boolean(), server_default=sa.false(), nullable=False))
