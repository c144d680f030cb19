"""`/replay`, `/verify`, `/stats`, `/leaderboard`: what has become of games."""

from contextlib import suppress

import discord
from discord import app_commands

from bot.commands.which_table import AskedWhich, table_choices, which_table
from bot.interactions import records
from bot.interactions.context import Context, Responder, person
from bot.interactions.reply import Command, Interaction
from bot.messages.click import Click
from bot.sessions import Snapshot
from bot.sessions.errors import Refused
from engines import GAMES
from engines.text import say
from storage.records import Status

GAME_CHOICES = [app_commands.Choice(name=game.title, value=game.id) for game in GAMES.values()]
BEGUN = (Status.PLAYING, Status.FINISHED)


class Records:
    """The commands that look back."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def register(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        """Add the commands to the tree."""
        for command in (self._replay(), self._verify()):
            command.autocomplete("game")(self._tables)
            tree.add_command(command)
        tree.add_command(self._stats())
        tree.add_command(self._leaderboard())

    async def _tables(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._responder, interaction, current, BEGUN, own=False)

    def _replay(self) -> Command:
        @app_commands.command(name="replay", description="See a game again from its beginning")
        @app_commands.guild_only()
        @app_commands.describe(
            game="Which table, if there are several here",
            shape="An animation and the log, or the log alone",
            public="Whether to show it to everybody here",
        )
        @app_commands.rename(shape="format")
        @app_commands.choices(
            shape=[
                app_commands.Choice(name="animation and log", value="animation"),
                app_commands.Choice(name="log alone", value=records.LOG),
            ]
        )
        async def replay(
            interaction: Interaction, game: str | None = None, shape: str = "animation", public: bool = False
        ) -> None:
            async with self._responder.answer(interaction, public=public) as context:
                with suppress(AskedWhich):
                    ask = Click("replay", tokens=(records.LOG,) if shape == records.LOG else ())
                    snapshot = await begun_table(context, game, ask, may_ask=not public)
                    await records.show_replay(context, snapshot.table.id, animated=shape != records.LOG, public=public)

        return replay

    def _verify(self) -> Command:
        @app_commands.command(name="verify", description="Check that a game was fair")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if there are several here")
        async def verify(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await begun_table(context, game, Click("verify"), may_ask=True)
                    await records.show_verdict(context, snapshot.table.id)

        return verify

    def _stats(self) -> Command:
        @app_commands.command(name="stats", description="See results and ratings")
        @app_commands.guild_only()
        @app_commands.describe(user="Whose; yours, if you name nobody", game="At which game only")
        @app_commands.choices(game=GAME_CHOICES)
        async def stats(interaction: Interaction, user: discord.User | None = None, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                await records.show_results(context, context.user if user is None else person(user), game)

        return stats

    def _leaderboard(self) -> Command:
        @app_commands.command(name="leaderboard", description="See the best of this server")
        @app_commands.guild_only()
        @app_commands.describe(game="At which game")
        @app_commands.choices(game=GAME_CHOICES)
        async def leaderboard(interaction: Interaction, game: str) -> None:
            async with self._responder.answer(interaction, public=True) as context:
                await records.show_leaderboard(context, game)

        return leaderboard


async def begun_table(context: Context, named: str | None, ask: Click, *, may_ask: bool) -> Snapshot:
    """The game that is looked back on: the one that was named; else the person's own in this channel; else the newest here.

    Raises:
        Refused: there is no such game; or there are several, and nobody may be asked because everybody would see it.
        AskedWhich: there are several; the person has been asked.
    """
    if named is None:
        channel = context.interaction.channel_id
        own = await context.sessions.tables(
            guild_id=context.guild_id, channel_id=channel, user_id=context.user.id, statuses=(Status.PLAYING,)
        )
        if len(own) > 1 and not may_ask:
            raise Refused(say("There are several games here. Say with `game` which one you mean."))
        if not own:
            found = await context.sessions.outlines(
                guild_id=context.guild_id, channel_id=channel, seen_by=context.user.id, statuses=BEGUN, limit=100
            )
            if not found:
                raise Refused(say("No game has been played in this channel. `/games` shows where there are some."))
            named = str(found[0].table.id)
    return await which_table(context, named, ask)
