"""The errors of the core, each with a message for the person who asked."""

from collections.abc import Collection

from engines.text import Text, say


class SessionError(Exception):
    """The base of errors whose `text` says why something cannot be done, and what can. It may need the players' `names`."""

    def __init__(self, text: Text, names: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.names = names


class NoSuchTable(SessionError):
    """There is no table with that number, or this person may not know of it. The message is the same in both cases."""

    def __init__(self, table_id: int) -> None:
        super().__init__(say("There’s no table #{n} here.", n=table_id))


class Quarantined(SessionError):
    """The table cannot be read. `known` holds the ids of users who may know that it exists, or is None if everybody may."""

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
        """Whether a user may know that the table exists."""
        return self.known is None or user_id in self.known


class NotSeated(SessionError):
    """The action is open only to players of the table."""


class NotYourTurn(SessionError):
    """The game is waiting for another player."""


class WrongStage(SessionError):
    """The table is at the wrong stage: not started yet, already started, or over."""


class TermsChanged(WrongStage):
    """A table's terms have changed since the user read them."""

    def __init__(self, table_id: int) -> None:
        super().__init__(say("The rules of this table have changed since you looked. Here’s how it’s played now."))
        self.table_id = table_id


class TableFull(SessionError):
    """All seats are taken."""


class AlreadyOpen(SessionError):
    """The table for the rematch already exists."""

    def __init__(self, table_id: int) -> None:
        super().__init__(say("Table #{n} is already open for the rematch.", n=table_id))
        self.table_id = table_id


class Stale(SessionError):
    """The board has changed since the button was shown."""


class BadAction(SessionError):
    """The rules do not allow the action. `possible` holds the tokens that could replace the wrong one."""

    def __init__(self, text: Text, possible: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> None:
        super().__init__(text, names)
        self.possible = possible


class Refused(SessionError):
    """Something else that was asked for cannot be done."""
