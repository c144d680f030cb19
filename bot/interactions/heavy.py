"""Requests that take long to compute. They wait for their turn, and the user sees how they progress."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

from bot.core.budget import Ticket
from bot.core.table.errors import Refused
from bot.interactions.context import Context
from bot.messages.builder import MessageBuilder
from bot.runtime.cache import SingleFlight
from bot.workers.thinking import ThinkingFailed, thinking
from bot.workers.thinking_queue import Priority
from engines.text import Text, say, say_n

FIRST_PROGRESS: Final = 3.0
"""Seconds until the user is first shown the progress. Most requests are answered before that."""

NEXT_PROGRESS: Final = 5.0
"""Seconds between two looks at the progress. If it has changed, the user is shown it."""

Result = TypeVar("Result")

_under_way: Final = SingleFlight[Any]()


async def in_turn_once(context: Context, what: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
    """Do `work` in the user's turn, once for simultaneous requests for `what`. Raises Refused if another request waits."""

    async def work_in_turn() -> Result:
        async with in_turn(context):
            return await work()

    result: Result = await _under_way.run((context.user.id, what), work_in_turn)
    return result


@asynccontextmanager
async def in_turn(context: Context) -> AsyncIterator[None]:
    """Run the block, which takes long, in the user's turn, and answer after it. Raises Refused if another request waits."""
    ticket = context.core.budget.queue(context.guild_id, context.user.id)
    telling = asyncio.create_task(_tell(context, ticket), name="springboard-progress")
    try:
        async with ticket:
            yield
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling


async def _tell(context: Context, ticket: Ticket) -> None:
    """Show the user the progress now and then, if it has changed."""
    told: Text | None = None
    await asyncio.sleep(FIRST_PROGRESS)
    while True:
        news = standing(ticket)
        if news != told:
            await context.reply.progress(MessageBuilder().text(context.language(news)))
            told = news
        await asyncio.sleep(NEXT_PROGRESS)


def standing(ticket: Ticket) -> Text:
    """Return a request's progress in words."""
    if ticket.has_come:
        return say("Working on it …")
    if ticket.ahead == 0:
        return say("Just a moment, you’re next.")
    return say_n(
        "Just a moment, {n} request is ahead of yours.", "Just a moment, {n} requests are ahead of yours.", ticket.ahead
    )


Answer = TypeVar("Answer")


_asking: Final[set[int]] = set()
"""The users for whom a computer is thinking."""


async def ask_expert(context: Context, question: Callable[..., Answer], *values: Any) -> Answer:
    """Return a computer's answer to a user's question. Raises Refused if it is busy with their last one, or has no time."""
    if context.user.id in _asking:
        raise Refused(say("One at a time, please: I’m still thinking about your last hint."))
    _asking.add(context.user.id)
    try:
        return await thinking(question, *values, server=context.guild_id, person=context.user.id, priority=Priority.HINT)
    except ThinkingFailed as error:
        raise Refused(say("I’m thinking about too many games right now. Ask again in a minute.")) from error
    finally:
        _asking.discard(context.user.id)
