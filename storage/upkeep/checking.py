"""Checks of the content of a database: the limits of every column of every row, and contradictions between rows.

Reading is content with values of the right type, since it has to be fast. Here each column has limits as well.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Annotated, Any, Final
from zoneinfo import available_timezones

import sqlalchemy as sa
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from storage.queries.row_conditions import NEVER
from storage.schema import tables
from storage.schema.errors import UnreadableRow
from storage.schema.jobs import OF_NO_SERVER
from storage.schema.kinds import TournamentStatus
from storage.schema.ladder_records import Ladder, LadderBadge, LadderPlace
from storage.schema.puzzle_records import PuzzleAttempt, PuzzleRating, SolverRating, VoidedDay
from storage.schema.records import (
    Analysis,
    Contribution,
    Departure,
    Entry,
    Grace,
    Heartbeat,
    Job,
    Outage,
    Person,
    Ping,
    Plan,
    Post,
    Rating,
    Review,
    Seat,
    Server,
    Status,
    StoredLease,
    Table,
    Thinking,
    Watch,
)
from storage.schema.rows import faults_in, from_row
from storage.schema.seek_records import Avoidance, Seek
from storage.schema.tournament_records import StoredTournament, TournamentEntry

MIRRORS: Final = (
    (tables.tables, Table),
    (tables.seats, Seat),
    (tables.departures, Departure),
    (tables.actions, Entry),
    (tables.outbox, Job),
    (tables.people, Person),
    (tables.servers, Server),
    (tables.ratings, Rating),
    (tables.watches, Watch),
    (tables.contributions, Contribution),
    (tables.pings, Ping),
    (tables.heartbeats, Heartbeat),
    (tables.outages, Outage),
    (tables.plans, Plan),
    (tables.thinking, Thinking),
    (tables.reviews, Review),
    (tables.analyses, Analysis),
    (tables.posts, Post),
    (tables.seeks, Seek),
    (tables.avoidances, Avoidance),
    (tables.ladders, Ladder),
    (tables.ladder_places, LadderPlace),
    (tables.ladder_badges, LadderBadge),
    (tables.events, StoredTournament),
    (tables.event_entries, TournamentEntry),
    (tables.puzzle_attempts, PuzzleAttempt),
    (tables.solver_ratings, SolverRating),
    (tables.puzzle_ratings, PuzzleRating),
    (tables.voided_days, VoidedDay),
    (tables.leases, StoredLease),
)
"""The tables of the database, each with the record that its rows contain."""

MOST_SEATS: Final = 6

Positive = Annotated[int, Field(gt=0, lt=2**63)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
Place = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Moment = Annotated[float, Field(ge=0, lt=NEVER)]
Text = Annotated[str, Field(min_length=1)]
Bytes32 = Annotated[bytes, Field(min_length=32, max_length=32)]
PuzzleName = Annotated[str, Field(pattern=r"^[a-z]+-[1-9][0-9]*$")]
Skill = Annotated[float, Field(gt=-1000, lt=1000)]
Somebody = Annotated[int, Field(gt=-(2**63), lt=2**63)]
"""A user's id, or the negative one of a person who has been forgotten."""

