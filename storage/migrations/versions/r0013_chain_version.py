"""The version of the hash chain of a game's log. Games that began before have the first."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("chain", sa.Integer(), nullable=False, server_default="1"))
