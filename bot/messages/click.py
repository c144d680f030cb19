"""Clicks: what buttons and select menus stand for. Only this module writes and reads their custom_ids."""

import re
from dataclasses import dataclass, replace
from typing import Final, Self

MARK: Final = "sb"
"""The first part of all custom_ids of the bot; any others are ignored."""

BAR: Final = "|"
"""The separator between the parts of a custom_id."""

LONGEST: Final = 100
"""Discord's limit on a custom_id, in characters."""


_NUMBER: Final = re.compile(r"[0-9]{1,18}")
"""A number as the bot writes it. Longer ones would not fit into the database."""


_TABLE: Final = re.compile(r"#([0-9]{1,18})")
"""The value of an option that names a table. No token of a game begins like that."""


def naming(table: int) -> str:
    """The value of an option that names a table."""
    return f"#{table}"


class TooLong(ValueError):
    """A click that does not fit into a custom_id. The action has to be typed instead."""


@dataclass(frozen=True, slots=True)
class Click:
    """A click on a button, or a choice in a select menu.

    Attributes:
        verb: what is to be done; bot/interactions/router.py has the list.
        table: the number of the table, or 0.
        version: the version of the board that the button belongs to.
        page: the page of choices, from 0.
        tokens: the tokens of an action picked so far, or other arguments of the verb.
    """

    verb: str
    table: int = 0
    version: int = 0
    page: int = 0
    tokens: tuple[str, ...] = ()

    def chosen(self, *values: str) -> "Click":
        """The click that a choice in a select menu makes: at the table that was chosen (`naming`), or with further tokens."""
        if len(values) == 1 and (table := _TABLE.fullmatch(values[0])) is not None:
            return replace(self, table=int(table[1]))
        return self.then(*values)

    @property
    def custom_id(self) -> str:
        """The click as text of at most 100 characters. Raises TooLong, also for tokens that could not be read back."""
        text = BAR.join((MARK, self.verb, str(self.table), str(self.version), str(self.page), " ".join(self.tokens)))
        if len(text) > LONGEST or text.count(BAR) != 5:
            raise TooLong(text)
        return text

    @staticmethod
    def is_ours(custom_id: str) -> bool:
        """Whether a custom_id is one of the bot's, of whatever version of it."""
        return custom_id.startswith(MARK + BAR)

    @classmethod
    def read(cls, custom_id: str) -> Self | None:
        """The click that a custom_id was made from, or None if this version of the bot makes no such one."""
        parts = custom_id.split(BAR)
        if len(parts) != 6 or parts[0] != MARK:
            return None
        _, verb, table, version, page, tokens = parts
        if not all(_NUMBER.fullmatch(number) for number in (table, version, page)):
            return None
        return cls(verb, int(table), int(version), int(page), tuple(tokens.split()))

    def then(self, *tokens: str) -> "Click":
        """The same click with more tokens appended, on the first page."""
        return replace(self, tokens=(*self.tokens, *tokens), page=0)
