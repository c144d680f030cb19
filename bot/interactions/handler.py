"""Handlers of clicks, and how they answer."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto

from bot.interactions.context import Context
from bot.messages.click import Click


class Answer(Enum):
    """How a click on a public message is answered. A private message is always replaced by the answer."""

    ADD = auto()
    """With a private message in addition."""
    UPDATE = auto()
    """By updating the message for everybody."""
    SILENT = auto()
    """With nothing, unless there is something to say privately: the next board is the answer."""


Callback = Callable[[Context, Click], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ClickHandler:
    """The handler of one verb, or of several that mean the same.

    Attributes:
        verbs: the verbs of the `Click`s.
        answer: how a click on a public message is answered.
        callback: does what the click asks for, and answers it.
    """

    verbs: tuple[str, ...]
    answer: Answer
    callback: Callback

    async def __call__(self, context: Context, click: Click) -> None:
        """Handle a click."""
        await self.callback(context, click)


def handles(*verbs: str, answer: Answer = Answer.ADD) -> Callable[[Callback], ClickHandler]:
    """Make a function the handler of these verbs. Its module lists it in HANDLERS, which the router collects."""

    def decorate(callback: Callback) -> ClickHandler:
        return ClickHandler(verbs, answer, callback)

    return decorate
