"""Checks: whether games may be played in a channel, who could see a private thread, and who manages the server."""

from collections.abc import Sequence

import discord

from bot.interactions.answering.context import Context
from bot.interactions.answering.reply import Interaction
from bot.messages.table.unseen import unseen_words
from bot.outbox.delivery.members import knows_roles
from bot.outbox.delivery.permissions import missing_permissions
from bot.sessions import User
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


def check_private(interaction: Interaction) -> int:
    """Return the id of the channel in which the thread of a private game is made: this one, or that of this thread.

    Raises Refused, before anything is opened, if it cannot be made there.
    """
    channel = parent_of(interaction)
    if channel is None:
        raise Refused(say("Private games are played in a private thread. Open yours in a text channel."))
    if knows_roles(channel.guild):
        _refuse_lacking(missing_permissions(channel.permissions_for(channel.guild.me), in_thread=True, opens="private"))
    return channel.id


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


# --- who sees it ----------------------------------------------------------------------------------------------------------


async def check_seen(context: Context, channel_id: int, people: Sequence[User]) -> None:
    """Raise Refused if one of these people cannot see a channel or thread, before they are asked to play there."""
    ids = [user.id for user in people if user.id != context.user.id]
    unseen = await context.sessions.audience.who_cannot_see(context.guild_id, channel_id, ids)
    if unseen:
        raise Refused(unseen_words(unseen, {user.id: user.name for user in people}, channel_id))


async def check_newcomer(context: Context, table: Table, newcomer: User) -> None:
    """Raise Refused if a newcomer to a game could not see where it is played. They are let into the thread of a private one."""
    place = table.channel_id if table.private else table.thread_id or table.channel_id
    guild = context.interaction.guild
    known = None if guild is None else guild.get_channel_or_thread(place)
    if table.private and isinstance(known, discord.Thread):
        place = known.parent_id
    await check_seen(context, place, [newcomer])
