"""PingWriter: who was pinged by whose doing, as long as that matters."""

from collections.abc import Iterable
from typing import Final

import sqlalchemy as sa

from storage.reading import Reader
from storage.records import Ping
from storage.rows import WritingRows
from storage.tables import pings

_MINE: Final = (
    sa.select(pings)
    .where(pings.c.by_user == sa.bindparam("user_id"), pings.c.at > sa.bindparam("since"))
    .order_by(pings.c.at, pings.c.id)
)
_PAST: Final = sa.delete(pings).where(pings.c.at <= sa.bindparam("before"))


class PingWriter(Reader, WritingRows):
    """The part of a transaction that counts pings."""

    async def pings_by(self, user_id: int, since: float) -> tuple[Ping, ...]:
        """The pings by somebody's doing after that moment, in seconds since the epoch, oldest first."""
        return await self._readable(Ping, _MINE, user_id=user_id, since=since)

    async def add_pings(self, by_user: int, to_users: Iterable[int], at: float) -> None:
        """Store that these people are pinged by somebody's doing."""
        rows = [{"by_user": by_user, "to_user": user, "at": at} for user in to_users]
        if rows:
            self._later(sa.insert(pings), rows)

    async def forget_pings(self, before: float) -> None:
        """Delete the pings until that moment, in seconds since the epoch: they do not matter any more."""
        self._later(_PAST, {"before": before})
