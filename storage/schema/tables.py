"""The tables of the database, for use in statements. They are declared by the records, as `columns` explains."""

from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa

from storage.schema.analysis_records import Analysis
from storage.schema.columns import DECLARED, Column, Declaration, make_table
from storage.schema.game_records import Contribution, Entry, Plan, Review, Thinking
from storage.schema.job_records import Job
from storage.schema.ladder_records import Ladder, LadderBadge, LadderPlace
from storage.schema.people_records import Person, Ping, Rating, Server
from storage.schema.post_records import Post
from storage.schema.process_records import Heartbeat, Outage, StoredLease
from storage.schema.puzzle_records import PuzzleAttempt, PuzzleRating, SolverRating, VoidedDay
from storage.schema.seek_records import Avoidance, Seek
from storage.schema.table_records import Departure, Seat, Table, Watch
from storage.schema.tournament_records import StoredTournament, TournamentEntry

metadata: Final = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# Exports and checks go through them in this order.
tables: Final = make_table(Table, metadata)
seats: Final = make_table(Seat, metadata)
departures: Final = make_table(Departure, metadata)
actions: Final = make_table(Entry, metadata)
plans: Final = make_table(Plan, metadata)
contributions: Final = make_table(Contribution, metadata)
watches: Final = make_table(Watch, metadata)
thinking: Final = make_table(Thinking, metadata)
reviews: Final = make_table(Review, metadata)
outbox: Final = make_table(Job, metadata)
people: Final = make_table(Person, metadata)
servers: Final = make_table(Server, metadata)
ratings: Final = make_table(Rating, metadata)
analyses: Final = make_table(Analysis, metadata)
puzzle_attempts: Final = make_table(PuzzleAttempt, metadata)
solver_ratings: Final = make_table(SolverRating, metadata)
puzzle_ratings: Final = make_table(PuzzleRating, metadata)
voided_days: Final = make_table(VoidedDay, metadata)
pings: Final = make_table(Ping, metadata)
posts: Final = make_table(Post, metadata)
seeks: Final = make_table(Seek, metadata)
avoidances: Final = make_table(Avoidance, metadata)
ladders: Final = make_table(Ladder, metadata)
ladder_places: Final = make_table(LadderPlace, metadata)
events: Final = make_table(StoredTournament, metadata)
event_entries: Final = make_table(TournamentEntry, metadata)
ladder_badges: Final = make_table(LadderBadge, metadata)
heartbeats: Final = make_table(Heartbeat, metadata)
outages: Final = make_table(Outage, metadata)
leases: Final = make_table(StoredLease, metadata)


def record_of(table: sa.Table) -> type[Any]:
    """Return the type of record that the rows of a table have."""
    record: type[Any] = table.info["record"]
    return record


def declaration_of(table: sa.Table) -> Declaration:
    """Return the declaration of a table."""
    return DECLARED[record_of(table)]


def declared(column: sa.Column[Any]) -> Column:
    """Return the declaration of a column."""
    found: Column = column.info["column"]
    return found


def every_column() -> Iterator[sa.Column[Any]]:
    """Yield the columns of all tables."""
    for table in metadata.tables.values():
        yield from table.columns


def noted(note: object) -> tuple[sa.Column[Any], ...]:
    """Return those columns, of all tables, that have a certain note."""
    return tuple(column for column in every_column() if declared(column).note(type(note)) == note)
