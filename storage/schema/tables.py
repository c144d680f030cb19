"""The tables of the database. Each mirrors a dataclass of records.py, with a column for each field."""

from typing import Any

import sqlalchemy as sa

from storage.schema.column_types import Structure, Word
from storage.schema.kinds import TournamentStatus
from storage.schema.records import (
    Choice,
    EntryKind,
    Grace,
    JobKind,
    Level,
    Node,
    Offers,
    PostKind,
    PuzzleOutcome,
    Question,
    Reply,
    Result,
    SeatStatus,
    Standing,
    Status,
    WatchFor,
)
from storage.schema.structures import TournamentAct, TournamentRound, Wishes

# Discord's ids need 64 bits. SQLite assigns numbers only in a column that is declared INTEGER, which has 64 bits there.
Counted = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _of_table() -> sa.Column[int]:
    return sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False)


tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", Counted, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("thread_id", sa.BigInteger),
    sa.Column("threaded", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("variant", sa.String, nullable=False),
    sa.Column("options", Structure(dict[str, str]), nullable=False),
    sa.Column("wanted", sa.Integer, nullable=False),
    sa.Column("status", Word(Status), nullable=False),
    sa.Column("opened_by", sa.BigInteger, nullable=False),
    sa.Column("interaction_id", sa.BigInteger),
    sa.Column("private", sa.Boolean, nullable=False),
    sa.Column("solo", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("matched", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("ladder", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("event_id", sa.BigInteger),
    sa.Column("clock", sa.Integer),
    sa.Column("grace", Word(Grace), nullable=False, server_default=Grace.STRICT.value),
    sa.Column("rules", sa.Integer, nullable=False, server_default="1"),
    sa.Column("seed", sa.LargeBinary),
    sa.Column("stream_key", sa.LargeBinary),
    sa.Column("chain", sa.Integer, nullable=False, server_default="1"),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("turn_began", sa.Double),
    sa.Column("deadline", sa.Double),
    sa.Column("notice_at", sa.Double),
    sa.Column("outcome", Structure(Result)),
    sa.Column("offers", Structure(Offers), nullable=False),
    sa.Column("questions", Structure(tuple[Question, ...]), nullable=False, server_default="[]"),
    sa.Column("nudged_turn", sa.Integer),
    sa.Column("given_back", sa.Double),
    sa.Column("set_aside", sa.String),
    sa.Column("rematch_id", sa.BigInteger),
    sa.Column("lobby_message_id", sa.BigInteger),
    sa.Column("board_channel_id", sa.BigInteger),
    sa.Column("board_message_id", sa.BigInteger),
    sa.Column("board_version", sa.Integer),
    sa.Column("board_since", sa.Integer),
    sa.Column("board_turn", sa.Integer),
    sa.Column("board_posted", sa.Double),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("started_at", sa.Double),
    sa.Column("finished_at", sa.Double),
    sa.CheckConstraint("length(seed) = 32", name="seed_has_32_bytes"),
    sa.CheckConstraint("version >= 0", name="version_counts_entries"),
    sa.Index(None, "guild_id", "status"),
    sa.Index(None, "channel_id"),
    sa.Index(None, "thread_id"),
    sa.Index(None, "status", "deadline"),
    sa.Index(None, "status", "notice_at"),
    sa.Index(None, "interaction_id", unique=True),
    sa.Index(None, "rematch_id"),
    # Table numbers are shown to people and used in links, so none is used again, even after its table was removed.
    sqlite_autoincrement=True,
)

seats = sa.Table(
    "seats",
    metadata,
    _of_table(),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("status", Word(SeatStatus), nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("rated_as", sa.BigInteger),
    sa.Column("rating_before", sa.Integer),
    sa.Column("rating_after", sa.Integer),
    sa.Column("timeouts", sa.Integer, nullable=False),
    sa.Column("asked_at", sa.Double, nullable=False),
    sa.Column("computer", Word(Level)),
    sa.Column("hopeless", sa.Integer, nullable=False, server_default="0"),
    sa.Column("offered", sa.Integer),
    sa.Column("hints", sa.Integer, nullable=False, server_default="0"),
    sa.Column("hinted", sa.Integer),
    sa.PrimaryKeyConstraint("table_id", "user_id"),
    sa.Index(None, "user_id", "status"),
)

departures = sa.Table(
    "departures",
    metadata,
    _of_table(),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("lost", sa.Boolean, nullable=False),
    sa.Column("rating_before", sa.Integer),
    sa.Column("rating_after", sa.Integer),
    sa.PrimaryKeyConstraint("table_id", "number"),
    sa.Index(None, "user_id"),
)

actions = sa.Table(
    "actions",
    metadata,
    _of_table(),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("kind", Word(EntryKind), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("tokens", Structure(tuple[str, ...]), nullable=False),
    sa.Column("user_id", sa.BigInteger),
    sa.Column("interaction_id", sa.BigInteger),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("link", sa.String),
    sa.Column("fired", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.PrimaryKeyConstraint("table_id", "number"),
    sa.UniqueConstraint("interaction_id"),
    sa.CheckConstraint("number >= 1", name="numbers_count_from_1"),
)

plans = sa.Table(
    "plans",
    metadata,
    _of_table(),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("replies", Structure(tuple[Reply, ...]), nullable=False),
    sa.Column("orders", Structure(tuple[tuple[str, ...], ...]), nullable=False),
    sa.PrimaryKeyConstraint("table_id", "user_id"),
    sa.Index(None, "user_id"),
)

thinking = sa.Table(
    "thinking",
    metadata,
    _of_table(),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("due", sa.Double, nullable=False),
    sa.Column("asked", Structure(tuple[int, ...]), nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("table_id"),
    sa.Index(None, "due"),
)

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    sa.Column("reviewer", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("asked_at", sa.Double, nullable=False),
    sa.Column("done", sa.Boolean, nullable=False),
    sa.Column("standings", Structure(tuple[Standing, ...]), nullable=False),
    sa.Column("choices", Structure(tuple[Choice, ...]), nullable=False),
    sa.Index(None, "done", "asked_at"),
)

analyses = sa.Table(
    "analyses",
    metadata,
    sa.Column("id", Counted, primary_key=True),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("root", sa.String, nullable=False),
    sa.Column("nodes", Structure(tuple[Node, ...]), nullable=False),
    sa.Column("current", sa.Integer, nullable=False),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id", ondelete="CASCADE")),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("played", sa.Integer, nullable=False),
    sa.Column("used_at", sa.Double, nullable=False),
    sa.Index(None, "user_id", "used_at"),
    sa.Index(None, "table_id"),
    sa.Index(None, "used_at"),
    sqlite_autoincrement=True,
)

puzzle_attempts = sa.Table(
    "puzzle_attempts",
    metadata,
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("puzzle", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("guild_id", sa.BigInteger),
    sa.Column("day", sa.Integer),
    sa.Column("day_ends", sa.Double),
    sa.Column("began_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double),
    sa.Column("used_at", sa.Double, nullable=False),
    sa.Column("outcome", Word(PuzzleOutcome)),
    sa.Column("judged", Structure(tuple[bool, ...]), nullable=False),
    sa.Column("ongoing", sa.Boolean, nullable=False),
    sa.Column("played", Structure(tuple[tuple[str, ...], ...]), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("solved", sa.Integer, nullable=False),
    sa.Column("given_up", sa.Integer, nullable=False),
    sa.Column("streak", sa.Integer),
    sa.Column("forgiven", sa.Integer),
    sa.Column("reported", sa.Boolean, nullable=False),
    sa.PrimaryKeyConstraint("user_id", "puzzle"),
    sa.Index(None, "guild_id", "day"),
    sa.Index(None, "puzzle"),
)

solver_ratings = sa.Table(
    "solver_ratings",
    metadata,
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("played", sa.Integer, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("updated_at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("user_id", "game"),
)

puzzle_ratings = sa.Table(
    "puzzle_ratings",
    metadata,
    sa.Column("puzzle", sa.String, primary_key=True),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("played", sa.Integer, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("updated_at", sa.Double, nullable=False),
)

voided_days = sa.Table(
    "voided_days",
    metadata,
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Double, nullable=False),
)

contributions = sa.Table(
    "contributions",
    metadata,
    _of_table(),
    sa.Column("interaction_id", sa.BigInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("word", sa.String, nullable=False),
    sa.Column("number", sa.Integer),
    sa.PrimaryKeyConstraint("table_id", "interaction_id"),
    sa.Index(None, "user_id"),
)

# A job that replaces another gets a new id, so an id always means the same payload: finishing the older job by its id never
# deletes the newer one. No id is used again. The jobs of a table go with it.
outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", Counted, primary_key=True),
    sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id", ondelete="CASCADE")),
    sa.Column("kind", Word(JobKind), nullable=False),
    sa.Column("key", sa.String, nullable=False),
    sa.Column("payload", Structure(dict[str, Any]), nullable=False),
    sa.Column("due", sa.Double, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("place", sa.String),
    sa.UniqueConstraint("guild_id", "subject", "kind", "key"),
    sa.Index(None, "table_id"),
    sa.Index(None, "due"),
    sqlite_autoincrement=True,
)

people = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("settings", Structure(dict[str, Any]), nullable=False),
    sa.Column("vacation_from", sa.Double),
    sa.Column("vacation_until", sa.Double),
    sa.Column("vacation_days", Structure(dict[str, float]), nullable=False),
    sa.Column("direct_since", sa.Double),
    sa.Column("direct_closed", sa.Double),
    sa.Column("direct_told", sa.Double),
    sa.Index(None, "direct_since"),
)

servers = sa.Table(
    "servers",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("settings", Structure(dict[str, Any]), nullable=False),
    sa.Column("left_at", sa.Double),
)

posts = sa.Table(
    "posts",
    metadata,
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("kind", Word(PostKind), nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),
    sa.Column("zone", sa.String, nullable=False),
    sa.Column("weekday", sa.Integer),
    sa.Column("role_id", sa.BigInteger),
    sa.Column("due", sa.Double),
    sa.Column("refused", sa.Integer),
    sa.Column("day", sa.Integer),
    sa.Column("posted_in", sa.BigInteger),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("posted_at", sa.Double),
    sa.Column("edited_at", sa.Double),
    sa.Column("shown", sa.Integer, nullable=False),
    sa.PrimaryKeyConstraint("guild_id", "kind"),
    sa.Index(None, "due"),
)

seeks = sa.Table(
    "seeks",
    metadata,
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("wishes", Structure(Wishes), nullable=False),
    sa.Column("remaining", sa.Integer, nullable=False),
    sa.Column("since", sa.Double),
    sa.Column("until", sa.Double),
    sa.PrimaryKeyConstraint("guild_id", "user_id"),
    sa.Index(None, "user_id"),
)

avoidances = sa.Table(
    "avoidances",
    metadata,
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("avoided_id", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("user_id", "avoided_id"),
    sa.Index(None, "avoided_id"),
)

ladders = sa.Table(
    "ladders",
    metadata,
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("season", sa.Integer, nullable=False),
    sa.Column("looked_at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("guild_id", "game"),
)

ladder_places = sa.Table(
    "ladder_places",
    metadata,
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("played_at", sa.Double, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.PrimaryKeyConstraint("guild_id", "game", "user_id"),
    sa.Index(None, "user_id"),
)

ladder_badges = sa.Table(
    "ladder_badges",
    metadata,
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("season", sa.Integer, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.PrimaryKeyConstraint("guild_id", "game", "season", "place"),
    sa.Index(None, "user_id"),
)

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("played", sa.Integer, nullable=False),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("updated_at", sa.Double, nullable=False),
    sa.PrimaryKeyConstraint("guild_id", "user_id", "game"),
    sa.Index(None, "guild_id", "game"),
    sa.Index(None, "user_id"),
)

watches = sa.Table(
    "watches",
    metadata,
    _of_table(),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("what", Word(WatchFor), nullable=False),
    sa.PrimaryKeyConstraint("table_id", "user_id"),
    sa.Index(None, "user_id"),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("id", Counted, primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("threaded", sa.Boolean, nullable=False),
    sa.Column("thread_id", sa.BigInteger),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("variant", sa.String, nullable=False),
    sa.Column("options", Structure(dict[str, str]), nullable=False),
    sa.Column("format", sa.String, nullable=False),
    sa.Column("most", sa.Integer, nullable=False),
    sa.Column("clock", sa.Integer, nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    sa.Column("most_late", sa.Integer),
    sa.Column("round_seconds", sa.Integer, nullable=False),
    sa.Column("organiser_id", sa.BigInteger, nullable=False),
    sa.Column("organiser_name", sa.String, nullable=False),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("status", Word(TournamentStatus), nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("check_in_at", sa.Double, nullable=False),
    sa.Column("starts_at", sa.Double, nullable=False),
    sa.Column("due", sa.Double),
    sa.Column("ends_at", sa.Double),
    sa.Column("paused_at", sa.Double),
    sa.Column("finished_at", sa.Double),
    sa.Column("lots", sa.LargeBinary),
    sa.Column("rounds", Structure(tuple[TournamentRound, ...]), nullable=False),
    sa.Column("forced", Structure(tuple[tuple[int, ...], ...]), nullable=False),
    sa.Column("acts", Structure(tuple[TournamentAct, ...]), nullable=False),
    sa.Column("outages", Structure(tuple[tuple[float, float], ...]), nullable=False),
    sa.Column("message_id", sa.BigInteger),
    sa.Column("told", sa.Integer, nullable=False),
    sa.Column("podium_id", sa.BigInteger),
    sa.Index(None, "guild_id", "status"),
    sa.Index(None, "due"),
    # Numbers are shown to people and used in links, so none is used again.
    sqlite_autoincrement=True,
)

event_entries = sa.Table(
    "event_entries",
    metadata,
    sa.Column("event_id", sa.BigInteger, sa.ForeignKey("events.id", ondelete="CASCADE"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("press", sa.BigInteger),
    sa.Column("seed", sa.Integer, nullable=False),
    sa.Column("missed", sa.Integer, nullable=False),
    sa.Column("has_left", sa.Boolean, nullable=False),
    sa.Column("lapses", sa.Integer, nullable=False),
    sa.Column("lapsed_at", sa.Double),
    sa.Column("place", sa.Integer),
    sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("asked_id", sa.BigInteger),
    sa.PrimaryKeyConstraint("event_id", "number"),
    sa.Index(None, "user_id"),
    sa.Index(None, "asked_id"),
)

pings = sa.Table(
    "pings",
    metadata,
    sa.Column("id", Counted, primary_key=True),
    sa.Column("by_user", sa.BigInteger, nullable=False),
    sa.Column("to_user", sa.BigInteger, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index(None, "by_user", "to_user", "at"),
    sa.Index(None, "at"),
    sqlite_autoincrement=True,
)

heartbeats = sa.Table(
    "heartbeats",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("halted", sa.String),
)

outages = sa.Table(
    "outages",
    metadata,
    sa.Column("id", Counted, primary_key=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("since", sa.Double, nullable=False),
    sa.Column("until", sa.Double, nullable=False),
    sa.Index(None, "until"),
    sqlite_autoincrement=True,
)

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("owner", sa.String),
    sa.Column("fence", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.Double, nullable=False),
    sa.Column("session", sa.String),
    sa.Column("resume_url", sa.String),
    sa.Column("sequence", sa.BigInteger),
    sa.Column("exact", sa.Boolean, nullable=False),
    sa.Column("since", sa.Double, nullable=False, server_default="0"),
)
