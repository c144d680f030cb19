"""`/stats`, `/leaderboard`: results and ratings."""

from typing import Final

import discord
from discord import app_commands

from bot.core.table.request import require_game
from bot.core.table.snapshot import User
from bot.features.puzzles.service import Puzzles
from bot.features.stats.messages import candidates_message, leaderboard_message, results_message
from bot.features.stats.ratings import Ratings
from bot.interactions.context import Context, person, respond
from bot.interactions.games import game_choices
from bot.interactions.reply import Command, Interaction
from renderers.summaries.leaderboard import LINES_AT_MOST


@app_commands.command(name="stats", description="See wins, losses and ratings")
@app_commands.guild_only()
@app_commands.describe(user="Whose? Yours if you leave it empty", game="Just this game")
@app_commands.choices(game=game_choices())
async def stats(interaction: Interaction, user: discord.User | None = None, game: str | None = None) -> None:
    """Show the results of a user on this server."""
    async with respond(interaction) as context:
        await show_results(context, context.user if user is None else person(user), game)


@app_commands.command(name="leaderboard", description="See the best players here")
@app_commands.guild_only()
@app_commands.describe(game="Which game")
@app_commands.choices(game=game_choices())
async def leaderboard(interaction: Interaction, game: str) -> None:
    """Show the leaderboard of this server at a game to everybody."""
    async with respond(interaction, public=True) as context:
        await show_leaderboard(context, game)


COMMANDS: Final[tuple[Command, ...]] = (stats, leaderboard)


async def show_results(context: Context, user: User, game: str | None) -> None:
    """Show the user privately the results of a user on this server; of their own also those at puzzles, on all servers."""
    if game is not None:
        require_game(game)
    results = await context.core.service(Ratings).results(context.guild_id, user.id, asked_by=context.user.id, game=game)
    own = await context.core.service(Puzzles).ratings_of(user.id) if user.id == context.user.id else ()
    shown = await results_message(
        user, results, _server_name(context), context.language, high_contrast=context.settings.high_contrast,
        puzzles=[rating for rating in own if game in {None, rating.game}],
    )  # fmt: skip
    await context.reply.show(shown)


async def show_leaderboard(context: Context, game: str) -> None:
    """Show everybody the leaderboard of this server at a game, or who is on the way to it."""
    require_game(game)
    ratings, language = context.core.service(Ratings), await context.public_language()
    standings = await ratings.leaderboard(context.guild_id, game, LINES_AT_MOST)
    if standings:
        message = await leaderboard_message(game, standings, _server_name(context), language)
    else:
        message = candidates_message(game, await ratings.candidates(context.guild_id, game, LINES_AT_MOST), language)
    await context.reply.show(message)


def _server_name(context: Context) -> str:
    guild = context.interaction.guild
    return guild.name if guild is not None else ""
