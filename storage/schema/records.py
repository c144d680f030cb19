"""The rows of the database as values: a frozen dataclass for each kind of row. Times are in seconds since the epoch."""

from dataclasses import dataclass, field
from typing import Any

from storage.schema.kinds import (
    Ending,
    EntryKind,
    Grace,
    JobKind,
    Level,
    News,
    OfferKind,
    PostKind,
    PuzzleOutcome,
    SeatStatus,
    Settled,
    Status,
    WatchFor,
)
from storage.schema.structures import (
    NOTHING,
    Choice,
    Handover,
    Node,
    Offers,
    Proposal,
    Question,
    Relief,
    Reply,
    Result,
    Standing,
)

__all__ = [
    "Analysis",
    "Choice",
    "Contribution",
    "Departure",
    "Ending",
    "Entry",
    "EntryKind",
    "Grace",
    "Handover",
    "Heartbeat",
    "Job",
    "JobKind",
    "Level",
    "News",
    "Node",
    "OfferKind",
    "Offers",
    "Person",
    "Ping",
    "Plan",
    "Post",
    "PostKind",
    "Proposal",
    "PuzzleOutcome",
    "Question",
    "Rating",
    "Relief",
    "Reply",
    "Result",
    "Review",
    "Seat",
    "SeatStatus",
    "Server",
    "Settled",
    "Standing",
    "Status",
    "StoredLease",
    "Table",
    "Thinking",
    "Watch",
    "WatchFor",
]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table: one game, from the opening of the table to the end of the game.

    Attributes:
        id: its number, shown to people as #id.
        guild_id: the server.
        channel_id: the channel where it was opened.
        thread_id: the thread where it is played, if there is one.
        threaded: whether it is to be played in a thread of its own, which may still have to be created.
        game, variant, options: the game, and how it is played.
        wanted: how many seats it has.
        opened_by: the id of the user who opened it.
        interaction_id: the click or command that opened it, unique; None where one process has the database to itself.
        private: whether only invited people may join.
        solo: whether its one person plays it against computers in private messages: nothing of it is posted anywhere.
        rated: whether the result counts for the ratings.
        matched: whether its people were put together because they seek a game; then all of them have to confirm it.
        ladder: whether it is a challenge on the ladder of its game, by the person who opened it.
        event_id: the event that it belongs to, if any.
        clock: seconds per turn, or None without a clock.
        grace: what becomes of a missed deadline where it would lose the game.
        rules: the version of the game's rules that its game began under; see `Game.rules`.
        seed: 32 bytes, drawn when the table is opened, whose hash everybody sees from then on. At tables that were opened by
            version 0.1.0 it was drawn when the game started, and is None before.
        stream_key: 32 bytes, the key of the game's random stream: the seed mixed with the players' contributions when the game
            starts. None before, and for games that began under version 0.1.0, whose stream is keyed by the seed itself.
        chain: the version of the hash chain of its log, which is that of the day when its game starts; 1 before.
        version: the number of entries in the log.
        turn: how often the game has begun to wait for other seats; a new turn means a new message and a new ping.
        turn_began: when the time for the current turn began.
        deadline: when that time is over; for an open table, when it is closed; or None.
        notice_at: when the next reminder is due, or None.
        outcome: how a finished game ended.
        offers: the open offers.
        questions: the messages that ask for an answer and still have their buttons, in the order in which they were posted.
        nudged_turn: the last turn in which the awaited players were nudged.
        given_back: the seconds by which outages of the bot have moved the deadline of the current turn.
        set_aside: why this table cannot be read, or its log breaks the rules, in English for the operator; or None.
        rematch_id: the table that was opened for a rematch of this game, unless it was closed.
        lobby_message_id: the message with Join and Start.
        board_channel_id, board_message_id: the newest board message.
        board_version: the version that it shows, or None if it only announces its turn and is still to become the board.
        board_since: the version after which it tells the events; of an announcement, the version that it announces.
        board_turn: the turn that it belongs to.
        board_posted: when it was posted.
    """

    id: int = 0
    guild_id: int
    channel_id: int
    thread_id: int | None = None
    threaded: bool = False
    game: str
    variant: str
    options: dict[str, str] = field(default_factory=dict)
    wanted: int
    status: Status = Status.OPEN
    opened_by: int
    interaction_id: int | None = None
    private: bool = False
    solo: bool = False
    rated: bool = True
    matched: bool = False
    ladder: bool = False
    event_id: int | None = None
    clock: int | None = None
    grace: Grace = Grace.LEFT
    rules: int = 1
    seed: bytes | None = None
    stream_key: bytes | None = None
    chain: int = 1
    version: int = 0
    turn: int = 0
    turn_began: float | None = None
    deadline: float | None = None
    notice_at: float | None = None
    outcome: Result | None = None
    offers: Offers = NOTHING
    questions: tuple[Question, ...] = ()
    nudged_turn: int | None = None
    given_back: float | None = None
    set_aside: str | None = None
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

    @property
    def begun(self) -> bool:
        """Whether its game has begun; it may be over."""
        return self.status in {Status.PLAYING, Status.FINISHED}

    @property
    def is_over(self) -> bool:
        """Whether its game is over or will never begin, so that nothing has to stay hidden any more."""
        return self.status in {Status.FINISHED, Status.CLOSED}


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Somebody's place at a table. `place` is the order of joining, and once the game has started the number of the seat.

    Attributes:
        name: the display name of the person when last seen.
        rated_as: the id of the user who takes the result of the seat, if it is not the one who sits there: a person who left a
            rated game to a stand-in when that did not yet lose it. Since then, each seat that was left is a `Departure`.
        rating_before, rating_after: the rating of the person who takes the result, before and after a rated game, in the
            numbers that people are shown; or None.
        timeouts: the number of time-outs in a row.
        asked_at: when the invitation was sent, or the seat was taken.
        computer: how well the computer plays that sits there; None for a person.
        hopeless: how many decisions in a row a computer has found its game plainly lost.
        offered: the version at which a computer, or a person to computers alone, last offered a draw; None if they never have.
        hints: how many hints its person has taken.
        hinted: the version at which the last of them was counted; None before the first.
    """

    table_id: int
    user_id: int
    place: int
    status: SeatStatus
    name: str
    rated_as: int | None = None
    rating_before: int | None = None
    rating_after: int | None = None
    timeouts: int = 0
    asked_at: float
    computer: Level | None = None
    hopeless: int = 0
    offered: int | None = None
    hints: int = 0
    hinted: int | None = None


