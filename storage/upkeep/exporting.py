"""The data of one person in the database, for that person alone. Every column is either given, or left out for a reason.

Nobody else's id, name, word or interaction is given, whatever row it stands in, and nothing that another person has set.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import sqlalchemy as sa

from storage.schema.column_types import as_text
from storage.schema.errors import UnreadableRow
from storage.schema.records import Handover, Job, OfferKind, Seat, SeatStatus, Status, Table
from storage.schema.rows import from_row
from storage.schema.tables import (
    actions,
    analyses,
    avoidances,
    contributions,
    departures,
    event_entries,
    events,
    heartbeats,
    ladder_badges,
    ladder_places,
    ladders,
    leases,
    outages,
    outbox,
    people,
    pings,
    plans,
    posts,
    puzzle_attempts,
    puzzle_ratings,
    ratings,
    reviews,
    seats,
    seeks,
    servers,
    solver_ratings,
    tables,
    thinking,
    voided_days,
    watches,
)
from storage.upkeep.checking import MIRRORS


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are about a person, and the columns that the person is given.

    Attributes:
        name: their name in the export.
        whose: the column with the id of the person.
        columns: the names of the columns that are given.
    """

    name: str
    whose: sa.Column[Any]
    columns: tuple[str, ...]

    @property
    def table(self) -> sa.Table:
        """The table that the rows are in."""
        found = self.whose.table
        assert isinstance(found, sa.Table)
        return found


PERSONAL: Final = (
    Part(
        "settings",
        people.c.user_id,
        ("settings", "vacation_from", "vacation_until", "vacation_days", "direct_since", "direct_closed", "direct_told"),
    ),
    Part(
        "ratings",
        ratings.c.user_id,
        ("guild_id", "game", "name", "mu", "sigma", "played", "won", "drawn", "lost", "updated_at"),
    ),
    Part(
        "analyses",
        analyses.c.user_id,
        ("guild_id", "root", "nodes", "current", "side", "table_id", "place", "played", "used_at"),
    ),
    Part(
        "puzzles",
        puzzle_attempts.c.user_id,
        (
            "puzzle", "name", "guild_id", "day", "day_ends", "began_at", "ended_at", "used_at", "outcome", "judged", "ongoing",
            "played", "version", "solved", "given_up", "streak", "forgiven", "reported",
        ),
    ),
    Part("puzzle_ratings", solver_ratings.c.user_id, ("game", "mu", "sigma", "played", "won", "updated_at")),
    Part("pings_sent", pings.c.by_user, ("at",)),
    Part("pings_received", pings.c.to_user, ("at",)),
    Part("sought", seeks.c.user_id, ("guild_id", "name", "wishes", "remaining", "since", "until")),
    Part("people_avoided", avoidances.c.user_id, ("at",)),
    Part("places_on_ladders", ladder_places.c.user_id, ("guild_id", "game", "name", "place", "played_at", "won", "lost")),
    Part(
        "events_organised",
        events.c.organiser_id,
        (
            "guild_id", "channel_id", "name", "game", "variant", "options", "format", "most", "clock", "rated", "most_late",
            "round_seconds", "organiser_name", "status", "created_at", "check_in_at", "starts_at", "finished_at",
        ),
    ),
    Part(
        "entries_for_events",
        event_entries.c.user_id,
        ("event_id", "number", "name", "press", "seed", "missed", "has_left", "lapses", "lapsed_at", "place", "removed"),
    ),
    Part("asked_to_play_on_in_events", event_entries.c.asked_id, ("event_id", "number")),
    Part("badges_of_ladders", ladder_badges.c.user_id, ("guild_id", "game", "season", "place", "name")),
)  # fmt: skip
"""The parts that belong to no table at which people play."""

