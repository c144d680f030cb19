"""The permissions that the bot asks of a server, the link to invite it, and what *Add App* in its profile does."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

import discord

RIGHTS: Final = (
    "view_channel", "send_messages", "send_messages_in_threads", "create_public_threads", "create_private_threads",
    "attach_files", "read_message_history",
)  # fmt: skip
"""All permissions that the bot ever uses. If a server grants fewer, the bot makes do with them, and names those it lacks."""

PERMISSIONS: Final = discord.Permissions(**dict.fromkeys(RIGHTS, True))

SCOPES: Final = ("bot", "applications.commands")


def application_id(token: str) -> int | None:
    """Return the application's id, which is the first part of its token, or None if this is not a token.

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
    """Return the link by which a server's manager invites the bot, to a particular server if `guild_id` is given."""
    guild = discord.utils.MISSING if guild_id is None else discord.Object(guild_id)
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=SCOPES, guild=guild)


ON_SERVERS: Final = "0"
BY_PEOPLE: Final = "1"
"""Discord's names for the ways to install an application."""

_AS_MADE: Final[Mapping[str, Any]] = {"scopes": ["applications.commands"], "permissions": 0}
"""The settings that every new application has. They install its commands without the bot."""


def install_settings(application: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what *Add App* asks of a server, as Discord states it: scopes and permissions. Return None if nobody set it up.

    Nobody has set it up if the settings are those of every new application. With its commands alone, this bot can do nothing.
    """
    config = (application.get("integration_types_config") or {}).get(ON_SERVERS) or {}
    found = config.get("oauth2_install_params") or application.get("install_params")
    if found is None or {**found, "permissions": int(found["permissions"])} == _AS_MADE:
        return None
    return dict(found)


def missing_install_settings(application: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the ways to install an application, with the bot on servers added, or None if they are to stay as they are.

    They stay if servers already get more than the commands, or if the owner has decided otherwise: with a link of their own,
    with ways that exclude servers, or with a private bot, which may have no link.
    """
    ways = application.get("integration_types_config") or {}
    decided = application.get("custom_install_url") or (ways and ON_SERVERS not in ways) or not application.get("bot_public")
    if decided or install_settings(application) is not None:
        return None
    return {**ways, ON_SERVERS: {"oauth2_install_params": {"scopes": list(SCOPES), "permissions": PERMISSIONS.value}}}
