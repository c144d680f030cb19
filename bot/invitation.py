"""What the bot asks of a server, and the link that asks for it."""

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
"""All that the bot ever uses; it works with less where a server grants less, and says what is missing."""

PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(RIGHTS, True))

SCOPES: Final = ("bot", "applications.commands")


def application_id(token: str) -> int | None:
    """The application's id, which is the first part of its token. None if this is no token.

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


def invitation(application: int) -> str:
    """The link by which somebody who manages a server lets the bot in."""
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=SCOPES)
