"""`/plan`: preparing for what others may play."""

from typing import Final

from discord import app_commands

from bot.commands.which_table import own_games, which_table
from bot.interactions import plans
from bot.interactions.context import respond
from bot.interactions.reply import Command, Interaction
from bot.messages.click import Click


@app_commands.command(name="plan", description="Plan ahead: what you play if others play this or that")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def plan(interaction: Interaction, game: str | None = None) -> None:
    """Show a player, privately, what they have planned, and let them add to it."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("plan"))
        await plans.open_plan(context, snapshot.table.id)


COMMANDS: Final[tuple[Command, ...]] = (plan,)
