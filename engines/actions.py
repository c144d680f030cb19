"""Actions: the tokens that they consist of, the choices between them, and the errors for those that cannot be played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.text import Text, join, plain, say

Token = str
"""One word of an action, for example "c2", "up" or "take-3"."""

Action = tuple[Token, ...]
"""A whole action, for example ("c2", "c3", "d4")."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A token that may come next.

    Attributes:
        token: the token.
        label: its name on a button or in a list.
        final: whether it completes a legal action, even if more tokens may follow.
        symbol: an emoji that says the same at a glance ("⬆️"), or nothing.
    """

    token: Token
    label: str
    final: bool
    symbol: str = ""


class IllegalAction(ValueError):
    """An action that cannot be played.

    Attributes:
        message: the reason, and the possible choices by their labels.
        typed_message: the same for a person who types, with the tokens beside the labels.
        action: all the tokens that were given.
        index: the index of the first wrong token; ``len(action)`` if a token is missing at the end.
        possible: the choices at that index.
    """

    def __init__(self, reason: str, action: Action, index: int, possible: Sequence[Choice]) -> None:
        """Build the error from its reason, a whole sentence without the possible choices."""
        self.message = _with_possible(reason, names_of(possible))
        self.typed_message = _with_possible(reason, names_of(possible, typed=True))
        super().__init__(self.message)
        self.action = action
        self.index = index
        self.possible = tuple(possible)

    @property
    def token(self) -> Token | None:
        """The wrong token, or None if one is missing."""
        return self.action[self.index] if self.index < len(self.action) else None


class MalformedAction(IllegalAction):
    """A token that does not look like any token of this game."""


class IncompleteAction(IllegalAction):
    """An action whose tokens are legal, but that cannot end there."""


NAMED_AT_MOST: Final = 8
"""The number of choices that an error message names."""


def names_of(choices: Sequence[Choice], *, typed: bool = False) -> Text:
    """Return the labels of the choices for an error message; only the first few if there are many.

    If `typed`, each is followed by its token, which is what a person would type, unless the label is the token.
    """
    named = join([_named(choice) if typed else choice.label for choice in choices[:NAMED_AT_MOST]], " · ")
    more = len(choices) - NAMED_AT_MOST
    return say("{some} and {n} more", some=named, n=more) if more > 0 else named


def _named(choice: Choice) -> Text:
    if choice.label == choice.token:
        return plain(choice.token)
    return say("{label} (`{token}`)", label=choice.label, token=plain(choice.token))


def _with_possible(reason: str, possible: Text) -> str:
    return say("{reason} Possible: {possible}.", reason=reason, possible=possible) if possible else reason
