"""The posts of servers: one message a day in a channel of their choice."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "posts",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("role_id", sa.BigInteger()),
        sa.Column("due", sa.Double()),
        sa.Column("refused", sa.Integer()),
        sa.Column("day", sa.Integer()),
        sa.Column("posted_in", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("posted_at", sa.Double()),
        sa.Column("edited_at", sa.Double()),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "kind", name=op.f("pk_posts")),
    )
    op.create_index("ix_posts_due", "posts", ["due"])
