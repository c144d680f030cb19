"""Clicks: the meanings of buttons and select menus. Only this module writes and reads their custom_ids."""

import re
from dataclasses import dataclass
from typing import Final, Self

from engines.values import replace

MARK: Final = "sb"
"""The first part of all of the bot's custom_ids."""

BAR: Final = "|"
"""The separator between the parts of a custom_id."""

LONGEST: Final = 100
"""Discord's limit on a custom_id, in characters."""


MARKS_FROM: Final = 0x2000_0000
"""The smallest mark of a message. A button with a page of at least this number carries a mark; see `bot.messages.marks`."""

_NUMBER: Final = re.compile(r"[0-9]{1,19}")

_MOST: Final = 2**63 - 1
"""The greatest number that fits into the database."""

_TABLE: Final = re.compile(r"#([0-9]{1,18})")
"""The value of a menu option that names a table. No game has a token like this."""


def is_number(token: str) -> bool:
    """Whether a token is a number as the bot writes it: plain digits, and not too great for the database."""
    return _NUMBER.fullmatch(token) is not None and int(token) <= _MOST


def table_value(table: int) -> str:
    """Return the value of a menu option that stands for a table, as `Click.with_values` reads it."""
    return f"#{table}"


class TooLong(ValueError):
    """The click does not fit into a custom_id, so the action has to be typed instead."""


@dataclass(frozen=True, slots=True)
class Click:
    """A click on a button, or a choice in a select menu.

    Attributes:
        verb: the name of the handler; bot/registry.py has the list.
        table: the number of the table, or 0.
        version: the version of the board that the button belongs to.
        page: the page of choices, from 0. On the first button of a plain message, the message's mark.
        tokens: the tokens of an action that were picked so far, or other arguments of the verb.
    """

    verb: str
    table: int = 0
    version: int = 0
    page: int = 0
    tokens: tuple[str, ...] = ()

    def with_values(self, *values: str) -> "Click":
        """Return the click after a choice in a menu: at the chosen table (see `table_value`), or with the values as tokens."""
        if len(values) == 1 and (table := _TABLE.fullmatch(values[0])) is not None:
            return replace(self, table=int(table[1]))
        return self.then(*values)

    @property
    def custom_id(self) -> str:
        """The click as text of at most 100 characters. Raises TooLong if it is longer or its tokens could not be read back."""
        text = BAR.join((MARK, self.verb, str(self.table), str(self.version), str(self.page), " ".join(self.tokens)))
        if len(text) > LONGEST or text.count(BAR) != 5:
            raise TooLong(text)
        return text

    @classmethod
    def read(cls, custom_id: str) -> Self | None:
        """Return the click that a custom_id stands for, or None if this version of the bot does not write such custom_ids."""
        parts = custom_id.split(BAR)
        if len(parts) != 6 or parts[0] != MARK:
            return None
        _, verb, table, version, page, tokens = parts
        if not all(is_number(number) for number in (table, version, page)):
            return None
        return cls(verb, int(table), int(version), int(page), tuple(tokens.split()))

    @property
    def unmarked(self) -> "Click":
        """The click without the mark of the message that its button belonged to."""
        return replace(self, page=0) if self.page >= MARKS_FROM else self

    def then(self, *tokens: str) -> "Click":
        """Return the click with more tokens, on the first page."""
        return replace(self, tokens=(*self.tokens, *tokens), page=0)
