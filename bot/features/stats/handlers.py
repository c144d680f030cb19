"""`/stats`, and the button *Leaderboard* below it, which show results and ratings."""

from typing import Final

import discord
from discord import app_commands

from bot.core.table.request import require_game
from bot.core.table.snapshot import User
from bot.features.puzzles.service import Puzzles
from bot.features.stats.messages import (
    candidates_message,
    leaderboard_button,
    leaderboard_message,
    results_message,
    which_leaderboard,
)
from bot.features.stats.ratings import Ratings
from bot.i18n.language import Language
from bot.interactions.context import Context, person, respond
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.reply import Command, Interaction
from bot.interactions.sharing import check_postable, hindrance
from bot.interactions.suggestions import game_choices
from bot.messages.board import post_button
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from engines.text import say
from renderers.summaries.leaderboard import ROWS_AT_MOST


@app_commands.command(name="stats", description="See wins, ratings and the leaderboard")
@app_commands.guild_only()
@app_commands.describe(user="Whose? Yours if you leave it empty", game="Just this game")
@app_commands.choices(game=game_choices())
async def stats(interaction: Interaction, user: discord.User | None = None, game: str | None = None) -> None:
    """Show the results of a user on this server."""
    async with respond(interaction) as context:
        await show_results(context, context.user if user is None else person(user), game)


COMMANDS: Final[tuple[Command, ...]] = (stats,)


async def show_results(context: Context, user: User, game: str | None) -> None:
    """Privately show a user's results on this server. Users also see their own puzzle ratings, which hold on all servers."""
    if game is not None:
        require_game(game)
    results = await context.core.service(Ratings).results(context.guild_id, user.id, asked_by=context.user.id, game=game)
    own = await context.core.service(Puzzles).ratings_of(user.id) if user.id == context.user.id else ()
    shown = await results_message(
        user, results, _server_name(context), context.language, high_contrast=context.settings.high_contrast,
        puzzles=[rating for rating in own if game in {None, rating.game}],
    )  # fmt: skip
    await context.reply.show(shown.buttons([leaderboard_button(context.language, game)]))


async def _leaderboard(context: Context, game: str, language: Language) -> MessageBuilder:
    """Return this server's leaderboard at a game or, if it is still empty, who is on the way to it."""
    require_game(game)
    ratings = context.core.service(Ratings)
    standings = await ratings.leaderboard(context.guild_id, game, ROWS_AT_MOST)
    if standings:
        return await leaderboard_message(game, standings, _server_name(context), language)
    return candidates_message(game, await ratings.candidates(context.guild_id, game, ROWS_AT_MOST), language)


@handles("leaderboard", tokens=Tokens((is_word,), least=0))
async def _show_leaderboard(context: Context, click: Click) -> None:
    """Show the user a game's leaderboard, which they may post, or ask which game's they want to see."""
    if not click.tokens:
        await context.reply.show(which_leaderboard(context.language))
        return
    (game,) = click.tokens
    message = await _leaderboard(context, game, context.language)
    post = [post_button(Click("post-leaderboard", tokens=(game,)), context.language)]
    await context.reply.show(message.buttons(post if hindrance(context, None) is None else []))


@handles("post-leaderboard", tokens=Tokens((is_word,)))
async def _post_leaderboard(context: Context, click: Click) -> None:
    """Post the leaderboard at a game in this channel, and remove the button that asked for it."""
    (game,) = click.tokens
    check_postable(context, None)
    message = await _leaderboard(context, game, await context.public_language())
    await context.reply.show(await _leaderboard(context, game, context.language))
    if not await context.reply.post(message):
        await context.complain(context.language(say("That didn’t reach the channel. Try again.")))


HANDLERS: Final = (_show_leaderboard, _post_leaderboard)


def _server_name(context: Context) -> str:
    guild = context.interaction.guild
    return guild.name if guild is not None else ""
