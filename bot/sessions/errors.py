"""What can go wrong at a table, each with a sentence for the person who asked."""

from engines.text import Text


class SessionError(Exception):
    """Something that cannot be done now.

    Attributes:
        text: why, and what is possible instead.
        names: the players' names by seat, where the text speaks of seats.
    """

    def __init__(self, text: Text, names: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.names = names


class NoSuchTable(SessionError):
    """There is no table by that number, or none that this person may see."""


class NotSeated(SessionError):
    """Only somebody who sits at the table may do that."""


class NotYourTurn(SessionError):
    """Somebody else is waited for."""


class WrongStage(SessionError):
    """The table is not at the stage for that: not started yet, started already, or over."""


class TableFull(SessionError):
    """All seats are taken."""


class Stale(SessionError):
    """The board has moved on since the click was offered."""


class BadAction(SessionError):
    """The rules do not allow the action. `possible` holds what could have stood in the place of the wrong word."""

    def __init__(self, text: Text, possible: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> None:
        super().__init__(text, names)
        self.possible = possible


class Refused(SessionError):
    """Anything else that cannot be done."""
