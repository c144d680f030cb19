"""What the end of a rated game has made of each player's rating."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("rating_before", sa.Integer()))
    op.add_column("seats", sa.Column("rating_after", sa.Integer()))