@dataclass(frozen=True, kw_only=True)
class Departure:
    """A seat that a person has left to a stand-in, in a game that goes on. The key is (table_id, number).

    Attributes:
        number: counts those of a table from 1, in the order in which the seats were taken over.
        place: the number of the seat.
        user_id: the user who left it.
        name: their display name when last seen.
        version: the number of entries in the log that they were there for; their own resignation is not among them.
        lost: whether they have lost a rated game with it.
        rating_before, rating_after: what the end of that game has made of their rating, as in `Seat`.
    """

    table_id: int
    number: int
    place: int
    user_id: int
    name: str
    version: int
    lost: bool
    rating_before: int | None = None
    rating_after: int | None = None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of a game's log. The key is (table_id, number); numbers count from 1 without gaps.

    Attributes:
        seat: the seat that acted, left the game or asked for the undo.
        tokens: the action; for WITHDRAW the cause, "resigned", "time" or "removed"; empty for UNDO.
        user_id: the user who did it; None for the bot itself (a time-out).
        interaction_id: the click or command that made it, unique; or None.
        link: the newest link of the log's hash chain, 64 hexadecimal digits; None in games that began under version 0.1.0.
        fired: whether it was planned ahead, and played in the transaction of the entry that it follows and answers.
    """

    table_id: int
    number: int
    kind: EntryKind
    seat: int
    tokens: tuple[str, ...] = ()
    user_id: int | None
    interaction_id: int | None = None
    at: float
    link: str | None = None
    fired: bool = False


@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What a player mixes into the dice by pressing a button after the hash of the seed was shown.

    One that was removed because its owner wanted to be forgotten keeps its `number` alone: `interaction_id` and `user_id` are
    negative then.

    Attributes:
        interaction_id: the id that Discord gave to the press, which nobody can foresee.
        word: a word of the player's own, or nothing.
        number: its place among the contributions that are mixed in, from 1; None before the game starts.
    """

    table_id: int
    interaction_id: int
    user_id: int
    word: str = ""
    number: int | None = None

    @property
    def removed(self) -> bool:
        """Whether it was removed because its owner wanted to be forgotten."""
        return self.interaction_id < 0


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something that is still to be done in Discord: a row of the outbox.

    It belongs to a subject on a server, and is carried out at a place. The subject of most jobs is a table, and their place
    follows from where it is played. A job of anything else names its server and its place.

    Attributes:
        table_id: the table that is the subject; None if the subject is none.
        kind: the kind of work.
        key: a job replaces one with the same subject, kind and key; the number of tries starts again.
        payload: plain JSON; jobs.py says what is in it. A job for one person has their id under "to", or else under
            "user"; with both, it tells the one of the other. By these they can be forgotten.
        due: the earliest time to do it.
        tries: how often it has failed.
        created_at: since when something of this kind has been owed, also if this job has replaced another.
        guild_id: the server. The store fills in that of the table.
        subject: what the job belongs to, as a kind and an id: "table 7", "server 10", "post daily". The store fills in the
            table, or else the server, where nothing is named.
        place: the queue in which it is carried out, "channel 20" or "person 3"; None if it follows from the table and the kind.
    """

    id: int = 0
    table_id: int | None = None
    kind: JobKind
    key: str = ""
    payload: dict[str, Any] = field(default_factory=dict)
    due: float
    tries: int = 0
    created_at: float
    guild_id: int = 0
    subject: str = ""
    place: str | None = None

    @property
    def table_number(self) -> int:
        """The number of the table that the job is about. Raises LookupError if it is about none."""
        if self.table_id is None:
            raise LookupError(f"job {self.id} is about {self.subject}, not about a table")
        return self.table_id


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person's own settings, the same on every server. A person who has set nothing has the defaults.

    Attributes:
        settings: plain JSON: reminders, quiet hours, time zone, palette, language, …
        vacation_from, vacation_until: the beginning and the end of the last vacation, or None.
        vacation_days: days of vacation taken by calendar year: {"2026": 7.5}.
        direct_since: when the bot first wrote to them directly, or tried to. None if it never has.
        direct_closed: when Discord last refused that because they take no messages from the bot, or None if it has not.
        direct_told: when they were told so privately, or None if they were not.
    """

    user_id: int
    settings: dict[str, Any] = field(default_factory=dict)
    vacation_from: float | None = None
    vacation_until: float | None = None
    vacation_days: dict[str, float] = field(default_factory=dict)
    direct_since: float | None = None
    direct_closed: float | None = None
    direct_told: float | None = None


