"""The audience of a place: who is on its server, and who can see it. Discord knows; the service only asks."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Protocol


class Unseen(Enum):
    """Why somebody cannot see a place."""

    LEFT = "left"
    """They are not on its server."""
    CHANNEL = "channel"
    """They may not see the channel, or the one that a thread belongs to."""
    THREAD = "thread"
    """It is a private thread, and they are not in it."""


class Audience(Protocol):
    """Who is on a server, and who of them can see a place there."""

    async def who_cannot_see(self, guild_id: int, channel_id: int, user_ids: Collection[int]) -> Mapping[int, Unseen]:
        """Return who of these people cannot see a channel or thread, and why. Whoever is not known about can see it."""
        ...

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Learn who of these people has left a server, if that was not looked up in the last day."""
        ...

    def former(self, guild_id: int) -> Collection[int]:
        """Return who is known to have left a server, of those who were looked up."""
        ...


class Everybody:
    """An audience in which everybody is there and sees everything: that of a service without Discord."""

    async def who_cannot_see(self, guild_id: int, channel_id: int, user_ids: Collection[int]) -> Mapping[int, Unseen]:
        """Return nobody."""
        del guild_id, channel_id, user_ids
        return {}

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Learn nothing."""

    def former(self, guild_id: int) -> Collection[int]:
        """Return nobody."""
        del guild_id
        return ()
