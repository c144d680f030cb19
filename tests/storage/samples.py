"""Records to write, with usual values for fields that a test doesn't name."""

from collections.abc import Mapping
from typing import Any, Final

from storage.schema.ladder_records import LadderBadge, LadderPlace
from storage.schema.puzzle_records import PuzzleAttempt, PuzzleRating, SolverRating
from storage.schema.records import (
    Analysis,
    Departure,
    Entry,
    EntryKind,
    Job,
    JobKind,
    Node,
    Plan,
    Post,
    PostKind,
    PuzzleOutcome,
    Rating,
    Reply,
    Seat,
    SeatStatus,
    Table,
)
from storage.schema.seek_records import Seek
from storage.schema.structures import Wishes
from storage.schema.tournament_records import StoredTournament, TournamentEntry

GUILD, OTHER_GUILD = 80_000_000_000_000_001, 80_000_000_000_000_002
CHANNEL, OTHER_CHANNEL = 90_000_000_000_000_001, 90_000_000_000_000_002
ANNA, BERT, CARL = 70_000_000_000_000_001, 70_000_000_000_000_002, 70_000_000_000_000_003


def a_table(**fields: Any) -> Table:
    usual: dict[str, Any] = {
        "guild_id": GUILD, "channel_id": CHANNEL, "game": "bouncers", "variant": "classic", "wanted": 2, "opened_by": ANNA,
        "created_at": 1000.0,
    }  # fmt: skip
    return Table(**(usual | fields))


def a_seat(table_id: int, user_id: int, place: int, **fields: Any) -> Seat:
    usual: dict[str, Any] = {"status": SeatStatus.JOINED, "name": f"person {user_id}", "asked_at": 1000.0 + place}
    return Seat(table_id=table_id, user_id=user_id, place=place, **(usual | fields))


def a_departure(table_id: int, user_id: int, number: int, **fields: Any) -> Departure:
    usual: dict[str, Any] = {"place": 0, "name": f"person {user_id}", "version": 0, "lost": True}
    return Departure(table_id=table_id, number=number, user_id=user_id, **(usual | fields))


def an_entry(table_id: int, number: int, **fields: Any) -> Entry:
    usual: dict[str, Any] = {"kind": EntryKind.PLAY, "seat": 0, "tokens": ("c2", "c3"), "user_id": ANNA, "at": 1000.0 + number}
    return Entry(table_id=table_id, number=number, **(usual | fields))


PAYLOADS: Final[Mapping[JobKind, dict[str, Any]]] = {
    JobKind.REMINDER: {"user": 1, "turn": 1, "which": "half"}, JobKind.WATCH: {"user": 1, "turn": 1},
    JobKind.NUDGE: {"by": 0, "turn": 1}, JobKind.DISMISSAL: {"user": 1},
    JobKind.POST_EDIT: {"channel": 6, "message": 5, "day": 1}, JobKind.POST_REFUSED: {"to": 1, "channel": 6, "code": 50013},
    JobKind.CLOCK_DOUBTED: {"to": 1}, JobKind.ANALYSIS: {"channel": 6, "user": 1, "analysis": 1, "position": 0},
    JobKind.RETIRE: {"channel": 6, "message": 5, "version": 0, "since": 0},
}  # fmt: skip
"""What jobs say beyond their kind by default."""


def a_job(table_id: int | None, **fields: Any) -> Job:
    usual: dict[str, Any] = {"kind": JobKind.BOARD, "due": 1000.0, "created_at": 1000.0}
    job = usual | fields
    return Job(table_id=table_id, **(job | {"payload": PAYLOADS.get(job["kind"], {}) | job.get("payload", {})}))


def a_rating(user_id: int, **fields: Any) -> Rating:
    usual: dict[str, Any] = {
        "guild_id": GUILD, "game": "bouncers", "name": f"person {user_id}", "mu": 25.0, "sigma": 8.0, "updated_at": 1000.0,
    }  # fmt: skip
    return Rating(user_id=user_id, **(usual | fields))


def a_plan(table_id: int, user_id: int, seat: int, **fields: Any) -> Plan:
    then = Reply(theirs=("g2", "g3"), mine=("b7", "b6"))
    usual: dict[str, Any] = {
        "revision": 3,
        "replies": (Reply(theirs=("c2", "c3"), mine=("c7", "c6"), then=(then,)),),
        "orders": (("whistle", "scores", "blue"), ("pass", "otherwise")),
    }
    return Plan(table_id=table_id, user_id=user_id, seat=seat, **(usual | fields))


