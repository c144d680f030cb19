"""What a button or select says when it is pressed: its custom_id, read and written in this one place."""

from dataclasses import dataclass, replace
from typing import Final, Self

MARK: Final = "sb"
"""Every custom_id of the bot begins with it; anything else is none of ours."""

BAR: Final = "|"
"""What stands between the parts of a custom_id."""

LONGEST: Final = 100
"""Discord's limit on a custom_id, in characters."""


class TooLong(ValueError):
    """A click that does not fit into a custom_id: the action is to be typed instead."""


@dataclass(frozen=True, slots=True)
class Click:
    """A press of a button.

    Attributes:
        verb: what is wanted; bot/interactions/router.py has the list.
        table: the table's number, 0 if there is none to it.
        version: the version of the board that the button belongs to.
        page: which page of choices.
        tokens: an action as far as it is picked, or whatever words the verb takes.
    """

    verb: str
    table: int = 0
    version: int = 0
    page: int = 0
    tokens: tuple[str, ...] = ()

    @property
    def custom_id(self) -> str:
        """The click as text of at most 100 characters. Raises TooLong, also for words that could not be read back."""
        text = BAR.join((MARK, self.verb, str(self.table), str(self.version), str(self.page), " ".join(self.tokens)))
        if len(text) > LONGEST or text.count(BAR) != 5:
            raise TooLong(text)
        return text

    @classmethod
    def read(cls, custom_id: str) -> Self | None:
        """The click that this custom_id was made from, or None if it is not one of ours."""
        parts = custom_id.split(BAR)
        if len(parts) != 6 or parts[0] != MARK:
            return None
        _, verb, table, version, page, tokens = parts
        try:
            return cls(verb, int(table), int(version), int(page), tuple(tokens.split()))
        except ValueError:
            return None

    def then(self, *tokens: str) -> "Click":
        """The same with more tokens behind."""
        return replace(self, tokens=(*self.tokens, *tokens), page=0)
