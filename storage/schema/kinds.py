"""Words that tell rows apart: stages, relations, and the kinds of entries, offers and jobs."""

from enum import StrEnum


class Status(StrEnum):
    """The stages of a table."""

    OPEN = "open"
    """The table is waiting for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    """The game has ended in some way. `Ending` says how."""
    CLOSED = "closed"
    """The table was closed before a game started."""


class SeatStatus(StrEnum):
    """A person's relation to a table."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """The person has left the game, by resigning, timing out or being removed. They keep their place in the order of seats."""


class Level(StrEnum):
    """How well a computer plays. These are the levels of `opponents`."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


class PuzzleOutcome(StrEnum):
    """How a person's first attempt at a puzzle ended."""

    SOLVED = "solved"
    GIVEN_UP = "given_up"


class EntryKind(StrEnum):
    """The kinds of entries in the log of a game."""

    PLAY = "play"
    WITHDRAW = "withdraw"
    UNDO = "undo"
    """Takes back the last entry in force that is not itself an undo."""


class Grace(StrEnum):
    """What happens at a missed deadline that would lose the game. The first one in a game begins a period of grace instead."""

    STRICT = "strict"
    """The game is lost at once, because its opener wanted this, or because the game is older than periods of grace."""
    LEFT = "left"
    """A period of grace begins."""
    RUNNING = "running"
    """The current turn is in its period of grace."""
    USED = "used"
    """The period of grace is over, so the next missed deadline loses the game."""


class Ending(StrEnum):
    """The ways in which a game can end."""

    RULES = "rules"
    AGREED = "agreed"
    """The players agreed on a draw."""
    ABANDONED = "abandoned"
    """Nobody acted for a very long time in a game without a clock."""
    CLOSED = "closed"
    """A moderator closed the table."""
    DESERTED = "deserted"
    """Everybody except computers has left."""
    CALLED_OFF = "called-off"
    """All players agreed, soon after the start, that the game does not count."""

    @property
    def void(self) -> bool:
        """Whether a game that ended this way has no result, whatever happened in it."""
        return self in {Ending.CLOSED, Ending.CALLED_OFF}


class OfferKind(StrEnum):
    """The kinds of offers between players."""

    DRAW = "draw"
    UNDO = "undo"
    SUBSTITUTE = "substitute"
    COMPUTER = "computer"
    """The offer that a computer should take over a vacated seat."""
    CALL_OFF = "call_off"


class Settled(StrEnum):
    """The ways in which a question to people can be settled."""

    AGREED = "agreed"
    """Everybody who was asked has agreed. For an invitation, everybody has answered."""
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"
    """A newer message asks the question instead."""
    LAPSED = "lapsed"
    """The game went on without an answer. For a reminder, the time of the turn is over."""
    OVER = "over"


class WatchFor(StrEnum):
    """The events about which a watcher can be notified."""

    END = "end"
    TURN = "turn"


class PostKind(StrEnum):
    """The kinds of posts that a server can have, in channels chosen by its managers."""

    DAILY = "daily"
    TODAY = "today"
    """What is going on and what has ended, once a day or once a week."""
    SEEKS = "seeks"
    """What the people who are looking for others to play with would like to play."""


class WaitEnd(StrEnum):
    """The ways in which waiting for games can end without the person having ended it."""

    TOO_LONG = "too-long"
    UNCONFIRMED = "unconfirmed"
    """The person did not confirm within a day that they would play."""
    SWITCHED_OFF = "switched-off"
    UNSEEN = "unseen"
    """The person cannot see the channel in which people are matched."""