AT_TABLE: Final = (
    Part(
        "opened",
        tables.c.opened_by,
        (
            "guild_id", "channel_id", "interaction_id", "game", "variant", "options", "wanted", "private", "clock",
            "created_at",
        ),
    ),
    Part(
        "seat",
        seats.c.user_id,
        (
            "place", "status", "name", "rating_before", "rating_after", "timeouts", "asked_at", "offered", "hints", "hinted",
        ),
    ),
    Part("result_of_a_seat_left_to_others", seats.c.rated_as, ("place", "rating_before", "rating_after")),
    Part("departures", departures.c.user_id, ("number", "place", "name", "version", "lost", "rating_before", "rating_after")),
    Part("actions", actions.c.user_id, ("number", "kind", "seat", "tokens", "interaction_id", "at", "fired")),
    Part("plans", plans.c.user_id, ("seat", "revision", "replies", "orders")),
    Part("contributions", contributions.c.user_id, ("interaction_id", "word", "number")),
    Part("watches", watches.c.user_id, ("what",)),
)  # fmt: skip
"""The parts that belong to a table."""

ABOUT_TABLE: Final = (
    "guild_id", "channel_id", "thread_id", "game", "variant", "options", "wanted", "status", "private", "solo", "rated",
    "matched", "ladder", "event_id", "clock", "rules", "chain", "outcome", "created_at", "started_at", "finished_at",
)  # fmt: skip
"""The columns of a table that say what was played there. Only those to whom it is open are given them."""

OF_A_JOB: Final = ("kind", "due", "created_at")
"""The columns of a job that is still to be sent to a person about a table. Its payload names the person."""

OF_ANOTHER_JOB: Final = ("guild_id", *OF_A_JOB)
"""The columns of a job that is not about a table."""

_KEY = "it only joins rows, and the export has them together"
_DICE = "the dice of the game, which nobody knows while it is on and `/verify` shows afterwards"
_STATE = "how far the game is, which is the same for all who look at it"
_MESSAGES = "where the bot finds its own messages"
_EVENT = "how far the event is, which is the same for all who look at it"
_WORK = "how the bot does what is to be sent"
_COMPUTER = "it is about computers"
NOBODY: Final[Mapping[sa.Table, str]] = {
    thinking: _COMPUTER,
    reviews: "who asked for a review is not kept, and whoever looks at the game can read it",
    servers: "it is about a server",
    posts: "it is about a server",
    ladders: "it is about a server",
    puzzle_ratings: "it is about a puzzle",
    voided_days: "it is about a puzzle",
    heartbeats: "it is about a process of the bot",
    outages: "it is about a process of the bot",
    leases: "it is about a process of the bot",
}
"""The tables of the database that are about no person, and why they are left out."""

LEFT_OUT: Final[Mapping[sa.Column[Any], str]] = {
    **dict.fromkeys((tables.c.seed, tables.c.stream_key), _DICE),
    **dict.fromkeys(
        (
            tables.c.version, tables.c.turn, tables.c.turn_began, tables.c.deadline, tables.c.notice_at, tables.c.grace,
            tables.c.nudged_turn, tables.c.given_back,
        ),
        _STATE,
    ),
    **dict.fromkeys(
        (
            tables.c.threaded, tables.c.lobby_message_id, tables.c.board_channel_id, tables.c.board_message_id,
            tables.c.board_version, tables.c.board_since, tables.c.board_turn, tables.c.board_posted, tables.c.questions,
        ),
        _MESSAGES,
    ),
    actions.c.link: "it is made from the whole log of the table, and says nothing of a person",
    tables.c.set_aside: "a note for the operator",
    tables.c.rematch_id: "another table, which the export has if the person has to do with it",
    **dict.fromkeys(
        (tables.c.id, seats.c.table_id, departures.c.table_id, actions.c.table_id, plans.c.table_id, contributions.c.table_id,
         watches.c.table_id, outbox.c.table_id, pings.c.id, outbox.c.id, analyses.c.id),
        _KEY,
    ),
    avoidances.c.avoided_id: "the id of another person, who is not to learn of it",
    **dict.fromkeys((events.c.due, events.c.ends_at, events.c.paused_at, events.c.outages, events.c.told), _EVENT),
    **dict.fromkeys((events.c.rounds, events.c.forced, events.c.acts), "it is about all players, and everybody can read it"),
    **dict.fromkeys((events.c.key, events.c.lots), "the lots of the event"),
    **dict.fromkeys((events.c.message_id, events.c.podium_id, events.c.threaded, events.c.thread_id), _MESSAGES),
    events.c.id: _KEY,
    **dict.fromkeys((seats.c.computer, seats.c.hopeless), _COMPUTER),
    **dict.fromkeys((outbox.c.key, outbox.c.tries, outbox.c.subject, outbox.c.place), _WORK),
}  # fmt: skip
"""The other columns that are left out, and why."""

