"""Ratings in points of the skill itself: what is noted of earlier games is told in the same points as what comes."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

SCALE: Final = 40
SKILL: Final = 25.0
"""A newcomer's mean. Until now the number was 1000 + SCALE * (mu - 3 sigma), from now on it is 1000 + SCALE * (mu - SKILL)."""

RATINGS: Final = sa.table("ratings", *map(sa.column, ("guild_id", "user_id", "game", "sigma")))
TABLES: Final = sa.table("tables", *map(sa.column, ("id", "guild_id", "game")))
SEATS: Final = sa.table("seats", *map(sa.column, ("table_id", "user_id", "rated_as", "rating_before", "rating_after")))
DEPARTURES: Final = sa.table("departures", *map(sa.column, ("table_id", "user_id", "rating_before", "rating_after")))


def upgrade() -> None:
    """Move all that is noted of a person at a game by as much as their present number moves, so that its course has no step."""
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
