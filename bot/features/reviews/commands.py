"""`/hint`, `/review`: advice during a game, and after it. `/analyse`: a board to think on."""

from typing import Final

from discord import app_commands

from bot.core.listing import Lists
from bot.core.table.errors import Refused
from bot.features.analysis.handlers import open_beginnings, open_code, open_game, open_start
from bot.features.reviews.handlers import show_hint, show_review
from bot.interactions.context import Context, respond
from bot.interactions.games import game_choices, suggest_variants
from bot.interactions.reply import Command, Interaction
from bot.interactions.tables import FINISHED_GAMES, table_command, table_number, which_table
from bot.messages.click import Click
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
    """Return the game that the user finished last in this channel, or else its newest one. Raises Refused if there is none."""
    lists, here = context.core.service(Lists), context.interaction.channel_id
    if (last := await lists.last_finished(context.guild_id, context.user.id, here)) is not None:
        return last.id
    async for summary in lists.summaries(
        guild_id=context.guild_id, channel_id=here, seen_by=context.user.id, statuses=(Status.FINISHED,), limit=1
    ):
        return summary.table.id
    raise Refused(say("No game has ended in this channel yet. Name another one with the option `game`."))


@app_commands.command(name="analyse", description="Think about a position on a board of your own")
@app_commands.guild_only()
@app_commands.describe(
    code="A code, with moves after it if you like",
    game="A game from its start",
    variant="Which variant of it",
    seats="How many players",
    table="A finished game",
    move="After how many of its moves",
)
@app_commands.choices(game=game_choices())
@app_commands.autocomplete(variant=suggest_variants, table=FINISHED_GAMES.suggest)
async def analyse(
    interaction: Interaction,
    code: str | None = None,
    game: str | None = None,
    variant: str | None = None,
    seats: app_commands.Range[int, 1, 6] | None = None,
    table: str | None = None,
    move: app_commands.Range[int, 0, 10_000] | None = None,
) -> None:
    """Open an analysis of a code, of a game from its start, or of a finished game; without any, ask which."""
    async with respond(interaction) as context:
        if code is not None:
            await open_code(context, code)
        elif table is not None:
            await open_game(context, table_number(table), move)
        elif game is not None:
            await open_start(context, game, variant, seats)
        else:
            await open_beginnings(context)


COMMANDS: Final[tuple[Command, ...]] = (hint, review, analyse)
