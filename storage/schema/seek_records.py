"""The rows of people who seek others to play with, as values. See `records`."""

from dataclasses import dataclass

from storage.schema.structures import Wishes


@dataclass(frozen=True, kw_only=True)
class Seek:
    """What a person seeks on a server, and whether they are waiting for it. The key is (guild_id, user_id).

    Attributes:
        guild_id: the server.
        user_id: the person; nobody else sees the row.
        name: their name when they last chose something.
        wishes: what they would like to play.
        remaining: for how many games they are waiting still.
        since: since when they have been waiting, or None if they are not waiting.
        until: until when they wait, or None if they are not waiting.
    """

    guild_id: int
    user_id: int
    name: str
    wishes: Wishes
    remaining: int = 0
    since: float | None = None
    until: float | None = None


@dataclass(frozen=True, kw_only=True)
class Avoidance:
    """That a person does not want to be put together with another one, of which nobody else learns.

    The key is (user_id, avoided_id); it holds on all servers.

    Attributes:
        at: since when, in seconds since the epoch.
    """

    user_id: int
    avoided_id: int
    at: float
