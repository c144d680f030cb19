"""`/rules`, `/help`: pages to read."""

from typing import Final

from discord import app_commands

from bot.interactions.context import respond
from bot.interactions.reply import Command, Interaction
from bot.messages import pages
from engines import GAMES


@app_commands.command(name="rules", description="How a game is played")
@app_commands.guild_only()
@app_commands.describe(game="Which game")
@app_commands.choices(game=[app_commands.Choice(name=game.title, value=game.id) for game in GAMES.values()])
async def rules(interaction: Interaction, game: str) -> None:
    """Show the first page of a game's rules."""
    async with respond(interaction) as context:
        await context.reply.show(await pages.rules_message(game, 0, context.language))


@app_commands.command(name="help", description="What this bot can do")
@app_commands.guild_only()
async def help_(interaction: Interaction) -> None:
    """Show what the bot can do."""
    async with respond(interaction) as context:
        await context.reply.show(pages.help_message(context.language))


COMMANDS: Final[tuple[Command, ...]] = (rules, help_)
