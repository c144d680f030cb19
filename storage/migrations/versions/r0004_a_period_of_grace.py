"""A period of grace for a missed deadline. Tables that are there keep the rule that they were opened under."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("grace", sa.String(), nullable=False, server_default="strict"))
