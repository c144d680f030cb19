"""What is kept, as values: one frozen dataclass for each kind of row. Times are seconds since 1970, in UTC."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """The life of a table."""

    OPEN = "open"
    """Waiting for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    """Played to an end: won, drawn, resigned or lost on time."""
    CLOSED = "closed"
    """Given up without a result."""


class SeatStatus(StrEnum):
    """How somebody stands to a table."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """Resigned, timed out or removed; keeps the seat's place in the order."""


class EntryKind(StrEnum):
    """What an entry of a game's log does."""

    PLAY = "play"
    WITHDRAW = "withdraw"
    UNDO = "undo"
    """Takes back the last entry that is still in force and is itself no undo."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table: one game from its opening to its end.

    Attributes:
        id: its number, shown to people as #id.
        guild_id: the server; channel_id: where it was opened; thread_id: the thread where it is played, if one is.
        game, variant, options: what is played.
        wanted: how many seats it has.
        opened_by: the user who opened it.
        private: whether only invited people may join.
        rated: whether the result counts.
        clock: seconds per turn, or None for no clock.
        seed: 32 bytes, drawn when the game starts; None before.
        version: how many log entries there are.
        turn: how often the seats waited for have changed; a new turn is a new message and a new ping.
        turn_began: when they last changed.
        deadline: when the turn is over, or None.
        notice_at: when a reminder is due next, or None.
        outcome: {"winners": [...], "reason": ..., "how": ...} of a finished game.
        offers: standing offers by kind ("draw", "undo"), each with who made it and who has agreed.
        lobby_message_id: the message with Join and Start.
        board_channel_id, board_message_id: the newest board message.
        board_version, board_since, board_turn: the version it shows, the first version it told of, the turn it belongs to.
        board_posted: when it was posted.
    """

    id: int = 0
    guild_id: int
    channel_id: int
    thread_id: int | None = None
    game: str
    variant: str
    options: dict[str, str] = field(default_factory=dict)
    wanted: int
    status: Status = Status.OPEN
    opened_by: int
    private: bool = False
    rated: bool = True
    clock: int | None = None
    seed: bytes | None = None
    version: int = 0
    turn: int = 0
    turn_began: float | None = None
    deadline: float | None = None
    notice_at: float | None = None
    outcome: dict[str, Any] | None = None
    offers: dict[str, Any] = field(default_factory=dict)
    lobby_message_id: int | None = None
    board_channel_id: int | None = None
    board_message_id: int | None = None
    board_version: int | None = None
    board_since: int | None = None
    board_turn: int | None = None
    board_posted: float | None = None
    created_at: float
    started_at: float | None = None
    finished_at: float | None = None


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Somebody's place at a table. `place` is the order of joining; once the game has started it is the seat's number.

    Attributes:
        name: how the person was called when last seen.
        timeouts: time-outs in a row.
        asked_at: when the invitation was sent, or the seat was taken.
    """

    table_id: int
    user_id: int
    place: int
    status: SeatStatus
    name: str
    timeouts: int = 0
    asked_at: float


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of a game's log. (table_id, number) is the key; numbers count from 1 without a gap.

    Attributes:
        seat: whose action it is; tokens: the action, empty for other kinds than PLAY.
        user_id: who did it; None for the bot itself (a time-out).
        interaction_id: the click or command that made it, unique; None for the bot itself.
    """

    table_id: int
    number: int
    kind: EntryKind
    seat: int
    tokens: tuple[str, ...] = ()
    user_id: int | None
    interaction_id: int | None = None
    at: float


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something that Discord has still to be told: a row of the outbox.

    Attributes:
        kind: "board", "lobby", "notice", …; what each means stands in bot/outbox/jobs.py.
        key: jobs of one table with the same kind and key are one: the newer payload replaces the older, and the number of
            tries starts anew.
        payload: plain JSON.
        due: not before this time; tries: how often it failed.
    """

    id: int = 0
    table_id: int
    kind: str
    key: str = ""
    payload: dict[str, Any] = field(default_factory=dict)
    due: float
    tries: int = 0
    created_at: float


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person's own settings, the same in every server. Whoever has set nothing has the defaults.

    Attributes:
        settings: plain JSON: reminders, quiet hours, time zone, palette, language, …
        vacation_until: the end of a running vacation, or None.
        vacation_days: days of vacation taken by calendar year: {"2026": 7.5}.
    """

    user_id: int
    settings: dict[str, Any] = field(default_factory=dict)
    vacation_from: float | None = None
    vacation_until: float | None = None
    vacation_days: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server's settings as plain JSON: channels, threads, default clock, tables per person, language, …"""

    guild_id: int
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Rating:
    """Somebody's skill and record at one game (openskill's mu and sigma)."""

    guild_id: int
    user_id: int
    game: str
    name: str
    mu: float
    sigma: float
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    updated_at: float


@dataclass(frozen=True, kw_only=True)
class Watch:
    """Somebody who wants to be told about a table: of its "end", or of every "turn"."""

    table_id: int
    user_id: int
    what: str
