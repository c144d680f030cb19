"""`/move`, `/hand`, `/resign`, `/draw`: playing."""

from contextlib import suppress
from dataclasses import replace

import discord
from discord import app_commands

from bot.commands.which_table import AskedWhich, table_choices, which_table
from bot.interactions import ending, looking, playing
from bot.interactions.context import Responder
from bot.interactions.reply import Command, Interaction
from bot.messages.board import names
from bot.messages.builder import clipped
from bot.messages.click import Click, TooLong
from bot.sessions import Snapshot
from storage.records import Status

CHOICES_AT_MOST = 25
CHOICE_LIMIT = 100
HIGHEST_TABLE = 10**10 - 1
"""A table's number as long as they will ever be, to see whether what was typed fits into a button."""


class Playing:
    """The commands of somebody who plays."""

    def __init__(self, responder: Responder) -> None:
        self._responder = responder

    def register(self, tree: app_commands.CommandTree[discord.Client]) -> None:
        """Add the commands to the tree."""
        for command in (self._move(), self._hand(), self._resign(), self._draw()):
            command.autocomplete("game")(self._games)
            tree.add_command(command)

    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await table_choices(self._responder, interaction, current, (Status.PLAYING,), own=True)

    def _move(self) -> Command:
        @app_commands.command(name="move", description="Play an action")
        @app_commands.guild_only()
        @app_commands.describe(action="What you do, word by word", game="Which table, if you play at several here")
        async def move(interaction: Interaction, action: str, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, self._typed(action))
                    played = await context.sessions.play.act(
                        snapshot.table.id, context.user, action, interaction_id=interaction.id
                    )
                    await playing.show_played(context, played)

        move.autocomplete("action")(self._actions)
        return move

    def _typed(self, action: str) -> Click:
        """The click that plays what was typed, once it is known at which table."""
        click = Click("typed", tokens=tuple(action.split()))
        try:
            _ = replace(click, table=HIGHEST_TABLE).custom_id
        except TooLong:
            return Click("move")
        return click

    async def _actions(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """How the action typed so far may go on. Nothing is offered to anybody but the player."""
        snapshot = await self._table_for(interaction)
        if snapshot is None or snapshot.table.status is not Status.PLAYING:
            return []
        seat = snapshot.viewpoint(interaction.user.id)
        if seat is None:
            return []
        history = snapshot.playing
        lang, who = await self._responder.private_language(interaction), names(snapshot)
        words = current.lower().split()
        typed = tuple(words) if current.endswith(" ") or not words else tuple(words[:-1])
        begun = "" if len(typed) == len(words) else words[-1]
        offered = []
        if typed and not begun and history.game.is_whole(history.state, seat, typed):
            offered.append(app_commands.Choice(name=" ".join(typed), value=" ".join(typed)))
        for choice in history.game.choices(history.state, seat, typed):
            if not choice.token.startswith(begun):
                continue
            value = " ".join((*typed, choice.token))
            label = lang(choice.label, who)
            name = value if label == choice.token else f"{value} – {label}"
            if not choice.final:
                name += " …"
            if len(value) <= CHOICE_LIMIT:
                offered.append(app_commands.Choice(name=clipped(name, CHOICE_LIMIT), value=value))
        return offered[:CHOICES_AT_MOST]

    async def _table_for(self, interaction: Interaction) -> Snapshot | None:
        """The table that a `/move` being typed is about, or None if that is not clear yet."""
        if interaction.guild_id is None:
            return None
        named = str(getattr(interaction.namespace, "game", "") or "").strip().lstrip("#")
        if named.isdecimal():
            found = [int(named)]
        else:
            tables = await self._responder.sessions.tables(
                guild_id=interaction.guild_id, channel_id=interaction.channel_id, user_id=interaction.user.id,
                statuses=(Status.PLAYING,),
            )  # fmt: skip
            found = [table.id for table in tables]
        return await self._responder.sessions.snapshot(found[0], interaction.guild_id) if len(found) == 1 else None

    def _hand(self) -> Command:
        @app_commands.command(name="hand", description="See what only you may know")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def hand(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, Click("hand"))
                    await looking.show_hand(context, snapshot.table.id)

        return hand

    def _resign(self) -> Command:
        @app_commands.command(name="resign", description="Give a game up")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def resign(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, Click("resign"))
                    await ending.ask_resign(context, snapshot.table.id)

        return resign

    def _draw(self) -> Command:
        @app_commands.command(name="draw", description="Offer a draw, or agree to one")
        @app_commands.guild_only()
        @app_commands.describe(game="Which table, if you play at several here")
        async def draw(interaction: Interaction, game: str | None = None) -> None:
            async with self._responder.answer(interaction) as context:
                with suppress(AskedWhich):
                    snapshot = await which_table(context, game, Click("draw"))
                    await ending.offer_draw(context, snapshot.table.id)

        return draw
