"""From 0.1.0 to 1.0.0.

A job now belongs to a subject on a server, so it need not be about a table. Tables that exist keep the rules they were opened
under: the server defaults of `grace`, `rules` and `chain` are those of 0.1.0.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0002"
branch_labels = None
depends_on = None

outbox = sa.table(
    "outbox", sa.column("table_id", sa.BigInteger), sa.column("guild_id", sa.BigInteger), sa.column("subject", sa.String)
)
tables = sa.table(
    "tables",
    sa.column("id", sa.BigInteger),
    sa.column("guild_id", sa.BigInteger),
    sa.column("status", sa.String),
    sa.column("rematch_id", sa.BigInteger),
)


def upgrade() -> None:
    _add_columns()
    _give_jobs_a_subject()
    _end_closed_rematches()
    _create_tables_of_games()
    _create_tables_of_processes()
    _create_tables_of_puzzles()
    _create_tables_of_servers()
    _create_tables_of_ladders()
    _create_tables_of_events()


def _add_columns() -> None:
    added: dict[str, tuple[sa.Column[Any], ...]] = {
        "tables": (
            sa.Column("threaded", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("rules", sa.Integer(), nullable=False, server_default="1"),
            sa.Column("stream_key", sa.LargeBinary()),
            sa.Column("given_back", sa.Double()),
            sa.Column("set_aside", sa.String()),
            sa.Column("grace", sa.String(), nullable=False, server_default="strict"),
            sa.Column("interaction_id", sa.BigInteger()),
            sa.Column("chain", sa.Integer(), nullable=False, server_default="1"),
            sa.Column("questions", sa.JSON(), nullable=False, server_default="[]"),
            sa.Column("matched", sa.Boolean(), server_default=sa.false(), nullable=False),
            sa.Column("ladder", sa.Boolean(), server_default=sa.false(), nullable=False),
            sa.Column("event_id", sa.BigInteger()),
        ),
        "seats": (
            sa.Column("rated_as", sa.BigInteger()),
            sa.Column("rating_before", sa.Integer()),
            sa.Column("rating_after", sa.Integer()),
            sa.Column("computer", sa.String()),
            sa.Column("hopeless", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("offered", sa.Integer()),
            sa.Column("hints", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("hinted", sa.Integer()),
        ),
        "actions": (
            sa.Column("link", sa.String()),
            sa.Column("fired", sa.Boolean(), nullable=False, server_default=sa.false()),
        ),
        "servers": (sa.Column("left_at", sa.Double()),),
    }
    for table, columns in added.items():
        for column in columns:
            op.add_column(table, column)
    op.create_index("ix_tables_interaction_id", "tables", ["interaction_id"], unique=True)
    op.create_index("ix_tables_rematch_id", "tables", ["rematch_id"])


def _give_jobs_a_subject() -> None:
    op.add_column("outbox", sa.Column("guild_id", sa.BigInteger()))
    op.add_column("outbox", sa.Column("subject", sa.String()))
    op.add_column("outbox", sa.Column("place", sa.String()))
    # A job whose table has no number for its server, as SQLite allows, stays, to be found by a check of the database.
    server = sa.select(sa.cast(tables.c.guild_id, sa.BigInteger)).where(tables.c.id == outbox.c.table_id).scalar_subquery()
    subject = sa.literal("table ").concat(sa.cast(outbox.c.table_id, sa.String))
    op.execute(sa.update(outbox).values(guild_id=sa.func.coalesce(server, 0), subject=subject))
    last = _last_number()
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("table_id", existing_type=sa.BigInteger(), nullable=True)
        batch.alter_column("guild_id", existing_type=sa.BigInteger(), nullable=False)
        batch.alter_column("subject", existing_type=sa.String(), nullable=False)
        batch.drop_constraint("uq_outbox_table_id_kind_key", type_="unique")
        batch.create_unique_constraint("uq_outbox_guild_id_subject_kind_key", ["guild_id", "subject", "kind", "key"])
        batch.create_index("ix_outbox_table_id", ["table_id"])
    if last is not None:
        numbers = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
        op.execute(sa.delete(numbers).where(numbers.c.name == "outbox"))
        op.execute(sa.insert(numbers).values(name="outbox", seq=last))


def _last_number() -> int | None:
    """Return the last number that SQLite has given to a job: the copy of the table would begin after those still there."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return None
    return connection.execute(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")).scalar()


def _end_closed_rematches() -> None:
    """Forget rematches that were closed, so that their games offer another one."""
    rematches = tables.alias()
    closed = sa.select(rematches.c.id).where(rematches.c.status == "closed")
    op.execute(sa.update(tables).where(tables.c.rematch_id.in_(closed)).values(rematch_id=None))


def _create_tables_of_games() -> None:
    counted = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "contributions",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("number", sa.Integer()),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_contributions_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "interaction_id", name=op.f("pk_contributions")),
    )
    op.create_index("ix_contributions_user_id", "contributions", ["user_id"])
    op.create_table(
        "plans",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("replies", sa.JSON(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_plans_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_plans")),
    )
    op.create_index("ix_plans_user_id", "plans", ["user_id"])
    op.create_table(
        "departures",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Boolean(), nullable=False),
        sa.Column("rating_before", sa.Integer()),
        sa.Column("rating_after", sa.Integer()),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_departures_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_departures")),
    )
    op.create_index("ix_departures_user_id", "departures", ["user_id"])
    op.create_table(
        "thinking",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_thinking_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_thinking")),
    )
    op.create_index("ix_thinking_due", "thinking", ["due"])
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.BigInteger(), nullable=False),
        sa.Column("reviewer", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.Double(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("standings", sa.JSON(), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_reviews_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_reviews")),
    )
    op.create_index("ix_reviews_done_asked_at", "reviews", ["done", "asked_at"])
    op.create_table(
        "analyses",
        sa.Column("id", counted, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("root", sa.String(), nullable=False),
        sa.Column("nodes", sa.JSON(), nullable=False),
        sa.Column("current", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.BigInteger()),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_analyses_table_id_tables"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_analyses_user_id_used_at", "analyses", ["user_id", "used_at"])
    op.create_index("ix_analyses_table_id", "analyses", ["table_id"])
    op.create_index("ix_analyses_used_at", "analyses", ["used_at"])


def _create_tables_of_processes() -> None:
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("halted", sa.String()),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("owner", sa.String()),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("session", sa.String()),
        sa.Column("resume_url", sa.String()),
        sa.Column("sequence", sa.BigInteger()),
        sa.Column("exact", sa.Boolean(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )


def _create_tables_of_puzzles() -> None:
    op.create_table(
        "puzzle_attempts",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("day", sa.Integer()),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double()),
        sa.Column("used_at", sa.Double(), nullable=False),
        sa.Column("outcome", sa.String()),
        sa.Column("judged", sa.JSON(), nullable=False),
        sa.Column("ongoing", sa.Boolean(), nullable=False),
        sa.Column("played", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("solved", sa.Integer(), nullable=False),
        sa.Column("given_up", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer()),
        sa.Column("forgiven", sa.Integer()),
        sa.Column("reported", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "puzzle", name=op.f("pk_puzzle_attempts")),
    )
    op.create_index("ix_puzzle_attempts_guild_id_day", "puzzle_attempts", ["guild_id", "day"])
    op.create_index("ix_puzzle_attempts_puzzle", "puzzle_attempts", ["puzzle"])
    op.create_table(
        "solver_ratings",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", name=op.f("pk_solver_ratings")),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle", name=op.f("pk_puzzle_ratings")),
    )
    op.create_table(
        "voided_days",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_voided_days")),
    )


def _create_tables_of_servers() -> None:
    counted = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
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
        sa.Column("weekday", sa.Integer()),
        sa.PrimaryKeyConstraint("guild_id", "kind", name=op.f("pk_posts")),
    )
    op.create_index("ix_posts_due", "posts", ["due"])
    op.create_table(
        "seeks",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("since", sa.Double()),
        sa.Column("until", sa.Double()),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_seeks")),
    )
    op.create_index("ix_seeks_user_id", "seeks", ["user_id"])
    op.create_table(
        "avoidances",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("avoided_id", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "avoided_id", name=op.f("pk_avoidances")),
    )
    op.create_index("ix_avoidances_avoided_id", "avoidances", ["avoided_id"])
    op.create_table(
        "pings",
        sa.Column("id", counted, nullable=False),
        sa.Column("by_user", sa.BigInteger(), nullable=False),
        sa.Column("to_user", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pings")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_pings_by_user_to_user_at", "pings", ["by_user", "to_user", "at"])
    op.create_index("ix_pings_at", "pings", ["at"])


def _create_tables_of_ladders() -> None:
    op.create_table(
        "ladders",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("looked_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", name=op.f("pk_ladders")),
    )
    op.create_table(
        "ladder_places",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("played_at", sa.Double(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name=op.f("pk_ladder_places")),
    )
    op.create_index("ix_ladder_places_user_id", "ladder_places", ["user_id"])
    op.create_table(
        "ladder_badges",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "season", "place", name=op.f("pk_ladder_badges")),
    )
    op.create_index("ix_ladder_badges_user_id", "ladder_badges", ["user_id"])


def _create_tables_of_events() -> None:
    counted = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "events",
        sa.Column("id", counted, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("threaded", sa.Boolean(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("clock", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("most_late", sa.Integer()),
        sa.Column("round_seconds", sa.Integer(), nullable=False),
        sa.Column("organiser_id", sa.BigInteger(), nullable=False),
        sa.Column("organiser_name", sa.String(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("check_in_at", sa.Double(), nullable=False),
        sa.Column("starts_at", sa.Double(), nullable=False),
        sa.Column("due", sa.Double()),
        sa.Column("ends_at", sa.Double()),
        sa.Column("paused_at", sa.Double()),
        sa.Column("finished_at", sa.Double()),
        sa.Column("lots", sa.LargeBinary()),
        sa.Column("rounds", sa.JSON(), nullable=False),
        sa.Column("forced", sa.JSON(), nullable=False),
        sa.Column("acts", sa.JSON(), nullable=False),
        sa.Column("outages", sa.JSON(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_guild_id_status", "events", ["guild_id", "status"])
    op.create_index("ix_events_due", "events", ["due"])
    op.create_table(
        "event_entries",
        sa.Column("event_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("press", sa.BigInteger()),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("has_left", sa.Boolean(), nullable=False),
        sa.Column("lapses", sa.Integer(), nullable=False),
        sa.Column("lapsed_at", sa.Double()),
        sa.Column("place", sa.Integer()),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_event_entries_event_id_events"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("event_id", "number", name=op.f("pk_event_entries")),
    )
    op.create_index("ix_event_entries_user_id", "event_entries", ["user_id"])
