"""SQL statements for servers' posts."""

from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa

from storage.queries.row_conditions import POST_HERE
from storage.schema.records import Post, PostKind
from storage.schema.tables import posts
from storage.transactions import Reader, Writer

_POST: Final = sa.select(posts).where(posts.c.guild_id == sa.bindparam("guild_id"), posts.c.kind == sa.bindparam("which"))


async def get(reader: Reader, guild_id: int, kind: PostKind) -> Post | None:
    """Return a server's post of a kind, or None if there is no readable one."""
    return next(iter(await reader.readable(Post, _POST, guild_id=guild_id, which=kind)), None)


async def of_day(reader: Reader, kind: PostKind, day: int) -> tuple[Post, ...]:
    """Return every server's post of a kind whose newest message belongs to a given day."""
    newest = (posts.c.kind == kind, posts.c.day == day, posts.c.message_id.is_not(None))
    return await reader.readable(Post, sa.select(posts).where(*newest).order_by(posts.c.guild_id))


async def due(reader: Reader, kinds: Collection[PostKind], now: float, *, limit: int = 100) -> tuple[Post, ...]:
    """Return the due posts of these kinds on servers where the bot is present, the longest overdue first."""
    return await reader.readable(Post, _due(reader, kinds, now, sa.select(posts)).limit(limit))


async def next_due(reader: Reader, kinds: Collection[PostKind]) -> float | None:
    """Return when the next post of these kinds is due, in seconds since the epoch, or None if no post is due."""
    here = (posts.c.kind.in_(kinds), POST_HERE, *reader.own(posts.c.guild_id))
    found = sa.select(sa.func.min(posts.c.due)).where(*here)
    moment = (await reader.execute(found)).scalar()
    return moment if isinstance(moment, int | float) else None


async def put(writer: Writer, post: Post) -> None:
    """Store a post, replacing the server's previous one of its kind."""
    writer.put(posts, post)


async def put_off(writer: Writer, kinds: Collection[PostKind], now: float, due: float, *, limit: int = 100) -> None:
    """Postpone up to `limit` overdue posts, all of them found to be unreadable, to `due` in seconds since the epoch."""
    key = (posts.c.guild_id, posts.c.kind)
    late = _due(writer, kinds, now, sa.select(*key)).limit(limit).correlate(None)
    writer.later(sa.update(posts).where(sa.tuple_(*key).in_(late)).values(due=due))


async def begin_anew(writer: Writer, kinds: Collection[PostKind], now: float) -> None:
    """Make the posts of these kinds due now, because the clock cannot say how much time has really passed."""
    on = (posts.c.kind.in_(kinds), posts.c.due.is_not(None), *writer.own(posts.c.guild_id))
    writer.later(sa.update(posts).where(*on).values(due=now))


def _due(reader: Reader, kinds: Collection[PostKind], now: float, found: sa.Select[Any]) -> sa.Select[Any]:
    here = (posts.c.kind.in_(kinds), posts.c.due <= now, POST_HERE, *reader.own(posts.c.guild_id))
    return found.where(*here).order_by(posts.c.due, posts.c.guild_id)
