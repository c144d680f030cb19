"""The part of the database that belongs to one shard of Discord."""

from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

_BITS: Final = sa.literal_column("22", sa.Integer)
"""Discord tells shards apart by an id without its lowest bits, which count what was made in the same millisecond."""


@dataclass(frozen=True, slots=True)
class Share:
    """The servers that one shard is told of.

    Attributes:
        shard: its number, counted from 0.
        of: how many shards there are.
    """

    shard: int
    of: int

    def covers(self, guild_id: int) -> bool:
        """Whether the shard is told of this server."""
        return (guild_id >> 22) % self.of == self.shard

    def condition(self, guild_id: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
        """The same as a condition on a column with ids of servers."""
        return guild_id.bitwise_rshift(_BITS) % self.of == self.shard


def within(share: Share | None, guild_id: sa.ColumnElement[Any]) -> tuple[sa.ColumnElement[bool], ...]:
    """The condition that a server is of a share; no condition if there is none."""
    return () if share is None else (share.condition(guild_id),)
