"""Puts missing permissions into words, for the people who can grant them."""

import discord

from bot.core.table.snapshot import Snapshot
from engines.text import Text, join, say

NAMES = {
    "view_channel": say("View Channel"),
    "send_messages": say("Send Messages"),
    "attach_files": say("Attach Files"),
    "send_messages_in_threads": say("Send Messages in Threads"),
    "create_public_threads": say("Create Public Threads"),
    "create_private_threads": say("Create Private Threads"),
}

UNKNOWN_CHANNEL = 10003
NOT_FOR_MESSAGES = 50008
WRONG_KIND_OF_CHANNEL = 50024
UNKNOWN_MESSAGE = 10008
OLD_EDITS_USED_UP = 30046
THREAD_CLOSED = 50083
THREAD_LOCKED = 160005

NO_PLACE = frozenset({UNKNOWN_CHANNEL, NOT_FOR_MESSAGES, WRONG_KIND_OF_CHANNEL})
"""The error codes for channels in which nothing can ever be posted, because they are gone or accept only forum posts."""


def missing_permissions(held: discord.Permissions, *, in_thread: bool, opens: str | None = None) -> list[Text]:
    """Return the permissions that a game needs and the bot lacks. `opens` is "public" or "private" if a thread is made."""
    needed = ["view_channel", "attach_files", "send_messages_in_threads" if in_thread else "send_messages"]
    if opens is not None:
        needed.append(f"create_{opens}_threads")
    return [NAMES[name] for name in needed if not getattr(held, name)]


def held_by_bot(channel: discord.abc.GuildChannel | discord.Thread) -> discord.Permissions:
    """Return the bot's permissions in a place, including those that discord.py denies only because another is missing."""
    held = channel.permissions_for(channel.guild.me)
    if not held.view_channel:
        return discord.Permissions(discord.Permissions.all().value & ~discord.Permissions(view_channel=True).value)
    held.attach_files = held.attach_files or not (held.send_messages and held.send_messages_in_threads)
    return held


def explain_refusal(client: discord.Client, snapshot: Snapshot, error: discord.HTTPException) -> Text:
    """Say why a table's board cannot be shown, and what would help."""
    table = snapshot.table
    where = f"<#{table.thread_id or table.channel_id}>"
    if isinstance(error, discord.NotFound):
        return say("Your move is saved, but {where} is gone, so I can’t show the board.", where=where)
    if error.code in NO_PLACE:
        return say("Your move is saved, but {where} doesn’t allow messages, so I can’t show the board.", where=where)
    if error.code in {THREAD_CLOSED, THREAD_LOCKED}:
        return say("Your move is saved, but {where} is locked, so I can’t show the board there. Somebody who "
                   "manages threads can unlock it.", where=where)  # fmt: skip
    return say("Your move is saved, but I can’t show the board in {where}. I still need: {missing}.", where=where,
               missing=join(_lacking(client, snapshot), ", "))  # fmt: skip


def explain_unshown(client: discord.Client, snapshot: Snapshot, code: int) -> Text:
    """Say where a table's board cannot be shown, why, and what would help, to a person who has not just clicked."""
    table = snapshot.table
    where = f"<#{table.thread_id or table.channel_id}>"
    if code in {THREAD_CLOSED, THREAD_LOCKED}:
        return say(
            "I can’t show its board in {where}, which is locked. Somebody who manages threads can unlock it.", where=where
        )
    return say("I can’t show its board in {where}. I still need: {missing}.", where=where,
               missing=join(_lacking(client, snapshot), ", "))  # fmt: skip


def _lacking(client: discord.Client, snapshot: Snapshot) -> list[Text]:
    """Return the permissions that the bot lacks at a table, or all that it may lack if they are unknown."""
    table = snapshot.table
    place = table.thread_id or table.channel_id
    known = client.get_channel(place) is not None
    return lacking_in(client, place if known else table.channel_id, in_thread=table.thread_id is not None)


def lacking_in(client: discord.Client, channel_id: int, *, in_thread: bool = False) -> list[Text]:
    """Return the permissions that the bot lacks in a channel, or all that it may lack if they are unknown."""
    channel = client.get_channel(channel_id)
    if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        in_thread = in_thread or isinstance(channel, discord.Thread)
        if lacking := missing_permissions(held_by_bot(channel), in_thread=in_thread):
            return lacking
    return [NAMES[name] for name in ("view_channel", "send_messages", "send_messages_in_threads", "attach_files")]