@dataclass(frozen=True, kw_only=True)
class Server:
    """A server.

    Attributes:
        settings: plain JSON: channels, threads, default clock, tables per person, language, …
        left_at: when the bot was removed from it; None while it is there.
    """

    guild_id: int
    settings: dict[str, Any] = field(default_factory=dict)
    left_at: float | None = None


@dataclass(frozen=True, kw_only=True)
class Post:
    """A post of a server: a message from time to time, which the next one closes. The key is (guild_id, kind).

    Attributes:
        guild_id: the server.
        kind: the kind of post.
        channel_id: the channel in which it is posted.
        hour: the hour of the day at which it is posted.
        zone: the time zone of the hour, by its IANA name.
        weekday: the day of the week on which it is posted, 0 for Monday, or None for every day.
        role_id: the role that is mentioned, if any.
        due: when the next message is due, or of people who seek a game the next round; None: it is switched off, or has
            stopped because Discord refuses it.
        refused: the code of the error with which Discord has refused the newest message, or None if it took the message.
        day: the number of the day, or of the six hours, that the newest message belongs to. None if there is no message.
        posted_in: the channel of that message.
        message_id: that message.
        posted_at: when it was posted.
        edited_at: when the bot last edited it by itself, or None if it never did.
        shown: a checksum of the words in it that may change while its day goes on, or 0 if there is no message.
    """

    guild_id: int
    kind: PostKind
    channel_id: int
    hour: int
    zone: str
    weekday: int | None = None
    role_id: int | None = None
    due: float | None
    refused: int | None = None
    day: int | None = None
    posted_in: int | None = None
    message_id: int | None = None
    posted_at: float | None = None
    edited_at: float | None = None
    shown: int = 0


