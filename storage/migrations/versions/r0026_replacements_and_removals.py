"""Who was taken out of an event by its organisers, who is asked to play on in a player's place, and where its end was told."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("events", sa.Column("podium_id", sa.BigInteger()))
    op.add_column("event_entries", sa.Column("removed", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("event_entries", sa.Column("asked_id", sa.BigInteger()))
    op.create_index("ix_event_entries_asked_id", "event_entries", ["asked_id"])
