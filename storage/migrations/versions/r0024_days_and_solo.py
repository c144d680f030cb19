"""When the day of a puzzle ends where somebody began it, and games of one's own."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

FIRST_DAY = 1_795_392_000.0
"""When the first day began, in seconds since the epoch: until now, each day has begun and ended at midnight UTC."""

DAY = 86_400.0


def upgrade() -> None:
    op.add_column("tables", sa.Column("solo", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("puzzle_attempts", sa.Column("day_ends", sa.Double()))
    attempts = sa.table("puzzle_attempts", sa.column("day", sa.Integer), sa.column("day_ends", sa.Double))
    known = sa.update(attempts).where(attempts.c.day.between(1, 1_000_000))
    op.execute(known.values(day_ends=FIRST_DAY + sa.cast(attempts.c.day, sa.Double) * DAY))