@dataclass(frozen=True, kw_only=True)
class Rating:
    """Somebody's skill (openskill's mu and sigma) and results at one game on one server."""

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
    """A person's wish to be notified when the game at a table ends, or at every turn as well."""

    table_id: int
    user_id: int
    what: WatchFor


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A player's plan at a table, which nobody else knows.

    The key is (table_id, user_id): it stays theirs when another person takes the seat.

    Attributes:
        seat: the seat that it was planned for.
        revision: how often it has changed, by its owner or by the game.
        replies: conditional moves, for what may be played next: they are about the position of the board as it is now.
        orders: standing orders, as tokens, in their order.
    """

    table_id: int
    user_id: int
    seat: int
    revision: int = 0
    replies: tuple[Reply, ...] = ()
    orders: tuple[tuple[str, ...], ...] = ()

    @property
    def idle(self) -> bool:
        """Whether nothing is planned."""
        return not self.replies and not self.orders


@dataclass(frozen=True, kw_only=True)
class Thinking:
    """A decision that computers at a table have to take. It is gone when all of them have, however often they were asked.

    Attributes:
        version: the version of the board that it is about.
        due: the earliest moment at which the next of them is asked.
        asked: the seats that have been asked about acting out of turn on this board.
        created_at: when the game came to this board.
    """

    table_id: int
    version: int
    due: float
    asked: tuple[int, ...] = ()
    created_at: float


@dataclass(frozen=True, kw_only=True)
class Review:
    """The review of a game, as far as it has come. The key is `table_id`. All of it can be computed again.

    Attributes:
        reviewer: the version of what finds it out.
        version: how many entries the game's log had when it was begun.
        asked_at: when it was first asked for, in seconds since the epoch.
        done: whether all of it is there.
        standings: how everybody stood, in the order in which it was looked at.
        choices: what the choices were worth, in that order.
    """

    table_id: int
    reviewer: int
    version: int
    asked_at: float
    done: bool = False
    standings: tuple[Standing, ...] = ()
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A person's private board to think on: a tree of positions.

    Attributes:
        id: its number.
        user_id: the person; nobody else sees it.
        guild_id: the server on which it was opened.
        root: the code of the position at the root of the tree.
        nodes: the other positions, each after the one before it.
        current: the number of the position that the person looks at: 0 is the root, 1 the first node.
        side: the seat from whose side the board is drawn.
        table_id: the table whose finished game it comes from, if any.
        place: how many actions of that game were in force before the root.
        played: how many of the first nodes are that game as it was played, one after the other.
        used_at: when the person last did something in it.
    """

    id: int = 0
    user_id: int
    guild_id: int
    root: str
    nodes: tuple[Node, ...] = ()
    current: int = 0
    side: int = 0
    table_id: int | None = None
    place: int = 0
    played: int = 0
    used_at: float


@dataclass(frozen=True, kw_only=True)
class Ping:
    """A ping of one person that another person has caused."""

    id: int = 0
    by_user: int
    to_user: int
    at: float


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """When a process of the bot was last known to be alive and connected to Discord.

    Attributes:
        name: the name of the process.
        at: when that was.
        halted: why time-outs are stopped, in English for the operator: the clock has jumped. None while they are not.
    """

    name: str
    at: float
    halted: str | None = None


@dataclass(frozen=True, kw_only=True)
class Outage:
    """A time in which a process of the bot was not connected to Discord, long enough for its time to be given back.

    Attributes:
        id: its number, given when it is stored.
        name: the name of the process.
        since, until: when it began and ended.
    """

    id: int = 0
    name: str
    since: float
    until: float


@dataclass(frozen=True, kw_only=True)
class StoredLease:
    """A lease: that one of several processes runs a shard of Discord, until a moment by the clock of the database.

    The key is `name`.

    Attributes:
        name: what it is for: `shard 3 of 12`, `process <id>`, or `identify 0`, which only has moments and no owner.
        owner: the process that has it, or None if it is free.
        fence: how often it was claimed. An owner before knows a lower number, and writes nothing any more.
        expires: until when it is held, in seconds since the epoch by the clock of the database.
        session: the session of the shard with Discord, which can be resumed; None if there is none.
        resume_url: where to resume it.
        sequence: the number of the last event of it that is known to have arrived.
        exact: whether it is that of the very last one, because the session was left in good order.
        since: until when somebody had it who did not let it go, in seconds since the epoch by the same clock: whatever was
            asked for before, they may have done.
    """

    name: str
    owner: str | None = None
    fence: int = 0
    expires: float = 0.0
    session: str | None = None
    resume_url: str | None = None
    sequence: int | None = None
    exact: bool = False
    since: float = 0.0