LIMITS: Final[Mapping[type, Mapping[str, Any]]] = {
    Table: {
        "id": Positive, "guild_id": Positive, "channel_id": Positive, "thread_id": Positive | None, "game": Text,
        "variant": Text, "wanted": Annotated[int, Field(ge=1, le=MOST_SEATS)], "opened_by": Somebody,
        "interaction_id": Positive | None,
        "clock": Annotated[int, Field(gt=0, lt=2**31)] | None, "rules": Annotated[int, Field(ge=1, lt=2**31)],
        "seed": Bytes32 | None, "stream_key": Bytes32 | None, "chain": Annotated[int, Field(ge=1, lt=2**31)],
        "version": Count, "turn": Count, "turn_began": Moment | None,
        "deadline": Moment | None, "notice_at": Moment | None, "nudged_turn": Count | None,
        "given_back": Annotated[float, Field(ge=0)] | None, "rematch_id": Positive | None, "event_id": Positive | None,
        "lobby_message_id": Positive | None, "board_channel_id": Positive | None, "board_message_id": Positive | None,
        "board_version": Count | None, "board_since": Count | None, "board_turn": Count | None,
        "board_posted": Moment | None, "created_at": Moment, "started_at": Moment | None, "finished_at": Moment | None,
    },
    Seat: {"table_id": Positive, "user_id": Somebody, "place": Count, "rated_as": Somebody | None, "timeouts": Count,
           "asked_at": Moment, "hopeless": Count, "offered": Count | None, "hints": Count, "hinted": Count | None},
    Departure: {"table_id": Positive, "number": Positive, "place": Place, "user_id": Somebody, "version": Count},
    Entry: {"table_id": Positive, "number": Positive, "seat": Place, "user_id": Somebody | None,
            "interaction_id": Positive | None, "at": Moment,
            "link": Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None},
    Job: {"id": Positive, "table_id": Positive | None, "due": Annotated[float, Field(ge=0, le=NEVER)], "tries": Count,
          "created_at": Moment, "guild_id": Annotated[int, Field(ge=0, lt=2**63)]},
    Person: {"user_id": Positive, "vacation_from": Moment | None, "vacation_until": Moment | None,
             **dict.fromkeys(("direct_since", "direct_closed", "direct_told"), Moment | None),
             "vacation_days": dict[Annotated[str, Field(pattern=r"^\d{4}$")], Annotated[float, Field(ge=0, le=366)]]},
    Server: {"guild_id": Positive, "left_at": Moment | None},
    Rating: {"guild_id": Positive, "user_id": Positive, "game": Text, "sigma": Annotated[float, Field(gt=0)],
             "played": Count, "won": Count, "drawn": Count, "lost": Count, "updated_at": Moment},
    Watch: {"table_id": Positive, "user_id": Positive},
    # The limits of one that was removed are in `_of_contribution`.
    Contribution: {"table_id": Positive, "interaction_id": Somebody, "user_id": Somebody, "number": Positive | None},
    Ping: {"id": Positive, "by_user": Positive, "to_user": Positive, "at": Moment},
    Heartbeat: {"name": Text, "at": Moment},
    Outage: {"id": Positive, "name": Text, "since": Moment, "until": Moment},
    # The plans themselves have no limits here: a report would quote them.
    Plan: {"table_id": Positive, "user_id": Positive, "seat": Place, "revision": Count},
    Thinking: {"table_id": Positive, "version": Count, "due": Moment, "asked": tuple[Place, ...], "created_at": Moment},
    Review: {"table_id": Positive, "reviewer": Positive, "version": Count, "asked_at": Moment},
    # What is in them is theirs alone, and a report would quote it: `_of_analysis` looks at it.
    Analysis: {"id": Positive, "user_id": Positive, "guild_id": Positive, "current": Count, "side": Place,
               "table_id": Positive | None, "place": Count, "played": Count, "used_at": Moment},
    Post: {"guild_id": Positive, "channel_id": Positive, "hour": Annotated[int, Field(ge=0, le=23)], "zone": Text,
           "weekday": Annotated[int, Field(ge=0, le=6)] | None, "role_id": Positive | None, "due": Moment | None,
           "refused": Count | None, "day": Count | None, "posted_in": Positive | None, "message_id": Positive | None,
           "posted_at": Moment | None, "edited_at": Moment | None, "shown": Count},
    # What people wish is theirs alone, and a report would quote it: `_of_seek` looks at it.
    Seek: {"guild_id": Positive, "user_id": Positive, "remaining": Count, "since": Moment | None, "until": Moment | None},
    Avoidance: {"user_id": Positive, "avoided_id": Positive, "at": Moment},
    Ladder: {"guild_id": Positive, "game": Text, "season": Count, "looked_at": Moment},
    LadderPlace: {"guild_id": Positive, "game": Text, "user_id": Positive, "place": Positive, "played_at": Moment, "won": Count,
                  "lost": Count},
    LadderBadge: {"guild_id": Positive, "game": Text, "season": Count, "place": Annotated[int, Field(ge=1, le=3)],
                  "user_id": Positive},
    StoredTournament: {"id": Positive, "guild_id": Positive, "channel_id": Positive, "thread_id": Positive | None,
                  "name": Text, "game": Text, "variant": Text,
                  "format": Text, "most": Positive, "clock": Positive, "round_seconds": Positive,
                  "most_late": Annotated[int, Field(ge=0, le=100)] | None, "organiser_id": Somebody, "key": Bytes32,
                  "created_at": Moment, "check_in_at": Moment, "starts_at": Moment, "due": Moment | None,
                  "ends_at": Moment | None, "paused_at": Moment | None, "finished_at": Moment | None, "lots": Bytes32 | None,
                  "message_id": Positive | None, "podium_id": Positive | None, "told": Count},
    TournamentEntry: {"event_id": Positive, "number": Positive, "user_id": Somebody, "asked_id": Positive | None,
                 "press": Positive | None, "seed": Count,
                 "missed": Count, "lapses": Count, "lapsed_at": Moment | None, "place": Positive | None},
    PuzzleAttempt: {"user_id": Positive, "puzzle": PuzzleName, "guild_id": Positive | None, "day": Positive | None,
                    "day_ends": Moment | None, "began_at": Moment, "ended_at": Moment | None, "used_at": Moment,
                    "version": Count, "solved": Count, "given_up": Count, "streak": Positive | None,
                    "forgiven": Positive | None},
    SolverRating: {"user_id": Positive, "game": Text, "mu": Skill, "sigma": Annotated[float, Field(gt=0, lt=1000)],
                   "played": Count, "won": Count, "updated_at": Moment},
    PuzzleRating: {"puzzle": PuzzleName, "mu": Skill, "sigma": Annotated[float, Field(gt=0, lt=1000)],
                   "played": Count, "won": Count, "updated_at": Moment},
    VoidedDay: {"day": Positive, "at": Moment},
    StoredLease: {"name": Text, "fence": Annotated[int, Field(ge=0, lt=2**63)], "expires": Moment, "since": Moment,
                  "sequence": Annotated[int, Field(ge=0, lt=2**63)] | None},
}  # fmt: skip
"""The limits of the columns, beyond the types that the records have."""


