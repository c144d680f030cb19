"""Checks: whether games may be played in a channel, who could see a private thread, and who manages the server."""

from collections.abc import Sequence

import discord

from bot.interactions.answering.reply import Interaction
from bot.messages.builder import escape_name
from bot.outbox.delivery.permissions import missing_permissions
from bot.sessions.record.errors import Refused
from bot.sessions.table.settings import ServerSettings
from engines.text import Text, join, plain, say
from storage.schema.records import Table


def in_own_thread(interaction: Interaction, wanted: bool) -> bool:
    """Whether a table gets a thread of its own: if one is wanted, unless the table is opened in a thread."""
    return wanted and not isinstance(interaction.channel, discord.Thread)


def check_manager(interaction: Interaction) -> None:
    """Raise Refused unless the user manages the server. Discord only hides the commands for that by default."""
    if not interaction.permissions.manage_guild:
        raise Refused(say("You need the permission Manage Server for that."))


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


# --- private threads ------------------------------------------------------------------------------------------------------


def parent_of(interaction: Interaction) -> discord.TextChannel | None:
    """Return the text channel in which a private thread would be made: this one, or that of this thread; None for others."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return channel if isinstance(channel, discord.TextChannel) and not channel.is_news() else None


def knows_roles(guild: discord.Guild) -> bool:
    """Whether permissions on a server can be computed.

    For a moment after the bot has taken over the connection of another process, they cannot. Then a lack of permissions
    shows only when the thread is made.
    """
    return guild.default_role is not None  # contrary to its type: of a server that is known by its id alone


def check_newcomer(interaction: Interaction, table: Table, member: discord.Member) -> None:
    """Raise Refused if a newcomer to a private game could not see its thread."""
    guild = interaction.guild
    if not table.private or guild is None:
        return
    place = guild.get_channel_or_thread(table.thread_id or table.channel_id) or guild.get_channel_or_thread(table.channel_id)
    channel = place.parent if isinstance(place, discord.Thread) else place
    if isinstance(channel, discord.TextChannel):
        check_sees(channel, member)


def check_sees(channel: discord.TextChannel, member: discord.Member) -> None:
    """Raise Refused if a member could not see a private thread of a channel, because they do not see the channel."""
    if knows_roles(channel.guild) and not channel.permissions_for(member).view_channel:
        raise Refused(say("{who} can’t see {where}, so they couldn’t see a private game there either.",
                          who=plain(escape_name(member.display_name)), where=f"<#{channel.id}>"))  # fmt: skip
