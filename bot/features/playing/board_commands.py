"""`/board`, `/games`: looking at boards and tables."""

from typing import Final

from discord import app_commands

from bot.features.playing.looking import show_board, show_list
from bot.interactions.context import Context, respond
from bot.interactions.reply import Command, Interaction
from bot.interactions.tables import STARTED_GAMES, table_command, which_table
from bot.messages.click import Click


@table_command("board", description="See where a game stands", games=STARTED_GAMES)
async def board(context: Context, game: str | None = None) -> None:
    """Show a board to the user alone."""
    await show_board(context, await which_table(context, game, Click("board"), own=False))


@app_commands.command(name="games", description="See all games here, yours first")
@app_commands.guild_only()
@app_commands.describe(mine="Only games you’re in or invited to")
async def games(interaction: Interaction, mine: bool = False) -> None:
    """List the tables, those that wait for the user first."""
    async with respond(interaction) as context:
        await show_list(context, mine=mine)


COMMANDS: Final[tuple[Command, ...]] = (board, games)