@cache
def _model(kind: type) -> type[BaseModel]:
    """Return a model of the rows of a record, with their limits."""
    limited: dict[str, Any] = {field.name: (LIMITS[kind].get(field.name, Any), ...) for field in fields(kind)}
    strict = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, arbitrary_types_allowed=True)
    return create_model(f"Row{kind.__name__}", __config__=strict, **limited)


def _of_table(table: Table) -> Iterator[tuple[str, str]]:
    if (table.status is Status.FINISHED) != (table.outcome is not None):
        yield "outcome", "only a game that is over has one, and always" if table.outcome else "the game is over without one"
    if table.status is Status.PLAYING and table.clock is not None and table.deadline is None:
        yield "deadline", "the game has a clock, but no deadline"
    timed = table.status is Status.PLAYING and table.clock is not None
    if table.grace is Grace.RUNNING and not timed:
        yield "grace", "only a game that is on, with a clock, can be in its period of grace"
    yield from _of_board(table)


def _of_board(table: Table) -> Iterator[tuple[str, str]]:
    """Find a board's message that is ahead of its game. Neither a log nor its turns ever go back."""
    if (shown := table.board_version) is not None and shown > table.version:
        yield "board_version", f"the board shows {shown} entries, but the log has {table.version}"
    shown = table.version if shown is None and table.board_message_id is not None else shown or 0
    if (since := table.board_since) is not None and since > shown:
        yield "board_since", f"the board tells what comes after entry {since}, but shows {shown}"
    for name, turn in (("board_turn", table.board_turn), ("nudged_turn", table.nudged_turn)):
        if turn is not None and turn > table.turn:
            yield name, f"{turn} is a turn to come: the game is at {table.turn}"


