"""Handlers of clicks, and the ways in which they answer."""

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
"""The most characters of a token. No button or option made by the bot has room for more."""


def is_word(token: str) -> bool:
    """Whether a token is a single word. Which words are possible is for its handler to check."""
    return len(token) <= WORD_LIMIT and token.split() == [token]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The number and form of a verb's tokens. Discord does not vouch for the content of a custom_id.

    Attributes:
        forms: checks for the first tokens, one each.
        least: the fewest tokens, which by default is the number of `forms`.
        more: checks each further token. If it is None, there can be no further tokens.
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
"""The tokens of an action or an order, complete or only begun."""


class Answer(Enum):
    """How a click on a public message is answered. A private message is always replaced by the answer."""

    ADD = auto()
    """The answer is an additional private message."""
    UPDATE = auto()
    """The answer updates the message for everybody."""
    SILENT = auto()
    """There is no message, unless there is something to say privately. The next board is the answer."""


Callback = Callable[[Context, Click], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ClickHandler:
    """The handler of one verb, or of several verbs with the same meaning. Its callback gets only tokens that fit."""

    verbs: tuple[str, ...]
    tokens: Tokens
    answer: Answer
    callback: Callback

    async def __call__(self, context: Context, click: Click) -> None:
        """Handle a click. Raises Refused if its verb cannot have these tokens."""
        if not self.tokens.fit(click.tokens):
            raise too_old(context.interaction)
        await self.callback(context, click)


def too_old(interaction: Interaction | None = None) -> Refused:
    """Return the error for a click, or for a form sent by `interaction`, that this version of the bot cannot read."""
    if interaction is not None and interaction.type is discord.InteractionType.modal_submit:
        return Refused(say("This form is too old for me. Press its button again to open a new one."))
    return Refused(say("This button is too old for me. See the board with `/board`."))


def handles(*verbs: str, tokens: Tokens = NO_TOKENS, answer: Answer = Answer.ADD) -> Callable[[Callback], ClickHandler]:
    """Make a function the handler of these verbs. Its module lists it in HANDLERS, from which the router gets it."""

    def decorate(callback: Callback) -> ClickHandler:
        return ClickHandler(verbs, tokens, answer, callback)

    return decorate
