"""The words that rows are told apart by: stages, relations, and kinds of entries, offers and jobs."""

from enum import StrEnum


class Status(StrEnum):
    """The stages of a table."""

    OPEN = "open"
    """Waiting for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    """The game has ended, in whatever way; `Ending` says how."""
    CLOSED = "closed"
    """Closed before a game started."""


class SeatStatus(StrEnum):
    """The relation of a person to a table."""

    INVITED = "invited"
    JOINED = "joined"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """Has left the game: resigned, timed out or removed. Keeps the place in the order of the seats."""


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
    """The kinds of entries in a game's log."""

    PLAY = "play"
    WITHDRAW = "withdraw"
    UNDO = "undo"
    """Takes back the last entry that is in force and is not an undo itself."""


class Grace(StrEnum):
    """The grace for a missed deadline where it would lose the game: the first one in a game gives some more time."""

    STRICT = "strict"
    """The game is lost at once, as its opener wanted it, or as games were played before there was a grace."""
    LEFT = "left"
    """It gives a period of grace."""
    RUNNING = "running"
    """The current turn is in that period."""
    USED = "used"
    """The period is over, and the next one loses the game."""


class Ending(StrEnum):
    """The ways in which a game can end."""

    RULES = "rules"
    AGREED = "agreed"
    """A draw by consent."""
    ABANDONED = "abandoned"
    """Nobody acted for a very long time, in a game without a clock."""
    CLOSED = "closed"
    """A moderator closed the table."""
    DESERTED = "deserted"
    """Everybody has left but computers."""
    CALLED_OFF = "called-off"
    """All agreed, soon after the start, that the game counts for nothing."""

    @property
    def void(self) -> bool:
        """Whether a game that ended so has no result, whatever has happened in it."""
        return self in {Ending.CLOSED, Ending.CALLED_OFF}


class OfferKind(StrEnum):
    """The kinds of offers between players."""

    DRAW = "draw"
    UNDO = "undo"
    SUBSTITUTE = "substitute"
    COMPUTER = "computer"
    """That a computer takes a seat that was left."""
    CALL_OFF = "call_off"
    """That the game ends without a result."""


class Settled(StrEnum):
    """The ways in which a question to people can be settled."""

    AGREED = "agreed"
    """All who were asked have agreed; of an invitation: all have answered."""
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    """By the player who has asked."""
    REPLACED = "replaced"
    """A newer message asks instead."""
    LAPSED = "lapsed"
    """The game went on without an answer; of a reminder: the time of the turn has ended."""
    OVER = "over"
    """The game or the table is over."""


class WatchFor(StrEnum):
    """The events about which a watcher wants to be notified."""

    END = "end"
    TURN = "turn"


class PostKind(StrEnum):
    """The kinds of posts of a server, in a channel that its managers have chosen."""

    DAILY = "daily"
    """The puzzle of the day, and who has solved it."""
    TODAY = "today"
    """What goes on and what has ended, once a day or a week."""
    SEEKS = "seeks"
    """For what people are waiting who seek others to play with."""


class WaitEnd(StrEnum):
    """The ways in which waiting for games can end without the person's doing."""

    TOO_LONG = "too-long"
    """They have waited as long as they wanted to."""
    UNCONFIRMED = "unconfirmed"
    """They have not confirmed within a day that they play."""
    SWITCHED_OFF = "switched-off"
    """Nobody is put together on the server any more."""
    UNSEEN = "unseen"
    """They cannot see the channel in which people are put together."""


