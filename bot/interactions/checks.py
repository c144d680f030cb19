"""Where the answer to a user's request is posted, whether games may be played there, and who could see it."""

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
    """A channel or thread (such as a forum post) that takes messages. `has_threads` is only true of a text channel."""

    id: int
    in_thread: bool
    has_threads: bool


def place_here(interaction: Interaction) -> Place:
    """Return the place where a command or click was made, for anything that belongs there, such as a table."""
    channel = interaction.channel
    in_thread, has_threads = isinstance(channel, discord.Thread), isinstance(channel, discord.TextChannel)
    return Place(interaction.channel_id or 0, in_thread, has_threads)


def place_for_everybody(interaction: Interaction) -> Place:
    """Return the place for what concerns a whole server: this channel, a thread's text channel, or a forum's thread itself."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread) and isinstance(channel.parent, discord.TextChannel):
        return Place(channel.parent.id, in_thread=False, has_threads=True)
    return place_here(interaction)


def in_own_thread(interaction: Interaction, wanted: bool) -> bool:
    """Whether a table gets a thread of its own. It does if one is wanted and can be opened here."""
    return wanted and place_here(interaction).has_threads


def check_manager(interaction: Interaction) -> None:
    """Raise Refused unless the user manages the server. Discord hides such commands only by default."""
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
    """Fetch the member whose id came with a click. Raises Refused if they are not on the server."""
    guild = context.interaction.guild
    if guild is None:
        raise Refused(say("Games are played on a server. Try again there."))
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound as error:
        raise Refused(say("They’re not on this server any more.")) from error


def check_permissions(interaction: Interaction, place: Place, *, thread: bool, answered: bool = False) -> None:
    """Raise Refused if the bot lacks a permission in a place, which is the current channel or thread, or the thread's channel.

    Call it before anything is opened. Permissions in a thread include those in its channel. `thread` says whether the bot opens
    a thread there, and `answered` whether it posts only in that thread, since the command's answer is the first message.
    """
    held, lacking = interaction.app_permissions, list[Text]()
    if not (thread and answered):
        lacking += missing_permissions(held, in_thread=place.in_thread)
    if thread:
        lacking += [one for one in missing_permissions(held, in_thread=True, opens="public") if one not in lacking]
    _refuse_lacking(lacking, interaction, place.id)


def check_private(interaction: Interaction) -> int:
    """Return the id of the channel for a private thread, before anything is opened. Raises Refused if there is none."""
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
    """Raise Refused if the server does not allow tables in this channel. For a thread, its channel is checked too."""
    channel = interaction.channel
    here = {interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None}
    if server.channels and not here & set(server.channels):
        where = join([plain(f"<#{allowed}>") for allowed in server.channels], ", ")
        raise Refused(say("Games on this server are played in {where}.", where=where))


def parent_of(interaction: Interaction) -> discord.TextChannel | None:
    """Return the text channel in which to open a private thread: this one, or this thread's. None if there is none."""
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    return channel if isinstance(channel, discord.TextChannel) and not channel.is_news() else None


async def check_seen(context: Context, channel_id: int, people: Sequence[User]) -> None:
    """Raise Refused if any of these people cannot see a channel or thread. Call it before they are asked to play there."""
    ids = [user.id for user in people if user.id != context.user.id]
    unseen = await context.core.audience.who_cannot_see(context.guild_id, channel_id, ids)
    if unseen:
        raise Refused(unseen_words(unseen, {user.id: user.name for user in people}, channel_id))


async def check_newcomer(context: Context, table: Table, newcomer: User) -> None:
    """Raise Refused if a newcomer could not see where a game is played. To a private game's thread, they will be added."""
    place = table.channel_id if table.private else table.thread_id or table.channel_id
    guild = context.interaction.guild
    known = None if guild is None else guild.get_channel_or_thread(place)
    if table.private and isinstance(known, discord.Thread):
        place = known.parent_id
    await check_seen(context, place, [newcomer])