PICKED: Final = (tables.c.offers, outbox.c.payload)
"""JSON in which several people stand: `_offers_of` and `_is_for` look for the one."""

_KINDS: Final[Mapping[sa.Table, type[Any]]] = dict(MIRRORS)
_IDS: Final = frozenset({"guild_id", "channel_id", "thread_id", "interaction_id"})
"""The columns with ids of Discord, which are given as text, as Discord does: many programs round such large numbers."""


@dataclass(slots=True)
class Unread:
    """How many rows were left out because they cannot be read."""

    rows: int = 0


def personal(connection: sa.Connection, user_id: int, unread: Unread) -> dict[str, list[dict[str, Any]]]:
    """Return the data of a person that belongs to no table, by the names of the parts."""
    found = {}
    for part in PERSONAL:
        rows = sa.select(part.table).where(part.whose == user_id).order_by(*part.table.primary_key)
        found[part.name] = [_columns_of(record, part.columns) for record in _readable(connection, part.table, rows, unread)]
    sent_to = sa.or_(_may_name(outbox.c.payload, user_id), outbox.c.place == f"person {user_id}")
    others = sa.select(outbox).where(outbox.c.table_id.is_(None), sent_to).order_by(outbox.c.id)
    jobs = [job for job in _readable(connection, outbox, others, unread) if _is_for(job, user_id)]
    return found | ({"still_to_be_sent": [_columns_of(job, OF_ANOTHER_JOB) for job in jobs]} if jobs else {})


def numbers_of(connection: sa.Connection, user_id: int) -> list[int]:
    """Return the numbers of the tables on all servers at which there is data of a person, the newest first."""
    asked = [sa.select(_number(part.table)).where(part.whose == user_id) for part in AT_TABLE]
    asked += [sa.select(_number(column.table)).where(_may_name(column, user_id)) for column in PICKED]
    found = sa.union(*asked).subquery()
    (number,) = found.c
    return list(connection.execute(sa.select(number).where(number.is_not(None)).order_by(number.desc())).scalars())


def at_tables(connection: sa.Connection, user_id: int, numbers: Collection[int], unread: Unread) -> Iterator[dict[str, Any]]:
    """Yield the data of a person at each table of these numbers, in their order. Tables without any are left out.

    Args:
        connection: the connection.
        user_id: the person.
        numbers: the numbers of the tables.
        unread: counts the rows that cannot be read, and so are left out.
    """
    known: dict[int, Table | None] = dict.fromkeys(numbers)
    known |= {row.id: row for row in _at(connection, tables, numbers, unread)}
    records: dict[int, dict[str, list[Any]]] = {number: {} for number in numbers}
    seated: dict[int, Seat] = {}
    for part in AT_TABLE:
        for record in _mine(connection, part, user_id, known, unread):
            number = record.id if part.table is tables else record.table_id
            if isinstance(record, Seat) and record.user_id == user_id:
                seated[number] = record
            records[number].setdefault(part.name, []).append(_columns_of(_without_others_rating(record, user_id), part.columns))
    for job in _at(connection, outbox, numbers, unread, _may_name(outbox.c.payload, user_id)):
        if _is_for(job, user_id):
            records[job.table_id].setdefault("still_to_be_sent", []).append(_columns_of(job, OF_A_JOB))
    for number, table in known.items():
        if table is not None and (offers := list(_offers_of(table, seated.get(number), user_id))):
            records[number]["offers"] = offers
        if records[number]:
            may_look = table is not None and _is_open_to(user_id, table, seated.get(number))
            about = {"about": _columns_of(table, ABOUT_TABLE)} if may_look else {}
            yield {"table": number, **about, **records[number]}


