"""The posts of servers: choosing them, and pressing on them."""

from collections.abc import Callable
from typing import Final

import discord

from bot.core.core import Core
from bot.core.table.errors import Refused
from bot.core.table.settings import ZONE
from bot.features.posts.jobs import role_of
from bot.features.posts.messages import Contents
from bot.features.posts.service import Posts
from bot.features.posts.settings import post_words
from bot.interactions.context import Context
from bot.interactions.time_zones import time_zone_called
from bot.messages.builder import MessageBuilder
from bot.outbox.members import knows_roles
from bot.outbox.permissions import held_by_bot, missing_permissions
from engines.text import Text, join, say
from storage.schema.records import Post, PostKind

HOUR: Final = 9
"""The hour at which a post is made unless another one is chosen."""

EVERY_DAY: Final = -1
"""The choice of a post each day, in the place of a day of the week."""


async def choose_post(
    context: Context,
    kind: PostKind,
    channel: discord.TextChannel | None,
    hour: int | None,
    zone: str | None,
    role: discord.Role | None,
    weekday: int | None = None,
    posts: Callable[[Core], Posts] = Posts,
) -> None:
    """Have a post made, and show what is chosen. What is None stays as it was, except that no role is mentioned.

    Raises Refused if it cannot be made there.

    Args:
        context: the command.
        kind: the kind of post.
        channel: where it is made.
        hour: at which hour of the day.
        zone: in which time zone.
        role: the role that is mentioned.
        weekday: on which day of the week, 0 for Monday, or `EVERY_DAY`.
        posts: the service that has the posts of this kind.
    """
    known = await context.core.service(posts).get(context.guild_id, kind)
    channel_id = channel.id if channel is not None else None if known is None else known.channel_id
    if channel_id is None:
        raise Refused(say("Pick a channel with the option `channel`."))
    if zone is not None:
        zone = await time_zone_called(zone)
    await _check_place(context, channel_id, role)
    chosen = weekday if weekday is not None or known is None else known.weekday
    post = await context.core.service(posts).choose(
        context.guild_id, kind, channel_id=channel_id,
        hour=hour if hour is not None else HOUR if known is None else known.hour,
        zone=zone if zone is not None else ZONE if known is None else known.zone,
        role_id=None if role is None else role.id,
        weekday=None if chosen == EVERY_DAY else chosen,
    )  # fmt: skip
    await _show(context, kind, post)


async def choose_none(context: Context, kind: PostKind, posts: Callable[[Core], Posts] = Posts) -> None:
    """Have a post made no more, and show that."""
    await _show(context, kind, await context.core.service(posts).switch_off(context.guild_id, kind))


async def _check_place(context: Context, channel_id: int, role: discord.Role | None) -> None:
    """Raise Refused if the bot cannot post in a channel, or if the bot or the user cannot mention a role there."""
    if role is not None and not role.mentionable and not context.interaction.permissions.mention_everyone:
        raise Refused(say("Not everybody can mention {role}. To have me mention it, you need the permission Mention Everyone.",
                          role=f"<@&{role.id}>"))  # fmt: skip
    guild = context.interaction.guild
    if guild is None or not knows_roles(guild):
        return  # for a moment nobody knows; then a lack shows when it is posted
    channel = await _channel(guild, channel_id)
    if channel is None:
        raise Refused(say("I can’t see {where}, or it’s gone. Pick another channel.", where=f"<#{channel_id}>"))
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused(say("{where} takes no messages, only posts. Pick another channel.", where=f"<#{channel_id}>"))
    held = held_by_bot(channel)
    if lacking := missing_permissions(held, in_thread=isinstance(channel, discord.Thread)):
        raise Refused(say("I can’t post in {where}. I still need: {missing}.", where=f"<#{channel_id}>",
                          missing=join(lacking, ", ")))  # fmt: skip
    if role is not None and role.is_default():
        raise Refused(say("I don’t mention everyone. Pick a role that people chose to have."))
    if role is not None and not (role.mentionable or held.mention_everyone):
        raise Refused(say("{role} can’t be mentioned. Allow everybody to mention it in the server’s settings, then try again.",
                          role=f"<@&{role.id}>"))  # fmt: skip


async def _channel(guild: discord.Guild, channel_id: int) -> discord.abc.GuildChannel | discord.Thread | None:
    """Return a channel or a thread, which may be archived; None if it is gone, or the bot cannot see it."""
    try:
        return guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return None


async def _show(context: Context, kind: PostKind, post: Post | None) -> None:
    lines: list[Text] = post_words(kind, post)
    if post is not None and post.due is not None and kind is PostKind.TODAY:
        when = f"<t:{int(post.due)}:f>"
        lines.append(say("-# The next one comes {when}, if anything has happened by then.", when=when))
    elif post is not None and post.due is not None and kind is PostKind.DAILY:
        lines.append(say("-# The next one comes {when}. On this server, the day of each puzzle begins and ends at that hour.",
                         when=f"<t:{int(post.due)}:f>"))  # fmt: skip
    await context.reply.show(MessageBuilder().text(context.language(join(lines))))


# --- presses ------------------------------------------------------------------------------------------------------------------


async def refresh_post(context: Context, kind: PostKind, day: int, contents: Contents) -> None:
    """Answer with the newest message of a post as it is now, if it was pressed on, and shows something else."""
    posts, message = context.core.service(contents.posts), context.interaction.message
    post = await posts.get(context.guild_id, kind)
    if post is None or message is None or post.message_id != message.id or post.day != day or not posts.goes_on(post):
        return
    role = role_of(context.responder.client, post)
    content = await contents.open(context.core, context.guild_id, day, await context.public_language(), role)
    if content is not None and content.shown != post.shown:
        await context.reply.update(content.builder)
        if not context.reply.lost:
            await posts.record_edit(post, content.shown, pressed=True)