def _of_person(person: Person) -> Iterator[tuple[str, str]]:
    begins, ends = person.vacation_from, person.vacation_until
    if (begins is None) != (ends is None) or (begins is not None and ends is not None and ends < begins):
        yield "vacation_until", "the vacation ends before it begins"


def _of_rating(rating: Rating) -> Iterator[tuple[str, str]]:
    if rating.won + rating.drawn + rating.lost != rating.played:
        yield "played", f"{rating.played} games, but {rating.won} won, {rating.drawn} drawn and {rating.lost} lost"


def _of_contribution(contribution: Contribution) -> Iterator[tuple[str, str]]:
    """Find a contribution that neither a press can have made, nor forgetting its owner can have left."""
    press, number = contribution.interaction_id, contribution.number
    if not contribution.removed:
        if press == 0 or contribution.user_id <= 0:
            yield "interaction_id" if press == 0 else "user_id", "a press has an interaction and a user, whose ids are positive"
        return
    if number is None or press != -number:
        yield "interaction_id", f"it is negative, as if its owner had been forgotten, but it is not the negative of {number}"
    if contribution.user_id >= 0:
        yield "user_id", "its owner has been forgotten, but a user is named"
    if contribution.word:
        yield "word", "its owner has been forgotten, but their word is still there"


def _of_analysis(analysis: Analysis) -> Iterator[tuple[str, str]]:
    count = len(analysis.nodes)
    for number, node in enumerate(analysis.nodes, 1):
        if not 0 <= node.parent < number:
            yield "nodes", f"position {number} comes after position {node.parent}, which is not before it"
        elif number <= analysis.played and node.parent != number - 1:
            yield "nodes", f"position {number} is said to have been played, but not after position {number - 1}"
    for name, number in (("current", analysis.current), ("played", analysis.played)):
        if number > count:
            yield name, f"{number}, but there are {count} positions"
    if analysis.table_id is None and (analysis.place or analysis.played):
        yield "table_id", "it comes from no game, but has moves of one"


def _of_post(post: Post) -> Iterator[tuple[str, str]]:
    if post.zone not in available_timezones():
        yield "zone", f"there is no time zone {post.zone!r:.80}"
    message = {"day": post.day, "posted_in": post.posted_in, "message_id": post.message_id, "posted_at": post.posted_at}
    missing = [name for name, value in message.items() if value is None]
    if 0 < len(missing) < len(message):
        yield missing[0], "only a part is known of its newest message"
    elif missing and (post.edited_at is not None or post.shown):
        yield "edited_at" if post.edited_at is not None else "shown", "there is no message that can show it"


def _of_seek(seek: Seek) -> Iterator[tuple[str, str]]:
    if (seek.since is None) != (seek.until is None) or (seek.since is not None and seek.since > (seek.until or 0.0)):
        yield "until", "the wait ends before it begins"
    if (seek.since is None) != (seek.remaining == 0):
        yield "remaining", f"{seek.remaining} games are waited for" if seek.remaining else "a wait for no game"
    if seek.wishes.games < 1 or seek.wishes.days < 1 or not 0 <= (seek.wishes.most_late or 0) <= 100:
        yield "wishes", "no number of games, days or time-outs is like that"


def _of_avoidance(avoidance: Avoidance) -> Iterator[tuple[str, str]]:
    if avoidance.user_id == avoidance.avoided_id:
        yield "avoided_id", "nobody avoids themselves"


def _of_tournament(event: StoredTournament) -> Iterator[tuple[str, str]]:
    over = event.status in {TournamentStatus.FINISHED, TournamentStatus.CANCELLED}
    if over != (event.finished_at is not None):
        yield "finished_at", "only an event that is over has ended, and always"
    if event.rounds and event.lots is None:
        yield "lots", "there are rounds, but no lots have been drawn"
    if event.status in {TournamentStatus.OPEN, TournamentStatus.CHECK_IN} and event.rounds:
        yield "rounds", "there are some before the start"
    if event.status is TournamentStatus.RUNNING and event.paused_at is None and event.due is None:
        yield "due", "it goes on, but nobody looks at it"
    for number, each in enumerate(event.rounds):
        for game in each.games:
            fits = len(set(game.seats)) == len(game.seats) > 1
            if not fits or any(len(values) not in {0, len(game.seats)} for values in (game.places, game.timeouts)):
                yield (
                    "rounds",
                    f"round {number} has a game with the seats {game.seats!r:.80} and the places {game.places!r:.80}",
                )


