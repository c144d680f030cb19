"""The tree of all commands. It answers the commands that discord.py cannot carry out, so that nobody waits in vain.

Commands answer their own errors. The tree deals with commands of earlier versions, with options that name people who are not on
the server, and with discord.py's errors.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import discord
import structlog
from discord import app_commands
from discord.app_commands import AppCommandContext, AppInstallationType

from bot.core.table.audience import Unseen
from bot.core.table.errors import Refused
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import suggest_nothing
from bot.messages.former_commands import instead_of
from bot.messages.unseen import unseen_words
from engines.text import say

_CONTAINERS: Final = {discord.AppCommandOptionType.subcommand.value, discord.AppCommandOptionType.subcommand_group.value}

_OUTDATED: Final = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch, app_commands.TransformerError)
"""The errors of discord.py for a command that does not match what Discord has sent."""


log = structlog.get_logger(__name__)


class Tree(app_commands.CommandTree[Any]):
    """The commands of a `Springboard`, for servers that have the bot."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__(
            client, allowed_contexts=AppCommandContext(guild=True), allowed_installs=AppInstallationType(guild=True)
        )

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether to carry out a command. It must be delivered for the first time, and match the command last registered.

        discord.py ignores options that a command does not have, so people would get something other than what they asked for.
        """
        self.client.note_members(interaction)
        if not self.client.is_new(interaction):
            return False
        if not _is_outdated(interaction):
            return True
        await self._answer(interaction, _outdated(interaction))
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer a failed command. For example, Discord lets people name somebody in a command who is not on the server."""
        if isinstance(error, app_commands.TransformerError) and isinstance(error.value, discord.User):
            who = error.value
            await self._answer(interaction, Refused(unseen_words({who.id: Unseen.LEFT}, {who.id: who.display_name})))
        elif isinstance(error, _OUTDATED):
            await self._answer(interaction, _outdated(interaction))
        else:
            await self._answer(interaction, error.original if isinstance(error, app_commands.CommandInvokeError) else error)

    async def _answer(self, interaction: Interaction, error: Exception) -> None:
        """Tell the user privately about an error. Autocompletions get no suggestions, and a stopped bot says nothing."""
        if self.client.is_closed():
            log.info("command cut off", error=repr(error))
            return
        if interaction.type is discord.InteractionType.autocomplete:
            await suggest_nothing(interaction)
            return
        async with self.client.responder.answer(interaction):
            raise error


def _outdated(interaction: Interaction) -> Refused:
    """Return the error for a command that has changed or was removed. For a removed command, it names the replacement."""
    data: Mapping[str, Any] = interaction.data or {}
    name = " ".join([str(data.get("name", "")), *_subcommands(data.get("options", []))])
    if (way := instead_of(name)) is not None:
        return Refused(way)
    return Refused(
        say("I’ve been updated, but your Discord still shows the old version of this command. Restart Discord, then try again.")
    )


def _is_outdated(interaction: Interaction) -> bool:
    """Whether a command has an option that is unknown, has another type, or has no suggestions though they are asked for."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return False  # discord.py reports a missing command itself, and menus have no options
    known = {parameter.display_name: parameter for parameter in command.parameters}
    data: Mapping[str, Any] = interaction.data or {}
    for option in _given(data.get("options", [])):
        parameter = known.get(option["name"])
        if (
            parameter is None
            or parameter.type.value != option["type"]
            or (option.get("focused") and not parameter.autocomplete)
        ):
            return True
    return False


def _subcommands(options: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of the groups and of the subcommand that were used."""
    for option in options:
        if option.get("type") in _CONTAINERS:
            yield str(option["name"])
            yield from _subcommands(option.get("options", []))


def _given(options: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for option in options:
        if option.get("type") in _CONTAINERS:
            yield from _given(option.get("options", []))
        else:
            yield option
