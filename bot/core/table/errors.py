"""The errors of the service, each with a message for the person who asked."""

from collections.abc import Collection

from engines.text import Text, say


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
    """There is no table with that number, or none that this person may know of. Both have the same words."""

    def __init__(self, table_id: int) -> None:
        super().__init__(say("There’s no table #{n} here.", n=table_id))


class Quarantined(SessionError):
    """The table cannot be read, and nothing can be done there until it can be.

    Attributes:
        known: the ids of the users who may know that there is such a table; None if everybody may.
    """

    def __init__(self, table_id: int, known: Collection[int] | None) -> None:
        super().__init__(
            say(
                "Table #{n} is on hold: I can’t read it right now. Its clock has stopped, and whoever runs "
                "this bot knows. A server manager can also close it with `/server-settings`.",
                n=table_id,
            )
        )
        self.known = known

    def may_be_told(self, user_id: int) -> bool:
        """Whether a user may know that there is such a table."""
        return self.known is None or user_id in self.known


class NotSeated(SessionError):
    """Only players of the table may do that."""


class NotYourTurn(SessionError):
    """The game is waiting for another player."""


class WrongStage(SessionError):
    """The table is at the wrong stage: not started yet, already started, or over."""


class TermsChanged(WrongStage):
    """The terms of a table have changed since the user read them. `table_id` is its number."""

    def __init__(self, table_id: int) -> None:
        super().__init__(say("The rules of this table have changed since you looked. Here’s how it’s played now."))
        self.table_id = table_id


class TableFull(SessionError):
    """All seats are taken."""


class AlreadyOpen(SessionError):
    """There is a table for the rematch already. `table_id` is its number."""

    def __init__(self, table_id: int) -> None:
        super().__init__(say("Table #{n} is already open for the rematch.", n=table_id))
        self.table_id = table_id


class Stale(SessionError):
    """The board has changed since the button was shown."""


class BadAction(SessionError):
    """The rules do not allow the action. `possible` holds the tokens that are possible in place of the wrong one."""

    def __init__(self, text: Text, possible: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> None:
        super().__init__(text, names)
        self.possible = possible


class Refused(SessionError):
    """Anything else that cannot be done."""
