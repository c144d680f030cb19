"""Until when a process had a shard that did not leave it in good order."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("leases", sa.Column("since", sa.Double(), nullable=False, server_default="0"))
