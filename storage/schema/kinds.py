"""Words that tell rows apart: stages, relations, and kinds of entries, offers and jobs."""

from enum import StrEnum


class Status(StrEnum):
    """The stages of a table."""

    OPEN = "open"
    """Waiting for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    """The game has ended in some way; see `Ending`."""
    CLOSED = "closed"
    """Closed before a game started."""


class SeatStatus(StrEnum):
    """A person's relation to a table."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """Has left the game: resigned, timed out or removed. Keeps the place in the order of seats."""


class Level(StrEnum):
    """How well a computer plays: the levels of `opponents`."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


class PuzzleOutcome(StrEnum):
    """How a person's first attempt at a puzzle ended."""

    SOLVED = "solved"
    GIVEN_UP = "given_up"


class EntryKind(StrEnum):
    """Kinds of entries in a game's log."""

    PLAY = "play"
    WITHDRAW = "withdraw"
    UNDO = "undo"
    """Takes back the last entry in force that isn't itself an undo."""


class Grace(StrEnum):
    """What a missed deadline leads to where it would lose the game: the first one gives some more time."""

    STRICT = "strict"
    """The game is lost at once, as its opener wanted, or as in games from before periods of grace."""
    LEFT = "left"
    """A period of grace."""
    RUNNING = "running"
    """The current turn is in that period."""
    USED = "used"
    """The period is over, and the next missed deadline loses the game."""


class Ending(StrEnum):
    """Ways in which a game can end."""

    RULES = "rules"
    AGREED = "agreed"
    """A draw by consent."""
    ABANDONED = "abandoned"
    """Nobody acted for a very long time, in a game without a clock."""
    CLOSED = "closed"
    """A moderator closed the table."""
    DESERTED = "deserted"
    """Everybody but computers has left."""
    CALLED_OFF = "called-off"
    """All agreed, soon after the start, that the game doesn't count."""

    @property
    def void(self) -> bool:
        """Whether a game that ended this way has no result, whatever happened in it."""
        return self in {Ending.CLOSED, Ending.CALLED_OFF}


class OfferKind(StrEnum):
    """Kinds of offers between players."""

    DRAW = "draw"
    UNDO = "undo"
    SUBSTITUTE = "substitute"
    COMPUTER = "computer"
    """That a computer takes a vacated seat."""
    CALL_OFF = "call_off"


class Settled(StrEnum):
    """Ways in which a question to people can be settled."""

    AGREED = "agreed"
    """Everybody asked has agreed; for an invitation: everybody has answered."""
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"
    """A newer message asks instead."""
    LAPSED = "lapsed"
    """The game went on without an answer; for a reminder: the turn's time has ended."""
    OVER = "over"


class WatchFor(StrEnum):
    """Events that a watcher wants to be notified about."""

    END = "end"
    TURN = "turn"


class PostKind(StrEnum):
    """Kinds of posts of a server, in a channel chosen by its managers."""

    DAILY = "daily"
    TODAY = "today"
    """What is on and what has ended, once a day or a week."""
    SEEKS = "seeks"
    """What people who seek others to play with are waiting for."""


class WaitEnd(StrEnum):
    """Ways in which waiting for games can end without the person's doing."""

    TOO_LONG = "too-long"
    UNCONFIRMED = "unconfirmed"
    """They have not confirmed within a day that they are playing."""
    SWITCHED_OFF = "switched-off"
    UNSEEN = "unseen"
    """They cannot see the channel in which people are matched."""


