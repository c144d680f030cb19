"""`/hint`, `/review`: advice during a game, and after it."""

from typing import Final

from bot.commands.which_table import FINISHED_GAMES, table_command, table_number, which_table
from bot.interactions.advice import show_hint, show_review
from bot.interactions.answering.context import Context
from bot.interactions.answering.reply import Command
from bot.messages.click import Click
from bot.sessions.record.errors import Refused
from engines.text import say
from storage.schema.records import Status


@table_command("hint", description="Get a hint for your move")
async def hint(context: Context, game: str | None = None) -> None:
    """Show a player a hint."""
    await show_hint(context, await which_table(context, game, Click("hint")))


@table_command("review", description="See the turning points of a finished game", games=FINISHED_GAMES)
async def review(context: Context, game: str | None = None) -> None:
    """Show the review of a finished game."""
    await show_review(context, await _newest(context) if game is None else table_number(game))


async def _newest(context: Context) -> int:
    """Return the newest finished game of this channel: the user's own, or else any. Raises Refused if there is none."""
    for user_id in (context.user.id, None):
        async for summary in context.sessions.lists.summaries(
            guild_id=context.guild_id, channel_id=context.interaction.channel_id, seen_by=context.user.id, user_id=user_id,
            statuses=(Status.FINISHED,), limit=1,
        ):  # fmt: skip
            return summary.table.id
    raise Refused(say("No game has ended in this channel yet. Name another one with the option `game`."))


COMMANDS: Final[tuple[Command, ...]] = (hint, review)
