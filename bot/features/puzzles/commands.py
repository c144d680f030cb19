"""`/puzzle`: puzzles to solve, as many as one likes. `/daily`: the one of the day."""

from typing import Final

from discord import app_commands

from bot.features.puzzles.handlers import open_daily, open_puzzle
from bot.features.puzzles.wanted import Band, Wanted
from bot.interactions.context import respond
from bot.interactions.games import game_choices
from bot.interactions.reply import Command, Interaction
from opponents.puzzles.collection import GAMES as WITH_PUZZLES
from opponents.puzzles.puzzle import THEMES, Theme

_BANDS: Final = {Band.EASY: "Easy", Band.MEDIUM: "Medium", Band.HARD: "Hard"}


@app_commands.command(name="puzzle", description="Solve a puzzle")
@app_commands.guild_only()
@app_commands.describe(game="Of which game", difficulty="How hard it is", theme="What it is about")
@app_commands.choices(
    game=game_choices(WITH_PUZZLES),
    difficulty=[app_commands.Choice(name=name, value=band.value) for band, name in _BANDS.items()],
    theme=[app_commands.Choice(name=str(name), value=theme.value) for theme, name in THEMES.items()],
)
async def puzzle(
    interaction: Interaction, game: str | None = None, difficulty: str | None = None, theme: str | None = None
) -> None:
    """Show the user a puzzle."""
    async with respond(interaction) as context:
        band = None if difficulty is None else Band(difficulty)
        await open_puzzle(context, Wanted(game, band, None if theme is None else Theme(theme)))


@app_commands.command(name="daily", description="Solve the puzzle of the day")
@app_commands.guild_only()
async def daily(interaction: Interaction) -> None:
    """Show the user the puzzle of the day."""
    async with respond(interaction) as context:
        await open_daily(context)


COMMANDS: Final[tuple[Command, ...]] = (puzzle, daily)
