"""The tables of 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("vacation_from", sa.Double()),
        sa.Column("vacation_until", sa.Double()),
        sa.Column("vacation_days", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_guild_id_game", "ratings", ["guild_id", "game"])
    op.create_index("ix_ratings_user_id", "ratings", ["user_id"])
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("opened_by", sa.BigInteger(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("clock", sa.Integer()),
        sa.Column("seed", sa.LargeBinary()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("turn_began", sa.Double()),
        sa.Column("deadline", sa.Double()),
        sa.Column("notice_at", sa.Double()),
        sa.Column("outcome", sa.JSON()),
        sa.Column("offers", sa.JSON(), nullable=False),
        sa.Column("lobby_message_id", sa.BigInteger()),
        sa.Column("board_channel_id", sa.BigInteger()),
        sa.Column("board_message_id", sa.BigInteger()),
        sa.Column("board_version", sa.Integer()),
        sa.Column("board_since", sa.Integer()),
        sa.Column("board_turn", sa.Integer()),
        sa.Column("board_posted", sa.Double()),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("started_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("nudged_turn", sa.Integer()),
        sa.Column("rematch_id", sa.BigInteger()),
        sa.CheckConstraint("length(seed) = 32", name=op.f("ck_tables_seed_has_32_bytes")),
        sa.CheckConstraint("version >= 0", name=op.f("ck_tables_version_counts_entries")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tables_channel_id", "tables", ["channel_id"])
    op.create_index("ix_tables_guild_id_status", "tables", ["guild_id", "status"])
    op.create_index("ix_tables_status_deadline", "tables", ["status", "deadline"])
    op.create_index("ix_tables_status_notice_at", "tables", ["status", "notice_at"])
    op.create_index("ix_tables_thread_id", "tables", ["thread_id"])
    op.create_table(
        "actions",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.JSON(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("interaction_id", sa.BigInteger()),
        sa.Column("at", sa.Double(), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_actions_numbers_count_from_1")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_actions_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_actions")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_actions_interaction_id")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_outbox_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("table_id", "kind", "key", name=op.f("uq_outbox_table_id_kind_key")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_due", "outbox", ["due"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("timeouts", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_seats")),
    )
    op.create_index("ix_seats_user_id_status", "seats", ["user_id", "status"])
    op.create_table(
        "watches",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_watches_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_watches")),
    )
    op.create_index("ix_watches_user_id", "watches", ["user_id"])
