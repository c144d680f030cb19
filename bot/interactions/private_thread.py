"""Private threads, as far as has to be known before something is done: where they are made, and who could see them."""

import discord

from bot.interactions.reply import Interaction
from bot.messages.builder import escaped
from bot.sessions.errors import Refused
from engines.text import plain, say
from storage.records import Table


def parent_of(interaction: Interaction) -> discord.TextChannel | None:
    """The text channel in which a private thread would be made: this one, or the one that this thread belongs to."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return channel if isinstance(channel, discord.TextChannel) and not channel.is_news() else None


def knows_roles(guild: discord.Guild) -> bool:
    """Whether permissions on a server can be computed.

    For a moment after the bot has taken over the connection of another process, they cannot. What Discord refuses then comes
    out when the thread is made.
    """
    return guild.default_role is not None  # contrary to its type: of a server that is known by its id alone


def check_newcomer(interaction: Interaction, table: Table, member: discord.Member) -> None:
    """Raise Refused if somebody is to join a private game and could not see its thread."""
    guild = interaction.guild
    if not table.private or guild is None:
        return
    place = guild.get_channel_or_thread(table.thread_id or table.channel_id) or guild.get_channel_or_thread(table.channel_id)
    channel = place.parent if isinstance(place, discord.Thread) else place
    if isinstance(channel, discord.TextChannel):
        check_sees(channel, member)


def check_sees(channel: discord.TextChannel, member: discord.Member) -> None:
    """Raise Refused if somebody could not see a private thread in a channel, because they do not see the channel."""
    if knows_roles(channel.guild) and not channel.permissions_for(member).view_channel:
        raise Refused(say("{who} can’t see {where}, so they couldn’t see a private game there either.",
                          who=plain(escaped(member.display_name)), where=f"<#{channel.id}>"))  # fmt: skip
