"""The errors of the service, each with a message for the person who asked."""

from engines.text import Text


class SessionError(Exception):
    """Something that cannot be done now.

    Attributes:
        text: the reason, and what is possible instead.
        names: the players' names by seat, where the text refers to seats.
    """

    def __init__(self, text: Text, names: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.names = names


class NoSuchTable(SessionError):
    """There is no table with that number, or none that this person may see."""


class NotSeated(SessionError):
    """Only somebody who sits at the table may do that."""


class NotYourTurn(SessionError):
    """The game is waiting for somebody else."""


class WrongStage(SessionError):
    """The table is at the wrong stage: not started yet, already started, or over."""


class TableFull(SessionError):
    """All seats are taken."""


class Stale(SessionError):
    """The board has changed since the button was shown."""


class BadAction(SessionError):
    """The rules do not allow the action. `possible` holds the tokens that are possible in place of the wrong one."""

    def __init__(self, text: Text, possible: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> None:
        super().__init__(text, names)
        self.possible = possible


class Refused(SessionError):
    """Anything else that cannot be done."""