class JobKind(StrEnum):
    """The kinds of jobs in the outbox, which are carried out by bot/outbox/."""

    BOARD = "board"
    REFRESH = "refresh"
    """Show on the newest board a change that is not a step of the game, such as a vacation."""
    RETIRE = "retire"
    """Remove the buttons of an outdated board or of a settled question. `jobs` describes the keys."""
    LOBBY = "lobby"
    """Update the lobby message, which is the first message of a table."""
    OPENING = "opening"
    """Give a new table its lobby message, and also its thread if it is to have one."""
    OFFER = "offer"
    """Ask for an answer to an offer. The key is the offer's `OfferKind`."""
    HURRIED = "hurried"
    """Say that a computer played at its easy level for want of time. The key is the number of its seat."""
    INVITATION = "invitation"
    REMINDER = "reminder"
    NUDGE = "nudge"
    WATCH = "watch"
    """Notify a watcher that the game has moved on or is over."""
    REPLAY = "replay"
    """Post a finished game's replay where it was played or, if the key is a channel's id, share it in that channel."""
    ANALYSIS = "analysis"
    """Post a position that a person shares from an analysis. The key says which position, and where. No table is involved."""
    SET_ASIDE = "set-aside"
    """Tell the players that their table has been set aside or, if the key is "closed", that it was closed afterwards."""
    DISMISSAL = "dismissal"
    """Remove a person from the thread of a private table that is no longer open to them. The key is their user id."""
    LETTER = "letter"
    """Tell one person something directly. The key says what, and to whom."""
    POST = "post"
    POST_EDIT = "post-edit"
    """Edit one of the messages of a server's post, for the last time once its day is over. The key is the id of the message."""
    POST_REFUSED = "post-refused"
    """Tell a server's owner directly, and only once, that Discord refuses the server's post."""
    WAIT_OVER = "wait-over"
    """Tell a person directly that they are no longer waiting for games. The key is their user id."""
    CLOCK_DOUBTED = "clock-doubted"
    """Tell the application's owner directly, once, that nobody can run out of time because the clock cannot be right."""
    EVENT = "event"
    """Post or update the message of an event. The key is the number of the event."""
    EVENT_CALL = "event-call"
    """Tell an event's players that they can check in, that a round has begun, or that the event is over. The key says which."""
    EVENT_ASK = "event-ask"
    """Ask a person to take over from a player. The key has the event's number, the entry's number, and the person's id."""
    EVENT_LEFT = "event-left"
    """Tell a person directly that an event goes on without them. The key has the event's number and that of their entry."""
    EVENT_UNSEEN = "event-unseen"
    """Tell an event's organiser directly which players could not see that the event goes on. The key is that of EVENT_CALL."""


class News(StrEnum):
    """News about a table that one person is told directly."""

    NO_THREAD = "no-thread"
    """The private table was closed because Discord did not create its thread."""
    WRONG_CHANNEL = "wrong-channel"
    """The private table was closed because its channel cannot have private threads."""
    NOT_LET_IN = "not-let-in"
    """The private table was closed because a player could not be added to its thread."""
    PAUSED = "paused"
    """The thread of the private game no longer exists."""
    UNSHOWN = "unshown"
    """It is the person's turn, but Discord refuses to show the board."""


class TournamentStatus(StrEnum):
    """The stages of an event."""

    OPEN = "open"
    CHECK_IN = "check-in"
    """Those who have entered confirm that they are there. Other people can still enter."""
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class TournamentDeed(StrEnum):
    """What can be done to an event other than by playing in it."""

    OPENED = "opened"
    STARTED = "started"
    ENTERED = "entered"
    WITHDREW = "withdrew"
    CAME_BACK = "came-back"
    ASKED = "asked"
    """Somebody was asked to take over from a player."""
    REPLACED = "replaced"
    LET_BACK = "let-back"
    DECIDED = "decided"
    """The result of a game was set by hand."""
    TIMED = "timed"
    """A game was not over when its round ended. It was decided by how much time each player had used."""
    HURRIED = "hurried"
    """The check-in or the start was brought forward."""
    PAUSED = "paused"
    RESUMED = "resumed"
    PROLONGED = "prolonged"
    PAIRED = "paired"
    """Some games of the next round were chosen by hand."""
    CANCELLED = "cancelled"
    """The event was cancelled by somebody, or because there were too few players."""
    LOST = "lost"
    """The event was cancelled because its channel no longer exists."""
    FINISHED = "finished"


class TournamentActor(StrEnum):
    """Those who can do something to an event."""

    ORGANISER = "organiser"
    MANAGER = "manager"
    """Somebody other than the organiser who may manage the server."""
    PLAYER = "player"
    BOT = "bot"
