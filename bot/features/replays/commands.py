"""`/replay`, `/verify`, `/stats`, `/leaderboard`: looking back on games."""

from typing import Final

import discord
from discord import app_commands

from bot.core.listing import Lists
from bot.core.table.errors import Refused
from bot.features.ladders.handlers import show_ladder
from bot.features.sharing import handlers as results
from bot.interactions.context import Context, person, respond
from bot.interactions.games import game_choices
from bot.interactions.reply import Command, Interaction
from bot.interactions.tables import STARTED_GAMES, table_command, which_table
from bot.messages.click import Click
from engines.text import say
from storage.schema.records import Status

STARTED = (Status.PLAYING, Status.FINISHED)


@table_command("replay", description="Watch a game again from the start", games=STARTED_GAMES)
@app_commands.describe(shape="Animation and log, or just the log", public="Show it to everybody here")
@app_commands.rename(shape="format")
@app_commands.choices(
    shape=[
        app_commands.Choice(name="animation and log", value="animation"),
        app_commands.Choice(name="just the log", value=results.LOG),
    ]
)
async def replay(context: Context, game: str | None = None, shape: str = "animation", public: bool = False) -> None:
    """Show a game as an animation and as a log."""
    ask = Click("replay", tokens=(results.LOG,) if shape == results.LOG else ())
    table_id = await _started_table(context, game, ask, may_ask=not public)
    await results.show_replay(context, table_id, animated=shape != results.LOG, public=public)


@table_command("verify", description="Check that a game was fair", games=STARTED_GAMES)
async def verify(context: Context, game: str | None = None) -> None:
    """Show the seed, its hash, and whether the replayed game ends in the same way."""
    await results.show_verdict(context, await _started_table(context, game, Click("verify"), may_ask=True))


@app_commands.command(name="stats", description="See wins, losses and ratings")
@app_commands.guild_only()
@app_commands.describe(user="Whose? Yours if you leave it empty", game="Just this game")
@app_commands.choices(game=game_choices())
async def stats(interaction: Interaction, user: discord.User | None = None, game: str | None = None) -> None:
    """Show the results of a user on this server."""
    async with respond(interaction) as context:
        await results.show_results(context, context.user if user is None else person(user), game)


@app_commands.command(name="leaderboard", description="See the best players here")
@app_commands.guild_only()
@app_commands.describe(game="Which game")
@app_commands.choices(game=game_choices())
async def leaderboard(interaction: Interaction, game: str) -> None:
    """Show the leaderboard of this server at a game to everybody."""
    async with respond(interaction, public=True) as context:
        await results.show_leaderboard(context, game)


@app_commands.command(name="ladder", description="See the ladder of a game, and challenge people on it")
@app_commands.guild_only()
@app_commands.describe(game="Which game")
@app_commands.choices(game=game_choices())
async def ladder(interaction: Interaction, game: str) -> None:
    """Show the user the ladder of this server at a game."""
    async with respond(interaction) as context:
        await show_ladder(context, game)


async def _started_table(context: Context, named: str | None, ask: Click, *, may_ask: bool) -> int:
    """Return the table to look back on: the one that was named, else the user's own in this channel, else the newest there.

    Raises:
        Refused: there is no such game, or there are several and the user may not be asked because everybody would see it.
        Answered: there are several; the user has been asked which one.
    """
    if named is None:
        channel = context.interaction.channel_id
        own = await context.core.tables(
            guild_id=context.guild_id, channel_id=channel, user_id=context.user.id, statuses=(Status.PLAYING,)
        )
        if len(own) > 1 and not may_ask:
            raise Refused(say("There’s more than one game here. Name one with the option `game`."))
        if not own:
            lists = context.core.service(Lists)
            started = lists.summaries(
                guild_id=context.guild_id, channel_id=channel, seen_by=context.user.id, statuses=STARTED, limit=100
            )
            found = [summary async for summary in started]
            if not found:
                raise Refused(say("No games in this channel yet. See `/games`, or start one with `/play`."))
            named = str(found[0].table.id)
    return await which_table(context, named, ask)


COMMANDS: Final[tuple[Command, ...]] = (replay, verify, stats, leaderboard, ladder)
