"""Where a user's request is posted, and checks: whether games may be played there, and who could see it."""

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from bot.core.table.errors import Refused
from bot.core.table.settings import ServerSettings
from bot.core.table.snapshot import User
from bot.interactions.context import Context
from bot.interactions.reply import Interaction
from bot.messages.builder import escape_name
from bot.messages.unseen import unseen_words
from bot.outbox.members import knows_roles
from bot.outbox.permissions import missing_permissions
from engines.text import Text, join, plain, say
from storage.schema.records import Table


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or thread (such as a forum post) that takes messages, and whether threads can be opened in it."""

    id: int
    in_thread: bool
    has_threads: bool


def place_here(interaction: Interaction) -> Place:
    """Return where a command or click was made, for what belongs there, such as a table."""
    channel = interaction.channel
    in_thread, has_threads = isinstance(channel, discord.Thread), isinstance(channel, discord.TextChannel)
    return Place(interaction.channel_id or 0, in_thread, has_threads)


def place_for_everybody(interaction: Interaction) -> Place:
    """Where a whole server's concern is posted: this channel, or a thread's text channel (a forum takes no messages)."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread) and isinstance(channel.parent, discord.TextChannel):
        return Place(channel.parent.id, in_thread=False, has_threads=True)
    return place_here(interaction)


def in_own_thread(interaction: Interaction, wanted: bool) -> bool:
    """Whether a table gets a thread of its own: it is wanted, and opened where threads can be."""
    return wanted and place_here(interaction).has_threads


def check_manager(interaction: Interaction) -> None:
    """Raise Refused unless the user manages the server. Discord only hides such commands by default."""
    if not interaction.permissions.manage_guild:
        raise Refused(say("You need the Manage Server permission for that."))


def check_players(invited: Sequence[discord.Member], interaction: Interaction) -> None:
    """Raise Refused if the user wants to play with bots, or with themselves."""
    for member in invited:
        if member.bot:
            raise Refused(say("{name} is a bot. Bots don’t play here.", name=plain(escape_name(member.display_name))))
        if member.id == interaction.user.id:
            raise Refused(say("You’re already in. Invite somebody else!"))


async def fetch_member(context: Context, user_id: int) -> discord.Member:
    """Fetch a member whom a click names by id. Raises Refused if they are not on the server."""
    guild = context.interaction.guild
    if guild is None:
        raise Refused(say("Games are played on a server. Try again there."))
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound as error:
        raise Refused(say("They’re not on this server any more.")) from error


def check_permissions(interaction: Interaction, place: Place, *, thread: bool, answered: bool = False) -> None:
    """Raise Refused, before anything is opened, if the bot lacks a permission in a place: this one, or its channel.

    Permissions in a thread include those in its channel. `thread` says whether it opens a thread there, and `answered` whether
    it posts only in that, as the command's answer is the first message.
    """
    held, lacking = interaction.app_permissions, list[Text]()
    if not (thread and answered):
        lacking += missing_permissions(held, in_thread=place.in_thread)
    if thread:
        lacking += [one for one in missing_permissions(held, in_thread=True, opens="public") if one not in lacking]
    _refuse_lacking(lacking, interaction, place.id)


def check_private(interaction: Interaction) -> int:
    """Return the id of the channel for a private game's thread. Raises Refused, before anything is opened, if there is none."""
    channel = parent_of(interaction)
    if channel is None:
        raise Refused(say("Private games are played in a private thread. Open yours in a text channel."))
    if knows_roles(channel.guild):
        held = channel.permissions_for(channel.guild.me)
        _refuse_lacking(missing_permissions(held, in_thread=True, opens="private"), interaction, channel.id)
    return channel.id


def _refuse_lacking(lacking: list[Text], interaction: Interaction, place_id: int) -> None:
    if lacking and place_id == interaction.channel_id:
        raise Refused(say("I can’t run a game here. I still need: {missing}.", missing=join(lacking, ", ")))
    if lacking:
        raise Refused(say("I’d have to post in {where}, but I can’t. I still need: {missing}.", where=f"<#{place_id}>",
                          missing=join(lacking, ", ")))  # fmt: skip


def check_channel(server: ServerSettings, interaction: Interaction) -> None:
    """Raise Refused if the server does not allow tables in this channel. A thread counts as its channel."""
    channel = interaction.channel
    here = {interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None}
    if server.channels and not here & set(server.channels):
        where = join([plain(f"<#{allowed}>") for allowed in server.channels], ", ")
        raise Refused(say("Games on this server are played in {where}.", where=where))


def parent_of(interaction: Interaction) -> discord.TextChannel | None:
    """Return the text channel for a private thread: this one, or that of this thread; None for others."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return channel if isinstance(channel, discord.TextChannel) and not channel.is_news() else None


async def check_seen(context: Context, channel_id: int, people: Sequence[User]) -> None:
    """Raise Refused if one of these people cannot see a channel or thread, before they are asked to play there."""
    ids = [user.id for user in people if user.id != context.user.id]
    unseen = await context.core.audience.who_cannot_see(context.guild_id, channel_id, ids)
    if unseen:
        raise Refused(unseen_words(unseen, {user.id: user.name for user in people}, channel_id))


async def check_newcomer(context: Context, table: Table, newcomer: User) -> None:
    """Raise Refused if a newcomer could not see where a game is played. They are let into a private game's thread."""
    place = table.channel_id if table.private else table.thread_id or table.channel_id
    guild = context.interaction.guild
    known = None if guild is None else guild.get_channel_or_thread(place)
    if table.private and isinstance(known, discord.Thread):
        place = known.parent_id
    await check_seen(context, place, [newcomer])
