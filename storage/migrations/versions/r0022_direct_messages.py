"""When the bot first wrote to a person directly, and whether they take no direct messages."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("direct_since", sa.Double(), nullable=True))
    op.add_column("people", sa.Column("direct_closed", sa.Double(), nullable=True))
    op.add_column("people", sa.Column("direct_told", sa.Double(), nullable=True))
    op.create_index("ix_people_direct_since", "people", ["direct_since"])
