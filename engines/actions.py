"""Actions: the tokens of which they consist, the choices between tokens, and the errors for actions that cannot be played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.text import Text, join, plain, say

Token = str
"""One word of an action, such as "c2", "up" or "take-3"."""

Action = tuple[Token, ...]
"""A whole action, such as ("c2", "c3", "d4")."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A token that may come next.

    Attributes:
        label: its name on a button or in a list.
        final: whether it completes a legal action, even if more tokens may follow.
        symbol: an emoji that says the same at a glance ("⬆️"), or nothing.
        deed: what choosing it does, in words that continue “You can” (“roll 3 dice”). Empty if the label names a thing to pick.
        wins: whether an action that ends with it wins, as its label or its symbol then says.
        brief: the label in one word, for a button beside a picture that shows the rest. Empty if the label is short anyway.
        routine: whether it begins every turn, so that there is nothing to think about yet.
    """

    token: Token
    label: str
    final: bool
    symbol: str = ""
    deed: str = ""
    wins: bool = False
    brief: str = ""
    routine: bool = False


class IllegalAction(ValueError):
    """An action that cannot be played.

    Attributes:
        message: the reason, and what can be chosen instead.
        typed_message: the same message for a person who types, with each token beside its label.
        index: the index of the first wrong token, or ``len(action)`` if a token is missing at the end.
        possible: the choices at that index.
    """

    def __init__(self, reason: str, action: Action, index: int, possible: Sequence[Choice]) -> None:
        """Build the error from its reason, a whole sentence without the possible choices."""
        self.message = with_possible(reason, possible)
        self.typed_message = with_possible(reason, possible, typed=True)
        super().__init__(self.message)
        self.action = action
        self.index = index
        self.possible = tuple(possible)

    @property
    def token(self) -> Token | None:
        """The wrong token, or None if one is missing."""
        return self.action[self.index] if self.index < len(self.action) else None


class MalformedAction(IllegalAction):
    """An action with a token that does not look like any token of this game."""


class IncompleteAction(IllegalAction):
    """An action whose tokens are legal, but which cannot end after the last one."""


NAMED_AT_MOST: Final = 8


def with_possible(reason: str, possible: Sequence[Choice], *, typed: bool = False) -> Text:
    """Return the reason for an error, followed by what can be chosen instead. If `typed`, the tokens to type are included."""
    things = [_name_of(choice.label, choice, typed) for choice in possible if not choice.deed]
    deeds = [_name_of(choice.deed, choice, typed) for choice in possible if choice.deed]
    if things:
        named, more = join(things[:NAMED_AT_MOST], " · "), len(things) - NAMED_AT_MOST
        deeds.insert(0, say("pick {things}", things=say("{some} and {n} more", some=named, n=more) if more > 0 else named))
    if not deeds:
        return join((reason,))
    *others, last = deeds
    deed = say("{some} or {last}", some=join(others, ", "), last=last) if others else last
    return say("{reason} You can {deed}.", reason=reason, deed=deed)


def _name_of(words: str, choice: Choice, typed: bool) -> Text:
    if not typed or choice.label == choice.token:
        return join((words,))
    return say("{label} (`{token}`)", label=words, token=plain(choice.token))
