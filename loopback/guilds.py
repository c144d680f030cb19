"""Servers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from loopback.model import EPOCH, Channel, Person, when

PERMISSIONS: Final = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, create_public_threads=True,
    create_private_threads=True, attach_files=True, read_message_history=True,
)  # fmt: skip
"""The permissions of members, and of the bot, on a new server."""


@dataclass(eq=False)
class Guild:
    """A server with the bot's commands and, if `there`, the bot itself. `granted` has the bot's permissions in either case."""

    id: int
    name: str
    bot_role: int
    granted: int = PERMISSIONS.value
    there: bool = True
    owner_id: int = 1

    def payload(self, channels: Sequence[Channel], bot: Person, members: int) -> dict[str, Any]:
        """Return the server in the gateway's form, with its channels and threads."""
        role = {"color": 0, "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}, "hoist": False,
                "position": 0, "managed": False, "mentionable": False, "flags": 0}  # fmt: skip
        return {
            "id": str(self.id), "name": self.name, "owner_id": str(self.owner_id), "member_count": members,
            "unavailable": False,
            "roles": [role | {"id": str(self.id), "name": "@everyone", "permissions": str(PERMISSIONS.value)},
                      role | {"id": str(self.bot_role), "name": bot.name, "permissions": str(self.granted)}],
            "channels": [channel.payload() for channel in channels if not channel.is_thread],
            "threads": [channel.payload() for channel in channels if channel.is_thread and not channel.archived],
            "members": [bot.member((self.bot_role,)) | {"user": bot.user()}], "emojis": [], "stickers": [],
            "features": [], "presences": [], "voice_states": [], "stage_instances": [], "guild_scheduled_events": [],
            "soundboard_sounds": [], "joined_at": when(EPOCH), "large": False,
        }  # fmt: skip

    def entry(self) -> dict[str, Any]:
        """Return the server's entry in the list of the bot's servers."""
        return {"id": str(self.id), "name": self.name, "icon": None, "owner": False, "permissions": str(self.granted),
                "features": []}  # fmt: skip


def page_of(guilds: Iterable[Guild], query: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a page of the list of the bot's servers, which is sorted by id."""
    after, before, most = int(query.get("after", 0)), int(query.get("before", 1 << 63)), int(query.get("limit", 200))
    there = sorted((guild for guild in guilds if guild.there and after < guild.id < before), key=lambda guild: guild.id)
    return [guild.entry() for guild in (there[-most:] if "before" in query else there[:most])]
