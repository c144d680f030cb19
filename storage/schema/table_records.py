"""The rows of tables, of the people who sit there or have left, and of watchers. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import (
    EMPTIED,
    EXPORTED,
    KEPT,
    RENAMED,
    SEARCHED,
    Backfilled,
    Emptied,
    Exported,
    ExportedAs,
    OnForget,
    Unlimited,
    Withheld,
    stored,
)
from storage.schema.domains import (
    JOINS,
    MOST_SEATS,
    Bytes32,
    Count,
    DiscordId,
    GameId,
    Id,
    Moment,
    Name,
    Number,
    OfTable,
    Positive,
    SeatNumber,
    ServerId,
    Shown,
    Text,
    UserId,
    UserOrPlaceholder,
    Version,
)
from storage.schema.kinds import Grace, Level, SeatStatus, Status, WatchFor
from storage.schema.structures import NOTHING, Offers, Question, Result

_DICE: Final = Withheld("the dice of the game, which nobody knows while it is on and *Verify* shows afterwards")
_STATE: Final = Withheld("how far the game is, which is the same for all who look at it")
_MESSAGES: Final = Withheld("where the bot finds its own messages")
_COMPUTER: Final = Withheld("it is about computers")

_OPENED: Final = (
    "guild_id", "channel_id", "interaction_id", "game", "variant", "options", "wanted", "private", "clock", "created_at",
)  # fmt: skip
"""The columns that the person who opened a table has chosen."""


@stored(
    "tables",
    sa.CheckConstraint("length(seed) = 32", name="seed_has_32_bytes"),
    sa.CheckConstraint("version >= 0", name="version_counts_entries"),
    sa.Index(None, "guild_id", "status"),
    sa.Index(None, "channel_id"),
    sa.Index(None, "thread_id"),
    sa.Index(None, "status", "deadline"),
    sa.Index(None, "status", "notice_at"),
    sa.Index(None, "interaction_id", unique=True),
    sa.Index(None, "rematch_id"),
    key=("id",),
)
@dataclass(frozen=True, kw_only=True)
class Table:
    """A table, from its opening to the end of its game. `exporting.ABOUT_TABLE` says to whom it is exported."""

    id: Annotated[Number, JOINS, KEPT] = 0
    """The number that people see as #id."""
    guild_id: Annotated[ServerId, EXPORTED, KEPT]
    channel_id: Annotated[DiscordId, EXPORTED, KEPT]
    """The channel in which the table was opened."""
    thread_id: Annotated[DiscordId | None, EXPORTED, KEPT] = None
    """The thread in which the game is played, or None if it is played in the channel."""
    threaded: Annotated[bool, Backfilled(sa.false()), _MESSAGES, KEPT] = False
    """Whether the game is to be played in a thread of its own, which may not exist yet."""
    game: Annotated[GameId, EXPORTED, KEPT]
    variant: Annotated[Text, EXPORTED, KEPT]
    """The id of the game's variant."""
    options: Annotated[dict[str, str], EXPORTED, KEPT] = field(default_factory=dict)
    """The values chosen for the game's options, by option id."""
    wanted: Annotated[int, Field(ge=1, le=MOST_SEATS), EXPORTED, KEPT]
    """How many seats the table has."""
    status: Annotated[Status, EXPORTED, KEPT] = Status.OPEN
    """The current stage of the table."""
    opened_by: Annotated[UserOrPlaceholder, OnForget.REPLACE_ID, ExportedAs("opened", _OPENED)]
    interaction_id: Annotated[DiscordId | None, Exported("opened"), EMPTIED] = None
    """The click or command that opened this table, and can open no other. None if one process has the database to itself."""
    private: Annotated[bool, EXPORTED, KEPT] = False
    """Whether only invited people may join."""
    solo: Annotated[bool, Backfilled(sa.false()), EXPORTED, KEPT] = False
    """Whether one person plays against computers in private messages, so that nothing about the game is posted."""
    rated: Annotated[bool, EXPORTED, KEPT] = True
    """Whether the result of the game counts for the ratings."""
    matched: Annotated[bool, Backfilled(sa.false()), EXPORTED, KEPT] = False
    """Whether the players were matched because they were looking for a game. All of them must then confirm it."""
    ladder: Annotated[bool, Backfilled(sa.false()), EXPORTED, KEPT] = False
    """Whether the game is a challenge on the ladder, made by the person who opened the table."""
    event_id: Annotated[Id | None, EXPORTED, KEPT] = None
    """The event that the game belongs to, or None."""
    clock: Annotated[int | None, Field(gt=0, lt=2**31), EXPORTED, KEPT] = None
    """The time for a turn in seconds, or None if the game has no clock."""
    grace: Annotated[Grace, Backfilled(Grace.STRICT.value), _STATE, KEPT] = Grace.LEFT
    """What happens at a missed deadline that would lose the game."""
    rules: Annotated[Version, Backfilled("1"), EXPORTED, KEPT] = 1
    """The version of the rules under which the game began. See `Game.rules`."""
    seed: Annotated[Bytes32 | None, _DICE, KEPT] = None
    """The secret drawn when the table is opened, or by version 0.1.0 when the game started. Everybody then sees its hash."""
    stream_key: Annotated[Bytes32 | None, _DICE, KEPT] = None
    """The key of the game's random stream, made when the game starts by mixing the seed with what the players contribute. None
    before the start, and in games that began under version 0.1.0, where the seed itself is the key."""
    chain: Annotated[Version, Backfilled("1"), EXPORTED, KEPT] = 1
    """The version of the log's hash chain: 1 until the game starts, and then the version that was current at the start."""
    version: Annotated[Count, _STATE, KEPT] = 0
    """The number of entries in the game's log."""
    turn: Annotated[Count, _STATE, KEPT] = 0
    """How often the game has begun to wait for a different set of seats. Each new turn brings a new message and a new ping."""
    turn_began: Annotated[Moment | None, _STATE, KEPT] = None
    """When the time for the current turn began to run."""
    deadline: Annotated[Moment | None, _STATE, KEPT] = None
    """When the time for the current turn is over or, for an open table, when it is closed. None if that never happens."""
    notice_at: Annotated[Moment | None, _STATE, KEPT] = None
    """When the next reminder is due, or None if none is."""
    outcome: Annotated[Result | None, EXPORTED, KEPT] = None
    """How the game ended, or None while it is not finished."""
    offers: Annotated[Offers, SEARCHED] = NOTHING
    """The offers that are still open."""
    questions: Annotated[tuple[Question, ...], Backfilled("[]"), _MESSAGES, KEPT] = ()
    """The messages that ask for an answer and still have their buttons, in the order in which they were posted."""
    nudged_turn: Annotated[Count | None, _STATE, KEPT] = None
    """The last turn in which the players whose turn it was were nudged."""
    given_back: Annotated[float | None, Field(ge=0), _STATE, KEPT] = None
    """By how many seconds outages of the bot have extended the deadline of the current turn."""
    set_aside: Annotated[str | None, Unlimited("a sentence"), Withheld("a note for the operator"), SEARCHED] = None
    """Why this table cannot be read, or why its log breaks the rules, in English for the operator. None if nothing is wrong."""
    rematch_id: Annotated[
        Id | None, Withheld("another table, which the export has if the person has to do with it"), KEPT
    ] = None  # fmt: skip
    """The table that was opened for a rematch of this game, unless that table was closed."""
    lobby_message_id: Annotated[DiscordId | None, _MESSAGES, KEPT] = None
    """The message with the buttons *Join* and *Start*."""
    board_channel_id: Annotated[DiscordId | None, _MESSAGES, KEPT] = None
    """The channel of the newest board message."""
    board_message_id: Annotated[DiscordId | None, _MESSAGES, KEPT] = None
    """The id of the newest board message."""
    board_version: Annotated[Count | None, _MESSAGES, KEPT] = None
    """The version that the newest board message shows, or None while the message only announces its turn."""
    board_since: Annotated[Count | None, _MESSAGES, KEPT] = None
    """The version after which the newest board message tells the events. If the message only announces its turn, this is the
    version that it announces."""
    board_turn: Annotated[Count | None, _MESSAGES, KEPT] = None
    """The turn that the newest board message belongs to."""
    board_posted: Annotated[Moment | None, _MESSAGES, KEPT] = None
    """When the newest board message was posted."""
    created_at: Annotated[Moment, EXPORTED, KEPT]
    """When the table was opened."""
    started_at: Annotated[Moment | None, EXPORTED, KEPT] = None
    """When the game started."""
    finished_at: Annotated[Moment | None, EXPORTED, KEPT] = None
    """When the game ended."""

    @property
    def begun(self) -> bool:
        """Whether the game has begun. It may already be over."""
        return self.status in {Status.PLAYING, Status.FINISHED}

    @property
    def is_over(self) -> bool:
        """Whether the game is over or will never begin, so that nothing has to stay hidden any longer."""
        return self.status in {Status.FINISHED, Status.CLOSED}

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if (self.status is Status.FINISHED) != (self.outcome is not None):
            yield "outcome", "only a game that is over has one, and always" if self.outcome else "the game is over without one"
        timed = self.status is Status.PLAYING and self.clock is not None
        if timed and self.deadline is None:
            yield "deadline", "the game has a clock, but no deadline"
        if self.grace is Grace.RUNNING and not timed:
            yield "grace", "only a game that is on, with a clock, can be in its period of grace"
        yield from self._of_board()

    def _of_board(self) -> Iterator[tuple[str, str]]:
        """Yield contradictions of a board message that is ahead of its game, since logs and turns never go back."""
        if (shown := self.board_version) is not None and shown > self.version:
            yield "board_version", f"the board shows {shown} entries, but the log has {self.version}"
        shown = self.version if shown is None and self.board_message_id is not None else shown or 0
        if (since := self.board_since) is not None and since > shown:
            yield "board_since", f"the board tells what comes after entry {since}, but shows {shown}"
        for name, turn in (("board_turn", self.board_turn), ("nudged_turn", self.nudged_turn)):
            if turn is not None and turn > self.turn:
                yield name, f"{turn} is a turn to come: the game is at {self.turn}"


