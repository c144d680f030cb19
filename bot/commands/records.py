"""`/replay`, `/verify`, `/stats`, `/leaderboard`: what has become of games."""

from contextlib import suppress

import discord
from discord import app_commands

from bot.commands.tables import AskedWhich, which_table
from bot.errors import Refused
from bot.front import Counter, Front, person
from bot.sessions import Glance, Sessions
from bot.ui import records
from bot.ui.click import Click
from bot.ui.reply import Command, Interaction
from bot.ui.sheet import clipped
from engines import GAMES
from engines.words import say
from storage.records import Status

GAME_CHOICES = [app_commands.Choice(name=game.title, value=game.id) for game in GAMES.values()]
BEGUN = (Status.PLAYING, Status.FINISHED)


class Records:
    """The commands that look back."""

    def __init__(self, front: Front) -> None:
        self._front = front

    def register(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        """Add the commands to the tree."""
        for command in (self._replay(), self._verify()):
            command.autocomplete("game")(self._tables)
            tree.add_command(command)
        tree.add_command(self._stats())
        tree.add_command(self._leaderboard())

    async def _tables(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games of this server that have begun, those of this channel first."""
        if interaction.guild_id is None:
            return []
        glances = await _begun(self._front.sessions, interaction.guild_id, interaction.user.id)
        here = interaction.channel_id
        lang, choices = await self._front.private_language(interaction), []
        for glance in sorted(glances, key=lambda glance: here not in {glance.table.channel_id, glance.table.thread_id}):
            label = f"#{glance.table.id} {lang(GAMES[glance.table.game].title)}: {', '.join(map(lang, glance.names))}"
            if current.lower() in label.lower():
                choices.append(app_commands.Choice(name=clipped(label, 100), value=str(glance.table.id)))
        return choices[:25]

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
            async with self._front.answer(interaction, public=public) as counter:
                with suppress(AskedWhich):
                    ask = Click("replay", tokens=(records.LOG,) if shape == records.LOG else ())
                    glance = await begun_table(counter, game, ask, may_ask=not public)
                    await records.show_replay(counter, glance.table.id, animated=shape != records.LOG, public=public)

        return replay

    def _verify(self) -> Command:
        @app_commands.command(name="verify", description="Check that a game was fair")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if there are several here")
        async def verify(interaction: Interaction, game: str | None = None) -> None:
            async with self._front.answer(interaction) as counter:
                with suppress(AskedWhich):
                    glance = await begun_table(counter, game, Click("verify"), may_ask=True)
                    await records.show_verdict(counter, glance.table.id)

        return verify

    def _stats(self) -> Command:
        @app_commands.command(name="stats", description="See results and ratings")
        @app_commands.guild_only()
        @app_commands.describe(user="Whose; yours, if you name nobody", game="At which game only")
        @app_commands.choices(game=GAME_CHOICES)
        async def stats(interaction: Interaction, user: discord.User | None = None, game: str | None = None) -> None:
            async with self._front.answer(interaction) as counter:
                await records.show_results(counter, counter.user if user is None else person(user), game)

        return stats

    def _leaderboard(self) -> Command:
        @app_commands.command(name="leaderboard", description="See the best of this server")
        @app_commands.guild_only()
        @app_commands.describe(game="At which game")
        @app_commands.choices(game=GAME_CHOICES)
        async def leaderboard(interaction: Interaction, game: str) -> None:
            async with self._front.answer(interaction, public=True) as counter:
                await records.show_leaderboard(counter, game)

        return leaderboard


async def begun_table(counter: Counter, named: str | None, ask: Click, *, may_ask: bool) -> Glance:
    """The game that is looked back on: the one that was named; else the person's own in this channel; else the newest here.

    Raises:
        Refused: there is no such game; or there are several, and nobody may be asked because everybody would see it.
        AskedWhich: there are several; the person has been asked.
    """
    if named is None:
        channel = counter.interaction.channel_id
        own = await counter.sessions.tables(
            guild_id=counter.guild_id, channel_id=channel, user_id=counter.user.id, statuses=(Status.PLAYING,)
        )
        if len(own) > 1 and not may_ask:
            raise Refused(say("There are several games here. Say with `game` which one you mean."))
        if not own:
            found = await _begun(counter.sessions, counter.guild_id, counter.user.id, channel)
            if not found:
                raise Refused(say("No game has been played in this channel. `/games` shows where there are some."))
            named = str(found[0].table.id)
    return await which_table(counter, named, ask)


async def _begun(sessions: Sessions, guild_id: int, user_id: int, channel_id: int | None = None) -> list[Glance]:
    """The newest games of a server or a channel that have begun, as far as somebody may look at them; without their logs."""
    tables = await sessions.tables(guild_id=guild_id, channel_id=channel_id, statuses=BEGUN, limit=100)
    async with sessions.desk.store.read() as reader:
        people = await reader.seats_of([table.id for table in tables])
    glances = [Glance(table, people[table.id]) for table in tables]
    return [glance for glance in glances if glance.open_to(user_id)]
