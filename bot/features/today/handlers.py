"""*What’s on today*: what is happening on a server."""

from typing import Final

from bot.core.table.settings import DAY
from bot.features.matchmaking.service import Seeks
from bot.features.puzzles.daily import Dailies, Span
from bot.features.today.messages import today_message
from bot.features.today.service import Today
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.messages.click import Click


async def show_today(context: Context) -> None:
    """Privately show the user what is happening at the server's public tables, and what has ended in the last 24 hours."""
    core = context.core
    found = await core.service(Today).of_server(context.guild_id, core.now() - DAY)
    week = await core.service(Dailies).table(context.guild_id, Span.WEEK)
    waiting = await core.service(Seeks).waiting(context.guild_id)
    await context.reply.show(await today_message(found, week, waiting, context.perspective(None), context.user.id))


@handles("today")
async def _today(context: Context, _click: Click) -> None:
    await show_today(context)


HANDLERS: Final = (_today,)
