"""`/board`, `/games`: looking at boards and tables."""

from typing import Final

from discord import app_commands

from bot.commands.which_table import started_games, which_table
from bot.interactions.context import respond
from bot.interactions.looking import show_board, show_list
from bot.interactions.reply import Command, Interaction
from bot.messages.click import Click


@app_commands.command(name="board", description="See where a game stands")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if there’s more than one here")
@app_commands.autocomplete(game=started_games)
async def board(interaction: Interaction, game: str | None = None) -> None:
    """Show a board to the user alone."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("board"), own=False)
        await show_board(context, snapshot.table.id)


@app_commands.command(name="games", description="See all games here, yours first")
@app_commands.guild_only()
@app_commands.describe(mine="Only games you’re in or invited to")
async def games(interaction: Interaction, mine: bool = False) -> None:
    """List the tables, those that wait for the user first."""
    async with respond(interaction) as context:
        await show_list(context, mine=mine)


COMMANDS: Final[tuple[Command, ...]] = (board, games)
