"""Configuring a server's posts, and answering presses of the buttons on them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.core import Core
from bot.core.table.errors import Refused
from bot.core.table.settings import ZONE
from bot.features.posts.jobs import role_of
from bot.features.posts.messages import Contents
from bot.features.posts.service import Posts
from bot.interactions.context import Context
from bot.outbox.members import knows_roles
from bot.outbox.permissions import held_by_bot, missing_permissions
from engines.text import join, say
from storage.schema.records import Post, PostKind

HOUR: Final = 9
"""The hour of the day at which posts come by default."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A manager's choices for a post. `channel_id` is None before a choice. `weekday` is 0 for Monday, None for every day."""

    channel_id: int | None = None
    hour: int = HOUR
    zone: str = ZONE
    role_id: int | None = None
    weekday: int | None = None

    @classmethod
    def of(cls, post: Post | None) -> "Chosen":
        """Return the current choices for a post, or the default ones if there is no post."""
        return cls() if post is None else cls(post.channel_id, post.hour, post.zone, post.role_id, post.weekday)


async def choose_post(context: Context, kind: PostKind, chosen: Chosen, posts: Callable[[Core], Posts] = Posts) -> Post:
    """Set up a post through the service for its kind. Raises Refused if it can't be posted in the chosen channel."""
    if chosen.channel_id is None:
        raise Refused(say("Pick a channel."))
    service = context.core.service(posts)
    known, role_id = await service.get(context.guild_id, kind), chosen.role_id
    if role_id is not None and (known is None or role_id != known.role_id):
        _check_may_mention(context, role_id)
    guild = context.interaction.guild
    if guild is not None and knows_roles(guild):  # otherwise the attempt to post shows what is missing
        role = None if role_id is None else guild.get_role(role_id)
        await _check_place(guild, chosen.channel_id, role)
        role_id = None if role is None else role.id
    return await service.choose(
        context.guild_id, kind, channel_id=chosen.channel_id, hour=chosen.hour, zone=chosen.zone, role_id=role_id,
        weekday=chosen.weekday,
    )  # fmt: skip


def _check_may_mention(context: Context, role_id: int) -> None:
    """Raise Refused if the user could not mention the role themselves, since the bot must not do it for them."""
    data: Mapping[str, Any] = context.interaction.data or {}
    picked = data.get("resolved", {}).get("roles", {}).get(str(role_id), {})
    guild = context.interaction.guild
    role = None if guild is None else guild.get_role(role_id)
    mentionable = picked.get("mentionable", role is not None and role.mentionable)
    if not mentionable and not context.interaction.permissions.mention_everyone:
        raise Refused(say("Not everybody can mention {role}. To have me mention it, you need the permission Mention Everyone.",
                          role=f"<@&{role_id}>"))  # fmt: skip


async def _check_place(guild: discord.Guild, channel_id: int, role: discord.Role | None) -> None:
    """Raise Refused if the bot can't post in a channel, or can't mention a role there."""
    channel = await _channel(guild, channel_id)
    if channel is None:
        raise Refused(say("I can’t see {where}, or it’s gone. Pick another channel.", where=f"<#{channel_id}>"))
    if not isinstance(channel, discord.abc.Messageable):
        raise Refused(say("{where} only takes posts, not messages. Pick another channel.", where=f"<#{channel_id}>"))
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
    """Return a channel or a thread (even an archived one), or None if it is gone or the bot can't see it."""
    try:
        return guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return None


async def refresh_post(context: Context, kind: PostKind, day: int, contents: Contents) -> None:
    """Update the message whose button was pressed, if it is a post's newest message and its content has changed."""
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
