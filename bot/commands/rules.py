"""`/rules`, `/help`: pages to read."""

import discord
from discord import app_commands

from bot.interactions.context import Responder
from bot.interactions.reply import Command, Interaction
from bot.messages import pages
from engines import GAMES


class Reading:
    """The commands that explain."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def register(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        """Add the commands to the tree."""
        tree.add_command(self._rules())
        tree.add_command(self._help())

    def _rules(self) -> Command:
        @app_commands.command(name="rules", description="How a game is played")
        @app_commands.guild_only()
        @app_commands.describe(game="Which game")
        @app_commands.choices(game=[app_commands.Choice(name=game.title, value=game.id) for game in GAMES.values()])
        async def rules(interaction: Interaction, game: str) -> None:
            async with self._responder.answer(interaction) as context:
                await context.reply.show(await pages.rules_message(game, 0, context.language))

        return rules

    def _help(self) -> Command:
        @app_commands.command(name="help", description="What this bot can do")
        @app_commands.guild_only()
        async def help_(interaction: Interaction) -> None:
            async with self._responder.answer(interaction) as context:
                await context.reply.show(pages.help_message(context.language))

        return help_
