"""Posts that come at an hour of the day: when they are due, and how they get into the outbox."""

from dataclasses import replace
from typing import Final

from bot.core.core import Work
from bot.core.parts import Keeper, Part
from bot.core.table.settings import DAY
from bot.features.posts import sql
from bot.features.posts.rules import next_hour
from bot.features.posts.service import post_job
from storage import queries
from storage.schema.records import JobKind, Post, PostKind

AT_AN_HOUR: Final = (PostKind.DAILY, PostKind.TODAY)
"""The kinds of post that come at an hour of the day."""


class PostHours(Keeper):
    """The keeper that enqueues every server's posts at their hours."""

    async def next_due(self) -> float | None:
        """Return when the next post is due, in seconds since the epoch, or None if no post is due or time is suspended."""
        if not self._core.time_counts():
            return None
        async with self._core.store.read() as reader:
            return await sql.next_due(reader, AT_AN_HOUR)

    async def sweep(self) -> bool:
        """Enqueue up to a hundred due posts, and return whether there were any."""
        return bool(await self.owe_due())

    async def owe_due(self) -> tuple[Post, ...]:
        """Enqueue up to a hundred due posts, and return them. A weekly post that is over a day late is not enqueued."""
        due, now = await self.next_due(), self._core.now()
        if due is None or due > now:
            return ()
        async with self._core.store.write() as writer:
            posts = await sql.due(writer, AT_AN_HOUR, now)
            for post in posts:
                await sql.put(writer, replace(post, due=next_hour(post.hour, post.zone, now, post.weekday)))
                if post.weekday is None or next_hour(post.hour, post.zone, now - DAY, post.weekday) <= now:
                    await queries.jobs.enqueue_later(writer, post_job(post, JobKind.POST, now))
            if not posts:  # all due posts are unreadable, but somebody may repair them
                await sql.put_off(writer, AT_AN_HOUR, now, now + DAY)
        if posts:
            self._core.on_change(0.0, Work.OUTBOX)
        return posts


PART: Final = Part(name="posts", keeper=PostHours)
