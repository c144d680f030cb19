"""What is kept, as values: one frozen dataclass for each kind of row. Times are seconds since 1970, in UTC."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from pydantic import ConfigDict, with_config

_AS_WRITTEN = with_config(ConfigDict(extra="forbid", strict=True))
"""For what is kept as JSON: only what these classes write is read back; anything else makes its row unreadable."""


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


class Ending(StrEnum):
    """What brought a game to its end."""

    RULES = "rules"
    AGREED = "agreed"
    """A draw by consent."""
    ABANDONED = "abandoned"
    """Nobody acted for very long, in a game without a clock."""
    CLOSED = "closed"
    """A moderator closed the table."""


class OfferKind(StrEnum):
    """What players can offer one another."""

    DRAW = "draw"
    UNDO = "undo"
    SUBSTITUTE = "substitute"


class WatchFor(StrEnum):
    """What a spectator wants to be told about."""

    END = "end"
    TURN = "turn"


class JobKind(StrEnum):
    """What a job of the outbox tells Discord; bot/outbox/jobs.py carries them out."""

    BOARD = "board"
    """Show the present board."""
    REFRESH = "refresh"
    """Show on the newest board what is no step of the game, such as a vacation."""
    LOBBY = "lobby"
    """Bring the table's first message up to date."""
    OPENING = "opening"
    """Post the table's first message."""
    OFFER = "offer"
    """Ask for an answer to an offer; the key says to which kind."""
    INVITATION = "invitation"
    REMINDER = "reminder"
    NUDGE = "nudge"
    WATCH = "watch"
    """Tell a spectator that the game has moved on, or is over."""


@_AS_WRITTEN
@dataclass(frozen=True, kw_only=True)
class Result:
    """How a game ended.

    Attributes:
        winners: the seats that won; empty if nobody did, several if they share it.
        how: what brought it to its end.
        reason: why, as an English sentence for the game's log.
    """

    winners: tuple[int, ...]
    how: Ending
    reason: str


@_AS_WRITTEN
@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An offer that everybody who is still in the game has to agree to.

    Attributes:
        by: the seat that made it.
        agreed: the seats that have agreed so far, in order; `by` among them.
        version: the version of the board that it was made on and lapses with; None if it does not lapse by itself.
    """

    by: int
    agreed: tuple[int, ...]
    version: int | None = None


@_AS_WRITTEN
@dataclass(frozen=True, kw_only=True)
class Handover:
    """A seat that is offered to somebody who does not play yet.

    Attributes:
        by: the seat that offers it.
        seat: the seat to be handed over.
        to: the user it is offered to.
    """

    by: int
    seat: int
    to: int


@_AS_WRITTEN
@dataclass(frozen=True, kw_only=True)
class Offers:
    """The offers that stand at a table, at most one of each kind."""

    draw: Proposal | None = None
    undo: Proposal | None = None
    substitute: Handover | None = None

    def of(self, kind: OfferKind) -> Proposal | Handover | None:
        """The offer of a kind, if one stands."""
        offer: Proposal | Handover | None = getattr(self, kind)
        return offer

    def without(self, *kinds: OfferKind) -> "Offers":
        """What stands beside these."""
        return replace(self, **dict.fromkeys(kinds))


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
        outcome: how a finished game ended.
        offers: the offers that stand.
        nudged_turn: the turn in which those waited for were nudged last.
        rematch_id: the table that was opened for a rematch of this game.
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
    outcome: Result | None = None
    offers: Offers = Offers()
    nudged_turn: int | None = None
    rematch_id: int | None = None
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
        kind: what Discord is told.
        key: jobs of one table with the same kind and key are one: the newer payload replaces the older, and the number of
            tries starts anew.
        payload: plain JSON.
        due: not before this time; tries: how often it failed.
    """

    id: int = 0
    table_id: int
    kind: JobKind
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
    """Somebody who wants to be told when a table's game ends, or of every turn too."""

    table_id: int
    user_id: int
    what: WatchFor