@stored("seats", sa.Index(None, "user_id", "status"), key=("table_id", "user_id"))
@dataclass(frozen=True, kw_only=True)
class Seat:
    """The place of a person or a computer at a table."""

    table_id: OfTable
    user_id: Annotated[UserOrPlaceholder, OnForget.REPLACE_ID, ExportedAs("seat")]
    place: Annotated[Count, EXPORTED, KEPT]
    """The order in which people joined and, once the game has started, the number of the seat."""
    status: Annotated[SeatStatus, EXPORTED, KEPT]
    """The person's relation to the table."""
    name: Annotated[Name, EXPORTED, RENAMED]
    rated_as: Annotated[
        UserOrPlaceholder | None,
        OnForget.REPLACE_ID,
        ExportedAs("result_of_a_seat_left_to_others", ("place", "rating_before", "rating_after")),
    ] = None
    """The user for whom the result counts, if this is not the one who sits there. It is a person who left a rated game to a
    substitute at a time when leaving did not lose it yet. Since then, each vacated seat has been recorded as a `Departure`."""
    rating_before: Annotated[Shown | None, EXPORTED, Emptied(("rated_as", "user_id"))] = None
    """The rating, before a rated game, of the person for whom the result counts."""
    rating_after: Annotated[Shown | None, EXPORTED, Emptied(("rated_as", "user_id"))] = None
    """The rating of the same person after the game."""
    timeouts: Annotated[Count, EXPORTED, KEPT] = 0
    """How many times in a row the seat has timed out."""
    asked_at: Annotated[Moment, EXPORTED, KEPT]
    """When the person was invited, or when they took the seat."""
    computer: Annotated[Level | None, _COMPUTER, KEPT] = None
    """How well the computer that sits there plays, or None if a person sits there."""
    hopeless: Annotated[Count, Backfilled("0"), _COMPUTER, KEPT] = 0
    """At how many decisions in a row a computer has judged its game to be clearly lost."""
    offered: Annotated[Count | None, EXPORTED, KEPT] = None
    """The version at which a computer, or a person who plays only computers, last offered a draw, or None."""
    hints: Annotated[Count, Backfilled("0"), EXPORTED, KEPT] = 0
    """How many hints the person has taken."""
    hinted: Annotated[Count | None, EXPORTED, KEPT] = None
    """The version at which the last hint was counted, or None before the first."""


