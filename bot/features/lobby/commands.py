"""`/play`, which opens a table at once or shows the panel in which one is set up."""

from typing import Final

import discord
from discord import app_commands

from bot.core.people import Users
from bot.features.computers.handlers import open_practice
from bot.features.computers.messages import practice_words
from bot.features.lobby.setup import Setup
from bot.features.lobby.setup_handlers import PANEL, open_table
from bot.features.playing.handlers import show_begun
from bot.interactions.checks import check_channel
from bot.interactions.context import respond
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import game_choices
from bot.messages.players import LEVEL_WORDS, read_level


@app_commands.command(name="play", description="Start a game")
@app_commands.guild_only()
@app_commands.describe(
    game="Which game",
    opponent="Invite somebody; everybody here sees it. Empty: choose how you play",
    computer="Against a computer, seen only by you: how strong it is",
)
@app_commands.choices(
    game=game_choices(), computer=[app_commands.Choice(name=str(label), value=level) for level, label in LEVEL_WORDS.items()]
)
async def play(
    interaction: Interaction, game: str | None = None, opponent: discord.Member | None = None, computer: str | None = None
) -> None:
    """Open a table with the usual settings if an opponent is named; otherwise show the set-up panel.

    A game against only a computer is for practice: nobody else sees it unless the user wants that.
    """
    invited = [] if opponent is None else [opponent]
    async with respond(interaction, public=bool(game and invited)) as context:
        level = None if computer is None else read_level(computer)
        setup = Setup(opponents=tuple(member.id for member in invited), computer=level)
        if game is None or not (invited or level is not None):
            check_channel(await context.core.service(Users).server(context.guild_id), interaction)
            await PANEL.show(context, setup if game is None else setup.with_game(game))
        elif invited:
            await open_table(context, setup.with_game(game), answered=True, known=invited)
        elif level is not None:
            snapshot = await open_practice(context, game, level)
            async with context.delivering(snapshot.table.id):
                await show_begun(context, snapshot, practice_words(snapshot, context.language))


COMMANDS: Final[tuple[Command, ...]] = (play,)
