"""SQL statements for reviews of finished games."""

import sqlalchemy as sa

from storage.queries.row_conditions import HERE, IN_ORDER
from storage.schema.records import Review
from storage.schema.tables import reviews, tables
from storage.transactions import Reader, Writer


async def get(reader: Reader, table_id: int) -> Review | None:
    """Return the review of a game as far as it has got, or None if there is no readable one."""
    found = sa.select(reviews).where(reviews.c.table_id == table_id)
    return next(iter(await reader.readable(Review, found)), None)


async def unfinished(reader: Reader) -> tuple[tuple[int, int], ...]:
    """Return the table and server of each unfinished review, in the order in which they were asked for."""
    found = sa.select(reviews.c.table_id, tables.c.guild_id).join(tables)
    waiting = found.where(reviews.c.done.is_(False), IN_ORDER, HERE, *reader.own()).order_by(
        reviews.c.asked_at, reviews.c.table_id
    )
    return tuple((row.table_id, row.guild_id) for row in await reader.execute(waiting))


async def put(writer: Writer, review: Review) -> None:
    """Store the review of a game, replacing the previous one."""
    writer.put(reviews, review)