def _without_others_rating(record: Any, user_id: int) -> Any:
    """Return a record as it is exported: a seat that was rated for another player is without that player’s rating.

    The game of a substitute counts for the player whose seat it was (`rated_as`), and so changed that player’s rating.
    """
    if isinstance(record, Seat) and record.user_id == user_id and record.rated_as not in {None, user_id}:
        return replace(record, rating_before=None, rating_after=None)
    return record


def _mine(
    connection: sa.Connection, part: Part, user_id: int, known: Mapping[int, Table | None], unread: Unread
) -> Iterator[Any]:
    """Return the rows of a part at tables that are `known`, where a row that cannot be read is None."""
    if part.table is tables:  # they have been read already
        return (table for table in known.values() if table is not None and table.opened_by == user_id)
    return _at(connection, part.table, known, unread, part.whose == user_id)


def _at(
    connection: sa.Connection, table: sa.Table, numbers: Collection[int], unread: Unread, *conditions: sa.ColumnElement[bool]
) -> Iterator[Any]:
    rows = sa.select(table).where(_number(table).in_(tuple(numbers)), *conditions).order_by(*table.primary_key)
    return _readable(connection, table, rows, unread)


def _readable(connection: sa.Connection, table: sa.Table, rows: sa.Select[Any], unread: Unread) -> Iterator[Any]:
    for row in connection.execute(rows).all():
        try:
            yield from_row(_KINDS[table], row)
        except UnreadableRow:
            unread.rows += 1


def _number(table: Any) -> sa.Column[int]:
    """Return the column with the number of the table at which people sit."""
    number: sa.Column[int] = tables.c.id if table is tables else table.c.table_id
    return number


def _may_name(column: sa.Column[Any], user_id: int) -> sa.ColumnElement[bool]:
    return as_text(column).like(f"%{user_id}%")


def _columns_of(record: Any, columns: Sequence[str]) -> dict[str, Any]:
    values = ((name, getattr(record, name)) for name in columns)
    return {name: str(value) if name in _IDS and value is not None else value for name, value in values}


def _is_for(job: Job, user_id: int) -> bool:
    """Return whether a job is for a person. One that tells others about them is not."""
    return job.place == f"person {user_id}" or bool(job.payload.get("to", job.payload.get("user")) == user_id)


def _offers_of(table: Table, own: Seat | None, user_id: int) -> Iterator[dict[str, Any]]:
    """Return the offers at a table that a person has made, agreed to, or been made."""
    seated = own is not None and own.status is SeatStatus.JOINED and table.status is Status.PLAYING
    place = own.place if own is not None and seated else None
    for kind in OfferKind:
        offer = table.offers.of(kind)
        if offer is None:
            continue
        mine = {"by_you": offer.by == place}
        if isinstance(offer, Handover):
            mine["to_you"] = offer.to == user_id
        else:
            mine["agreed"] = place in offer.agreed
        if any(mine.values()):
            rest = {name: value for name, value in asdict(offer).items() if name not in {"by", "agreed", "to"}}
            yield {"kind": kind, **rest, **mine}


def _is_open_to(user_id: int, table: Table, own: Seat | None) -> bool:
    """Return whether a person may look at a table; see `bot.core.table.snapshot.Snapshot.open_to`."""
    there = own is not None and own.status is not SeatStatus.DECLINED
    offered = table.offers.substitute
    return not table.private or there or (offered is not None and offered.to == user_id)
