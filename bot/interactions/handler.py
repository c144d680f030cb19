"""What handles a click, and what becomes of the message that was clicked on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto

from bot.interactions.context import Context
from bot.messages.click import Click


class Answer(Enum):
    """How a click on a public message is answered. A private message is always replaced by the answer."""

    ADD = auto()
    """With a private message beside it."""
    UPDATE = auto()
    """With a new version of the message, for everybody."""
    SILENT = auto()
    """With nothing, unless there is something to say in private: the next board is the answer."""


Callback = Callable[[Context, Click], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ClickHandler:
    """Handles the clicks of a verb, or of several that mean the same.

    Attributes:
        verbs: the verbs of the `Click`s.
        answer: what becomes of a public message that was clicked on.
        callback: does what is wanted, and answers.
    """

    verbs: tuple[str, ...]
    answer: Answer
    callback: Callback

    async def __call__(self, context: Context, click: Click) -> None:
        """Handle a click."""
        await self.callback(context, click)


def handles(*verbs: str, answer: Answer = Answer.ADD) -> Callable[[Callback], ClickHandler]:
    """Make a function the handler of a verb; its module lists it in HANDLERS, which the router collects."""

    def decorate(callback: Callback) -> ClickHandler:
        return ClickHandler(verbs, answer, callback)

    return decorate