def a_puzzle_attempt(user_id: int, **fields: Any) -> PuzzleAttempt:
    usual: dict[str, Any] = {
        "puzzle": "bouncers-17", "name": f"person {user_id}", "guild_id": GUILD, "day": 3, "day_ends": 2000.0,
        "began_at": 900.0, "ended_at": 990.5, "used_at": 1000.0, "outcome": PuzzleOutcome.SOLVED, "judged": (True, False, True),
        "played": (("c2", "c3"), ("c3", "c4")), "ongoing": False, "version": 3, "solved": 1, "streak": 2, "forgiven": 1,
    }  # fmt: skip
    return PuzzleAttempt(user_id=user_id, **(usual | fields))


def a_solver_rating(user_id: int, **fields: Any) -> SolverRating:
    usual: dict[str, Any] = {"game": "bouncers", "mu": 25.5, "sigma": 8.0 / 3, "played": 3, "won": 1, "updated_at": 1000.0}
    return SolverRating(user_id=user_id, **(usual | fields))


def a_puzzle_rating(puzzle: str = "bouncers-17", **fields: Any) -> PuzzleRating:
    usual: dict[str, Any] = {"mu": 20.0 / 3, "sigma": 4.0, "played": 3, "won": 2, "updated_at": 1000.0}
    return PuzzleRating(puzzle=puzzle, **(usual | fields))


def an_analysis(user_id: int, **fields: Any) -> Analysis:
    nodes = (Node(0, 0, ("c2", "c3")), Node(1, 1, ("c7", "c6")), Node(0, 0, ("roll",), (5, 0)))
    usual: dict[str, Any] = {"guild_id": GUILD, "root": "bouncers12ABC", "nodes": nodes, "current": 2, "used_at": 1000.0}
    return Analysis(user_id=user_id, **(usual | fields))


def a_post(guild_id: int = GUILD, **fields: Any) -> Post:
    usual: dict[str, Any] = {
        "kind": PostKind.DAILY, "channel_id": CHANNEL, "hour": 9, "zone": "Europe/Berlin", "due": 2000.0, "day": 3,
        "posted_in": CHANNEL, "message_id": 4, "posted_at": 1000.0,
    }  # fmt: skip
    return Post(guild_id=guild_id, **(usual | fields))


def a_seek(user_id: int, **fields: Any) -> Seek:
    wishes = Wishes(plays=("bouncers/8x8-16", "pucks/standard"), clocks=(3600, 86_400), seats=(2, 3), rated=True, most_late=10)
    usual: dict[str, Any] = {
        "guild_id": GUILD, "name": f"person {user_id}", "wishes": wishes, "remaining": 1, "since": 900.5, "until": 605_700.5,
    }  # fmt: skip
    return Seek(user_id=user_id, **(usual | fields))


def a_ladder_place(user_id: int, **fields: Any) -> LadderPlace:
    usual: dict[str, Any] = {"guild_id": GUILD, "game": "bouncers", "name": f"person {user_id}", "place": 1, "played_at": 900.5}
    return LadderPlace(user_id=user_id, **(usual | fields))


def a_ladder_badge(user_id: int, **fields: Any) -> LadderBadge:
    usual: dict[str, Any] = {"guild_id": GUILD, "game": "bouncers", "season": 8104, "place": 1, "name": f"person {user_id}"}
    return LadderBadge(user_id=user_id, **(usual | fields))


def a_tournament(**fields: Any) -> StoredTournament:
    usual: dict[str, Any] = {
        "guild_id": GUILD, "channel_id": CHANNEL, "name": "Summer Cup", "game": "bouncers", "variant": "classic",
        "format": "round_robin", "most": 8, "clock": 86400, "round_seconds": 604_800, "organiser_id": ANNA,
        "organiser_name": "Anna", "key": bytes(range(32)), "created_at": 900.5, "check_in_at": 1000.5, "starts_at": 2000.5,
        "due": 1000.5,
    }  # fmt: skip
    return StoredTournament(**(usual | fields))


def a_tournament_entry(user_id: int, **fields: Any) -> TournamentEntry:
    usual: dict[str, Any] = {"event_id": 1, "number": 1, "name": f"person {user_id}"}
    return TournamentEntry(user_id=user_id, **(usual | fields))
