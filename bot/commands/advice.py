"""`/hint`, `/review`: what would be good to play, and what would have been."""

from typing import Final

from discord import app_commands

from bot.commands.which_table import finished_games, own_games, table_number, which_table
from bot.interactions.advice import show_hint, show_review
from bot.interactions.context import Context, respond
from bot.interactions.reply import Command, Interaction
from bot.messages.click import Click
from bot.sessions.errors import Refused
from engines.text import say
from storage.records import Status


@app_commands.command(name="hint", description="Ask what would be good to play")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def hint(interaction: Interaction, game: str | None = None) -> None:
    """Show a player what is good to play."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("hint"))
        await show_hint(context, snapshot.table.id)


@app_commands.command(name="review", description="See where a finished game turned")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if there’s more than one here")
@app_commands.autocomplete(game=finished_games)
async def review(interaction: Interaction, game: str | None = None) -> None:
    """Show the review of a finished game."""
    async with respond(interaction) as context:
        number = await _newest(context) if game is None else table_number(game)
        await show_review(context, number)


async def _newest(context: Context) -> int:
    """The newest finished game of this channel: the user's own, or else any. Raises Refused if there is none."""
    for user_id in (context.user.id, None):
        found = await context.sessions.outlines(
            guild_id=context.guild_id, channel_id=context.interaction.channel_id, seen_by=context.user.id, user_id=user_id,
            statuses=(Status.FINISHED,), limit=1,
        )  # fmt: skip
        if found:
            return found[0].table.id
    raise Refused(say("No game has ended in this channel yet. Name another one with the option `game`."))


COMMANDS: Final[tuple[Command, ...]] = (hint, review)
