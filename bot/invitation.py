"""The permissions that the bot asks a server for, and the link to invite it."""

import base64
import binascii
from typing import Final

import discord

RIGHTS: Final = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "create_private_threads",
    "attach_files",
    "read_message_history",
)
"""All permissions that the bot ever uses. Where a server grants fewer, the bot works with those, and names the missing ones."""

PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(RIGHTS, True))

SCOPES: Final = ("bot", "applications.commands")


def application_id(token: str) -> int | None:
    """Return the application's id, which is the first part of its token; None if this is not a token.

    >>> application_id("MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.x.y")
    1234567890123456789
    >>> application_id("hello") is None
    True
    """
    first, dot, _ = token.partition(".")
    if not dot:
        return None
    try:
        digits = base64.urlsafe_b64decode(first + "=" * (-len(first) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return int(digits) if digits.isdecimal() else None


def invitation_link(application: int, guild_id: int | None = None) -> str:
    """Return the link by which the manager of a server invites the bot; to this server, if one is named."""
    guild = discord.utils.MISSING if guild_id is None else discord.Object(guild_id)
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=SCOPES, guild=guild)