class JobKind(StrEnum):
    """The kinds of jobs in the outbox; bot/outbox/ carries them out."""

    BOARD = "board"
    """Show the current board."""
    REFRESH = "refresh"
    """Show on the newest board a change that is not a step of the game, such as a vacation."""
    RETIRE = "retire"
    """Remove the buttons of a board that is not the newest any more, or of a question that is settled; `jobs` has the keys."""
    LOBBY = "lobby"
    """Update the lobby message, the first message of a table."""
    OPENING = "opening"
    """Give a new table what it needs in Discord: its lobby message, and its thread if it is to have one."""
    OFFER = "offer"
    """Ask for an answer to an offer; the key of the job is the `OfferKind`."""
    HURRIED = "hurried"
    """Tell that a computer has played at its easy level, for want of time; the key is the number of its seat."""
    INVITATION = "invitation"
    REMINDER = "reminder"
    NUDGE = "nudge"
    WATCH = "watch"
    """Notify a watcher that the game has moved on, or is over."""
    REPLAY = "replay"
    """Post the replay of a game: where it is played, when it is over; or with a channel's id as its key there, shared."""
    ANALYSIS = "analysis"
    """Post a position of an analysis, which is about no table, because its person shares it; the key says where, and which."""
    SET_ASIDE = "set-aside"
    """Tell the players that their table has been set aside; with the key "closed", that it was closed after that."""
    DISMISSAL = "dismissal"
    """Take a person out of the thread of a private table that is not open to them any more; the key is their user id."""
    LETTER = "letter"
    """Tell one person something directly, and nobody else; the key says what and whom."""
    POST = "post"
    """Post today's message of a server's post."""
    POST_EDIT = "post-edit"
    """Edit a message of a server's post: with what is new, or for the last time, once its day is over; the key is its id."""
    POST_REFUSED = "post-refused"
    """Tell the owner of a server, directly and once, that Discord refuses its post."""
    WAIT_OVER = "wait-over"
    """Tell a person directly that they do not wait for games any more; the key is their user id."""
    CLOCK_DOUBTED = "clock-doubted"
    """Tell the application's owner directly, and once, that nobody runs out of time, because the clock cannot be right."""
    EVENT = "event"
    """Post the message of an event, or bring it up to date; the key is the event's number."""
    EVENT_CALL = "event-call"
    """Tell the players of an event that they can check in, that a round has begun, or that it is over; the key says which."""
    EVENT_ASK = "event-ask"
    """Ask a person whether they play on in the place of a player; the key is the event's number, the entry's, and their id."""
    EVENT_LEFT = "event-left"
    """Tell a person directly that an event goes on without them; the key is the event's number and their entry's."""
    EVENT_UNSEEN = "event-unseen"
    """Tell the organiser of an event directly who could not see that it goes on; the key is that of the call."""


class News(StrEnum):
    """News about a table that a person is told directly."""

    NO_THREAD = "no-thread"
    """The private table was closed, because Discord did not make its thread."""
    WRONG_CHANNEL = "wrong-channel"
    """It was closed, because there are no private threads in its channel."""
    NOT_LET_IN = "not-let-in"
    """It was closed, because a player could not be let into its thread."""
    PAUSED = "paused"
    """The thread of the private game is gone."""
    UNSHOWN = "unshown"
    """It is their turn, but Discord refuses to show the board."""


class TournamentStatus(StrEnum):
    """The stages of an event."""

    OPEN = "open"
    """People can enter."""
    CHECK_IN = "check-in"
    """Those who have entered say that they are there. Others can still enter, too."""
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class TournamentDeed(StrEnum):
    """What can be done to an event other than by playing."""

    OPENED = "opened"
    STARTED = "started"
    ENTERED = "entered"
    """Somebody entered late."""
    WITHDREW = "withdrew"
    CAME_BACK = "came-back"
    ASKED = "asked"
    """Somebody was asked to play on in the place of a player."""
    REPLACED = "replaced"
    """Somebody else plays on in the place of a player."""
    LET_BACK = "let-back"
    """Somebody who was taken out may come back."""
    DECIDED = "decided"
    """The result of a game was set by hand."""
    TIMED = "timed"
    """A game was not over at the end of its round, and the time that each player had used decided."""
    HURRIED = "hurried"
    """The check-in or the start came earlier."""
    PAUSED = "paused"
    RESUMED = "resumed"
    PROLONGED = "prolonged"
    """The end of the round was put off."""
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