def _of_job(job: Job) -> Iterator[tuple[str, str]]:
    if (job.guild_id == 0) != (job.kind in OF_NO_SERVER):
        yield "guild_id", f"a job of this kind is about {'no' if job.kind in OF_NO_SERVER else 'a'} server"


def _of_puzzle_attempt(attempt: PuzzleAttempt) -> Iterator[tuple[str, str]]:
    if (attempt.outcome is None) != (attempt.ended_at is None):
        yield "ended_at", "only a first attempt that is over has ended, and always"
    if attempt.outcome is None and not attempt.ongoing:
        yield "ongoing", "the first attempt is not over, but does not go on"
    if (attempt.outcome is None) != (attempt.solved + attempt.given_up == 0):
        yield "outcome", f"{attempt.solved} solved and {attempt.given_up} given up"
    if (attempt.day is None) != (attempt.day_ends is None):
        yield "day_ends", "the puzzle of a day has its end, and no other has"
    if attempt.streak is not None and attempt.day is None:
        yield "streak", "it counts for no day"


def _of_solving(rating: SolverRating | PuzzleRating) -> Iterator[tuple[str, str]]:
    if rating.won > rating.played:
        yield "won", f"{rating.won} of {rating.played} attempts"


_WITHIN: Final[Mapping[type, Callable[[Any], Iterator[tuple[str, str]]]]] = {
    Table: _of_table,
    Job: _of_job,
    Person: _of_person,
    Rating: _of_rating,
    Contribution: _of_contribution,
    Analysis: _of_analysis,
    Post: _of_post,
    Seek: _of_seek,
    Avoidance: _of_avoidance,
    StoredTournament: _of_tournament,
    PuzzleAttempt: _of_puzzle_attempt,
    SolverRating: _of_solving,
    PuzzleRating: _of_solving,
}
"""The contradictions between the columns of one row."""


def row_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each column of each row that is not as it should be."""
    for table, kind in MIRRORS:
        for row in connection.execute(_exactly(connection, table)).mappings():
            values = {str(name): _truth(table.c[name], value) for name, value in row.items()}
            unreadable = faults_in(kind, values)
            said = "cannot be read" if unreadable else "is not as it should be"
            for column, reason in unreadable.items() or _beyond(kind, values):
                yield f"A row of {table.name} {said}: {UnreadableRow(kind, values, column, reason)}."


def _exactly(connection: sa.Connection, table: sa.Table) -> sa.Select[Any]:
    """Return the statement that finds all rows of a table. SQLite keeps truth values as numbers: all but 0 are true."""
    numbers = connection.dialect.name == "sqlite"
    return sa.select(
        *(
            sa.type_coerce(column, sa.types.NullType()).label(column.name)
            if numbers and isinstance(column.type, sa.Boolean)
            else column
            for column in table.c
        )
    )


def _truth(column: sa.Column[Any], value: Any) -> Any:
    return bool(value) if isinstance(column.type, sa.Boolean) and value in (0, 1) else value


def _beyond(kind: type, values: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the columns of a readable row that are beyond their limits, or contradict one another."""
    try:
        _model(kind).model_validate(values)
    except ValidationError as error:
        return [(str(found["loc"][0]), f"{found['msg']} ({found['input']!r:.80})") for found in error.errors()]
    return list(_WITHIN[kind](kind(**values))) if kind in _WITHIN else []


def readable(connection: sa.Connection, table: sa.Table, kind: type) -> Iterator[Any]:
    """Yield the records in a table of the database, without those that cannot be read."""
    for row in connection.execute(sa.select(table)):
        try:
            yield from_row(kind, row)
        except UnreadableRow:
            continue