@stored("departures", sa.Index(None, "user_id"), key=("table_id", "number"))
@dataclass(frozen=True, kw_only=True)
class Departure:
    """A seat that a person has left to a substitute, while the game goes on."""

    table_id: OfTable
    number: Annotated[Positive, EXPORTED, KEPT]
    """The number of the departure, counted from 1 at each table in the order in which the seats were taken over."""
    place: Annotated[SeatNumber, EXPORTED, KEPT]
    """The number of the seat."""
    user_id: Annotated[UserOrPlaceholder, OnForget.REPLACE_ID, ExportedAs("departures")]
    name: Annotated[Name, EXPORTED, RENAMED]
    version: Annotated[Count, EXPORTED, KEPT]
    """For how many log entries the person was there, not counting their own resignation."""
    lost: Annotated[bool, EXPORTED, KEPT]
    """Whether they lost a rated game by leaving."""
    rating_before: Annotated[Shown | None, EXPORTED, EMPTIED] = None
    """The person's rating before that game."""
    rating_after: Annotated[Shown | None, EXPORTED, EMPTIED] = None
    """The person's rating after that game."""


@stored("watches", sa.Index(None, "user_id"), key=("table_id", "user_id"))
@dataclass(frozen=True, kw_only=True)
class Watch:
    """A person's wish to be notified at the end of a game, or at every turn as well."""

    table_id: OfTable
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("watches")]
    what: Annotated[WatchFor, EXPORTED]
    """The events that the person wants to be notified about."""
