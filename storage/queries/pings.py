"""Pings that people have caused, for as long as they matter."""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa

from storage.schema.records import Ping
from storage.schema.tables import pings
from storage.transactions import Writer

_MINE: Final = (
    sa.select(pings)
    .where(pings.c.by_user == sa.bindparam("user_id"), pings.c.at > sa.bindparam("since"))
    .order_by(pings.c.at, pings.c.id)
)
_PAST: Final = sa.delete(pings).where(pings.c.at <= sa.bindparam("before"))


async def made_by(writer: Writer, user_id: int, since: float) -> tuple[Ping, ...]:
    """Return the pings a person has caused after `since`, in seconds since the epoch, oldest first."""
    return await writer.readable(Ping, _MINE, user_id=user_id, since=since)


async def add(writer: Writer, by_user: int, to_users: Iterable[int], at: float) -> None:
    """Store that a person has caused pings of others."""
    rows = [{"by_user": by_user, "to_user": user, "at": at} for user in to_users]
    if rows:
        writer.later(sa.insert(pings), rows)


async def forget(writer: Writer, before: float) -> None:
    """Delete the pings up to a moment in seconds since the epoch."""
    writer.later(_PAST, {"before": before})
