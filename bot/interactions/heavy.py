"""Requests that take long to compute: they wait for their turn, and the user is told how it stands."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

from bot.interactions.context import Context
from bot.messages.builder import MessageBuilder
from bot.sessions.budget import Turn
from engines.text import Text, say, say_n

FIRST_PROGRESS: Final = 3.0
"""Seconds after which the user is told how it stands. Most requests are answered before."""

NEXT_PROGRESS: Final = 5.0
"""Seconds after which the user is told again, if it stands differently."""

Result = TypeVar("Result")

_under_way: Final[dict[Hashable, asyncio.Future[Any]]] = {}


async def in_turn_once(context: Context, what: Hashable, work: Callable[[], Awaitable[Result]]) -> Result:
    """What `work` computes when it is the user's turn. Whoever asks for the same again meanwhile gets the same result.

    Raises what `work` raises, and Refused if another request of the user still waits.
    """
    key = (context.user.id, what)
    if key in _under_way:
        shared: Result = await asyncio.shield(_under_way[key])
        return shared
    result: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
    _under_way[key] = result
    try:
        async with in_turn(context):
            result.set_result(await work())
    except Exception as error:
        result.set_exception(error)
        result.exception()  # so that asyncio does not complain if nobody else waits for it
        raise
    finally:
        result.cancel()  # of no effect unless this was cancelled itself
        del _under_way[key]
    return result.result()


@asynccontextmanager
async def in_turn(context: Context) -> AsyncIterator[None]:
    """Run the block, which computes much, when it is the user's turn; see `bot.sessions.budget`.

    Raises Refused if an earlier request of the user still waits. Build the answer in the block, and send it after it.
    """
    turn = context.sessions.budget.queue(context.guild_id, context.user.id)
    telling = asyncio.create_task(_tell(context, turn), name="springboard-progress")
    try:
        async with turn:
            yield
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling


async def _tell(context: Context, turn: Turn) -> None:
    """Keep the user informed how it stands, seldom, and only when there is something new."""
    told: Text | None = None
    await asyncio.sleep(FIRST_PROGRESS)
    while True:
        news = standing(turn)
        if news != told:
            await context.reply.progress(MessageBuilder().text(context.language(news)))
            told = news
        await asyncio.sleep(NEXT_PROGRESS)


def standing(turn: Turn) -> Text:
    """How a request stands, in words."""
    if turn.has_come:
        return say("Working on it …")
    if turn.ahead == 0:
        return say("Just a moment, you’re next.")
    return say_n("Just a moment, {n} request is ahead of yours.", "Just a moment, {n} requests are ahead of yours.", turn.ahead)
