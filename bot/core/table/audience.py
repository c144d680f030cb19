"""Who is on a server, and who can see a place there. Discord knows this; the core only asks."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import Protocol


class Unseen(Enum):
    """Why somebody cannot see a place."""

    LEFT = "left"
    """They have left the server."""
    CHANNEL = "channel"
    """They may not see the channel, or the channel that a thread belongs to."""
    THREAD = "thread"
    """They are not in the private thread."""


class Audience(Protocol):
    """Tells who is on a server, and who can see a place there."""

    async def who_cannot_see(self, guild_id: int, channel_id: int, user_ids: Collection[int]) -> Mapping[int, Unseen]:
        """Return which of these people cannot see a channel or thread, and why. Anybody else counts as able to see it."""
        ...

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Find out which of these people have left a server, unless that was looked up within the last day."""
        ...

    def former(self, guild_id: int) -> Collection[int]:
        """Return the ids of people who are known to have left a server, from earlier look-ups."""
        ...


class Everybody:
    """An audience in which everybody is present and sees everything, for a core without Discord."""

    async def who_cannot_see(self, guild_id: int, channel_id: int, user_ids: Collection[int]) -> Mapping[int, Unseen]:
        """Return nobody."""
        del guild_id, channel_id, user_ids
        return {}

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Find out nothing, since nobody ever leaves."""

    def former(self, guild_id: int) -> Collection[int]:
        """Return nobody."""
        del guild_id
        return ()
