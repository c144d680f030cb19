"""ThinkingReader: the tables at which computers have something to decide."""

from collections.abc import Collection

import sqlalchemy as sa

from storage.aside import HERE, IN_ORDER
from storage.gathering import GatheringReader
from storage.records import Status, Thinking
from storage.tables import tables, thinking

_ONE = sa.select(thinking).where(thinking.c.table_id == sa.bindparam("table_id"))
_GOING_ON = (tables.c.id == thinking.c.table_id, tables.c.status == Status.PLAYING, IN_ORDER, HERE)


class ThinkingReader(GatheringReader):
    """Reads what computers have still to decide. It waits at tables that are set aside, and while the bot is off a server."""

    async def thinking(self, table_id: int) -> Thinking | None:
        """What computers have still to decide at a table; None if it is nothing, or cannot be read."""
        return next(iter(await self._readable(Thinking, _ONE, table_id=table_id)), None)

    async def thinking_due(self, now: float, limit: int = 100, *, without: Collection[int] = ()) -> tuple[int, ...]:
        """The numbers of the tables where a computer is to be asked by `now`, those that have waited longest first.

        `without` are the numbers of tables that are left out.
        """
        found = sa.select(thinking.c.table_id).where(thinking.c.due <= now, *self._waiting(without))
        return tuple((await self._do(found.order_by(thinking.c.due, thinking.c.table_id).limit(limit))).scalars())

    async def next_thinking(self, *, without: Collection[int] = ()) -> float | None:
        """When the next computer is to be asked, in seconds since the epoch; None if there is none."""
        found = sa.select(sa.func.min(thinking.c.due)).where(*self._waiting(without))
        moment = (await self._do(found)).scalar()
        return moment if isinstance(moment, float) else None

    def _waiting(self, without: Collection[int]) -> list[sa.ColumnElement[bool]]:
        others = [thinking.c.table_id.not_in(tuple(without))] if without else []
        return [sa.exists().where(*_GOING_ON, *self._own()), *others]
