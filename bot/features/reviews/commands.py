"""`/review`: the turning points of a finished game."""

from typing import Final

from bot.features.reviews.handlers import show_review
from bot.interactions.context import Context
from bot.interactions.reply import Command
from bot.interactions.tables import FINISHED_GAMES, newest_finished, table_command, table_number


@table_command("review", description="See the turning points of a finished game", games=FINISHED_GAMES)
async def review(context: Context, game: str | None = None) -> None:
    """Show the review of a finished game."""
    await show_review(context, await newest_finished(context) if game is None else table_number(game))


COMMANDS: Final[tuple[Command, ...]] = (review,)
