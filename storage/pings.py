"""PingWriter: who was pinged by whose doing, as long as that matters."""

from collections.abc import Iterable

import sqlalchemy as sa

from storage.reading import Reader
from storage.records import Ping
from storage.tables import pings


class PingWriter(Reader):
    """The part of a transaction that counts pings."""

    async def pings_by(self, user_id: int, since: float) -> tuple[Ping, ...]:
        """The pings by somebody's doing after that moment, in seconds since the epoch, oldest first."""
        mine = sa.select(pings).where(pings.c.by_user == user_id, pings.c.at > since)
        return await self._readable(Ping, mine.order_by(pings.c.at, pings.c.id))

    async def add_pings(self, by_user: int, to_users: Iterable[int], at: float) -> None:
        """Store that these people are pinged by somebody's doing."""
        rows = [{"by_user": by_user, "to_user": user, "at": at} for user in to_users]
        if rows:
            await self._do(sa.insert(pings).values(rows))

    async def forget_pings(self, before: float) -> None:
        """Delete the pings until that moment, in seconds since the epoch: they do not matter any more."""
        await self._do(sa.delete(pings).where(pings.c.at <= before))
