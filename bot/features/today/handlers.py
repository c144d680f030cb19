"""`/today`, and its button: what goes on at a server."""

from typing import Final

from discord import app_commands

from bot.core.table.settings import DAY
from bot.features.matchmaking.service import Seeks
from bot.features.puzzles.daily import Dailies, Span
from bot.features.today.messages import today_message
from bot.features.today.service import Today
from bot.interactions.context import Context, respond
from bot.interactions.handlers import handles
from bot.interactions.reply import Command, Interaction
from bot.messages.click import Click


@app_commands.command(name="today", description="See what’s on here, and what ended since yesterday")
@app_commands.guild_only()
async def today(interaction: Interaction) -> None:
    """Show the day of the server to the user alone."""
    async with respond(interaction) as context:
        await show_today(context)


COMMANDS: Final[tuple[Command, ...]] = (today,)


async def show_today(context: Context) -> None:
    """Show the user privately what goes on at the public tables of the server, and what has ended within a day."""
    core = context.core
    found = await core.service(Today).of_server(context.guild_id, core.now() - DAY)
    week = await core.service(Dailies).table(context.guild_id, Span.WEEK)
    waiting = await core.service(Seeks).waiting(context.guild_id)
    await context.reply.show(await today_message(found, week, waiting, context.perspective(None), context.user.id))


@handles("today")
async def _today(context: Context, _click: Click) -> None:
    await show_today(context)


HANDLERS: Final = (_today,)
