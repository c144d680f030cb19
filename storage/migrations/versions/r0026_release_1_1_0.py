"""From 1.0.0 to 1.1.0.

In 1.0.0, each day of puzzles ended at midnight UTC, and the rating that people saw was 1000 + SCALE * (mu - 3 sigma). It is now
1000 + SCALE * (mu - SKILL).
"""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0021"
branch_labels = None
depends_on = None

FIRST_DAY: Final = 1_795_392_000.0
"""When the first day began, in seconds since the epoch."""

DAY: Final = 86_400.0
SCALE: Final = 40
SKILL: Final = 25.0
"""A newcomer's mean."""

RATINGS: Final = sa.table("ratings", *map(sa.column, ("guild_id", "user_id", "game", "sigma")))
TABLES: Final = sa.table("tables", *map(sa.column, ("id", "guild_id", "game")))
SEATS: Final = sa.table("seats", *map(sa.column, ("table_id", "user_id", "rated_as", "rating_before", "rating_after")))
DEPARTURES: Final = sa.table("departures", *map(sa.column, ("table_id", "user_id", "rating_before", "rating_after")))


def upgrade() -> None:
    op.add_column("people", sa.Column("direct_since", sa.Double()))
    op.add_column("people", sa.Column("direct_closed", sa.Double()))
    op.add_column("people", sa.Column("direct_told", sa.Double()))
    op.create_index("ix_people_direct_since", "people", ["direct_since"])
    op.create_table(
        "outages",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outages_until", "outages", ["until"])
    op.add_column("tables", sa.Column("solo", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("events", sa.Column("podium_id", sa.BigInteger()))
    op.add_column("event_entries", sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("event_entries", sa.Column("asked_id", sa.BigInteger()))
    op.create_index("ix_event_entries_asked_id", "event_entries", ["asked_id"])
    _end_days()
    _move_ratings()


def _end_days() -> None:
    op.add_column("puzzle_attempts", sa.Column("day_ends", sa.Double()))
    attempts = sa.table("puzzle_attempts", sa.column("day", sa.Integer), sa.column("day_ends", sa.Double))
    known = sa.update(attempts).where(attempts.c.day.between(1, 1_000_000))
    op.execute(known.values(day_ends=FIRST_DAY + sa.cast(attempts.c.day, sa.Double) * DAY))


def _move_ratings() -> None:
    """Shift every rating noted for a person at a game by as much as their current one shifts: the history has no step."""
    for noted, whose in ((SEATS, sa.func.coalesce(SEATS.c.rated_as, SEATS.c.user_id)), (DEPARTURES, DEPARTURES.c.user_id)):
        where = sa.and_(
            TABLES.c.id == noted.c.table_id, RATINGS.c.guild_id == TABLES.c.guild_id, RATINGS.c.game == TABLES.c.game,
            RATINGS.c.user_id == whose, RATINGS.c.sigma > 0, RATINGS.c.sigma <= SKILL,
        )  # fmt: skip
        moved = sa.cast(sa.func.round(SCALE * (3 * RATINGS.c.sigma - SKILL)), sa.Integer)
        by = sa.func.coalesce(sa.select(moved).where(where).correlate(noted).scalar_subquery(), 0)
        least = {name: noted.c[name] + by for name in ("rating_before", "rating_after")}
        op.execute(
            sa.update(noted)
            .where(noted.c.rating_before.is_not(None))
            .values({name: sa.case((value < 0, 0), else_=value) for name, value in least.items()})
        )
