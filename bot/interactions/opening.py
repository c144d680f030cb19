"""What is checked before a table is opened: whether games may be played in a channel, and whether the bot can run one there."""

from collections.abc import Sequence

import discord

from bot.interactions.private_thread import check_sees, knows_roles, parent_of
from bot.interactions.reply import Interaction
from bot.outbox.permissions import missing_permissions
from bot.sessions.errors import Refused
from bot.sessions.settings import ServerSettings
from engines.text import Text, join, plain, say


def in_own_thread(interaction: Interaction, wanted: bool) -> bool:
    """Whether a table is played in a thread of its own, if that is wanted: not where it is opened in a thread."""
    return wanted and not isinstance(interaction.channel, discord.Thread)


def check_permissions(interaction: Interaction, *, thread: bool) -> None:
    """Raise Refused, before anything is opened, if the bot lacks a permission here."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    opens = "public" if thread else None
    _refuse_lacking(missing_permissions(interaction.app_permissions, in_thread=in_thread or thread, opens=opens))


def check_private(interaction: Interaction, invited: Sequence[discord.Member]) -> None:
    """Raise Refused, before anything is opened, if a private game cannot be played here by these people.

    Its thread is made in the channel; of a thread, in the channel that it belongs to.
    """
    channel = parent_of(interaction)
    if channel is None:
        raise Refused(say("Private games are played in a private thread. Open yours in a text channel."))
    if knows_roles(channel.guild):
        _refuse_lacking(missing_permissions(channel.permissions_for(channel.guild.me), in_thread=True, opens="private"))
    for member in invited:
        check_sees(channel, member)


def _refuse_lacking(lacking: list[Text]) -> None:
    if lacking:
        raise Refused(say("I can’t run a game here. I still need: {missing}.", missing=join(lacking, ", ")))


def check_channel(server: ServerSettings, interaction: Interaction) -> None:
    """Raise Refused if the server does not allow tables in this channel. A thread counts as its channel."""
    channel = interaction.channel
    here = {interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None}
    if server.channels and not here & set(server.channels):
        where = join([plain(f"<#{allowed}>") for allowed in server.channels], ", ")
        raise Refused(say("Games on this server are played in {where}.", where=where))
