"""The puzzles that people solve, their ratings, and the days whose puzzle was withdrawn."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_attempts",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("day", sa.Integer()),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double()),
        sa.Column("used_at", sa.Double(), nullable=False),
        sa.Column("outcome", sa.String()),
        sa.Column("judged", sa.JSON(), nullable=False),
        sa.Column("ongoing", sa.Boolean(), nullable=False),
        sa.Column("played", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("given_up", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer()),
        sa.Column("forgiven", sa.Integer()),
        sa.Column("reported", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "puzzle", name=op.f("pk_puzzle_attempts")),
    )
    op.create_index("ix_puzzle_attempts_guild_id_day", "puzzle_attempts", ["guild_id", "day"])
    op.create_index("ix_puzzle_attempts_puzzle", "puzzle_attempts", ["puzzle"])
    op.create_table(
        "solver_ratings",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_solver_ratings")),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle", name=op.f("pk_puzzle_ratings")),
    )
    op.create_table(
        "voided_days",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_voided_days")),
    )