class JobKind(StrEnum):
    """Kinds of jobs in the outbox, carried out by bot/outbox/."""

    BOARD = "board"
    REFRESH = "refresh"
    """Show on the newest board a change that is not a step of the game, such as a vacation."""
    RETIRE = "retire"
    """Remove the buttons of an outdated board, or of a settled question; `jobs` has the keys."""
    LOBBY = "lobby"
    """Update the lobby message, a table's first one."""
    OPENING = "opening"
    """Give a new table its lobby message, and its thread if it is to have one."""
    OFFER = "offer"
    """Ask for an answer to an offer; the key is its `OfferKind`."""
    HURRIED = "hurried"
    """Say that a computer has played at its easy level, for want of time; the key is its seat's number."""
    INVITATION = "invitation"
    REMINDER = "reminder"
    NUDGE = "nudge"
    WATCH = "watch"
    """Notify a watcher that the game has moved on, or is over."""
    REPLAY = "replay"
    """Post a game's replay: where it was played, once it is over; or, with a channel's id as the key, shared there."""
    ANALYSIS = "analysis"
    """Post a position of an analysis, shared by its person, which is about no table; the key says where, and which."""
    SET_ASIDE = "set-aside"
    """Tell the players that their table has been set aside or, with the key "closed", that it was then closed."""
    DISMISSAL = "dismissal"
    """Take a person out of the thread of a private table that is no longer open to them; the key is their user id."""
    LETTER = "letter"
    """Tell one person something directly; the key says what and whom."""
    POST = "post"
    POST_EDIT = "post-edit"
    """Edit a message of a server's post, for the last time once its day is over; the key is its id."""
    POST_REFUSED = "post-refused"
    """Tell a server's owner directly, once, that Discord refuses its post."""
    WAIT_OVER = "wait-over"
    """Tell a person directly that they no longer wait for games; the key is their user id."""
    CLOCK_DOUBTED = "clock-doubted"
    """Tell the application's owner directly, once, that nobody runs out of time, because the clock cannot be right."""
    EVENT = "event"
    """Post or update an event's message; the key is the event's number."""
    EVENT_CALL = "event-call"
    """Tell an event's players that they can check in, that a round has begun, or that it is over; the key says which."""
    EVENT_ASK = "event-ask"
    """Ask a person to play on in a player's place; the key is the event's number, the entry's, and their id."""
    EVENT_LEFT = "event-left"
    """Tell a person directly that an event goes on without them; the key is the event's number and their entry's."""
    EVENT_UNSEEN = "event-unseen"
    """Tell an event's organiser directly who could not see that it goes on; the key is that of the call."""


class News(StrEnum):
    """News about a table that a person is told directly."""

    NO_THREAD = "no-thread"
    """The private table was closed, because Discord did not make its thread."""
    WRONG_CHANNEL = "wrong-channel"
    """It was closed, because its channel has no private threads."""
    NOT_LET_IN = "not-let-in"
    """It was closed, because a player could not be let into its thread."""
    PAUSED = "paused"
    """The thread of the private game is gone."""
    UNSHOWN = "unshown"
    """It is their turn, but Discord refuses to show the board."""


class TournamentStatus(StrEnum):
    """The stages of an event."""

    OPEN = "open"
    CHECK_IN = "check-in"
    """Those who have entered say that they are there. Others can still enter."""
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class TournamentDeed(StrEnum):
    """What can be done to an event other than by playing."""

    OPENED = "opened"
    STARTED = "started"
    ENTERED = "entered"
    WITHDREW = "withdrew"
    CAME_BACK = "came-back"
    ASKED = "asked"
    """Somebody was asked to play on in a player's place."""
    REPLACED = "replaced"
    LET_BACK = "let-back"
    DECIDED = "decided"
    """A game's result was set by hand."""
    TIMED = "timed"
    """A game was not over at the end of its round, and was decided by the time each player had used."""
    HURRIED = "hurried"
    """The check-in or the start came earlier."""
    PAUSED = "paused"
    RESUMED = "resumed"
    PROLONGED = "prolonged"
    PAIRED = "paired"
    """Some games of the next round were chosen by hand."""
    CANCELLED = "cancelled"
    """By somebody, or because there were too few players."""
    LOST = "lost"
    """Cancelled, because its channel is gone."""
    FINISHED = "finished"


class TournamentActor(StrEnum):
    """Who can do something to an event."""

    ORGANISER = "organiser"
    MANAGER = "manager"
    """Somebody else who may manage the server."""
    PLAYER = "player"
    BOT = "bot"
