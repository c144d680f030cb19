"""Handlers of clicks, and how they answer."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import discord

from bot.core.table.errors import Refused
from bot.interactions.context import Context
from bot.interactions.reply import Interaction
from bot.messages.click import Click
from engines.text import say

WORD_LIMIT: Final = 100
"""The most characters of a token: no button or option that the bot makes has room for more."""


def is_word(token: str) -> bool:
    """Whether a token is a word. Its handler checks which."""
    return len(token) <= WORD_LIMIT and token.split() == [token]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The number and form of a verb's tokens. Discord does not vouch for the content of a custom_id.

    Attributes:
        forms: checks of the first tokens.
        least: the fewest tokens, by default as many as `forms`.
        more: checks each further token; None if there are none.
    """

    forms: tuple[Callable[[str], bool], ...] = ()
    least: int | None = None
    more: Callable[[str], bool] | None = None

    def fit(self, tokens: Sequence[str]) -> bool:
        """Whether a click can have these tokens."""
        least = len(self.forms) if self.least is None else self.least
        if len(tokens) < least or (self.more is None and len(tokens) > len(self.forms)):
            return False
        first = all(form(token) for form, token in zip(self.forms, tokens, strict=False))
        return first and (self.more is None or all(map(self.more, tokens[len(self.forms) :])))


NO_TOKENS: Final = Tokens()

ACTION: Final = Tokens(more=is_word)
"""The tokens of an action or an order, whole or begun."""


class Answer(Enum):
    """How a click on a public message is answered. A private message is always replaced by the answer."""

    ADD = auto()
    """With an additional private message."""
    UPDATE = auto()
    """By updating the message for everybody."""
    SILENT = auto()
    """Without a message, unless there is something to say privately: the next board is the answer."""


Callback = Callable[[Context, Click], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ClickHandler:
    """The handler of one verb, or of several that mean the same; its callback gets only fitting tokens."""

    verbs: tuple[str, ...]
    tokens: Tokens
    answer: Answer
    callback: Callback

    async def __call__(self, context: Context, click: Click) -> None:
        """Handle a click. Raises Refused for tokens that its verb cannot have."""
        if not self.tokens.fit(click.tokens):
            raise too_old(context.interaction)
        await self.callback(context, click)


def too_old(interaction: Interaction | None = None) -> Refused:
    """Return the error for a click, or for a form sent by `interaction`, that this version of the bot cannot read."""
    if interaction is not None and interaction.type is discord.InteractionType.modal_submit:
        return Refused(say("This form is too old for me. Press its button again to open a new one."))
    return Refused(say("This button is too old for me. See the board with `/board`."))


def handles(*verbs: str, tokens: Tokens = NO_TOKENS, answer: Answer = Answer.ADD) -> Callable[[Callback], ClickHandler]:
    """Make a function the handler of these verbs. Its module lists it in HANDLERS, which the router collects."""

    def decorate(callback: Callback) -> ClickHandler:
        return ClickHandler(verbs, tokens, answer, callback)

    return decorate
