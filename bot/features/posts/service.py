"""Posts: recurring messages in a channel that a server's managers have chosen.

The service decides when each message is due, and each kind of post provides the content. Posts come daily or weekly at a chosen
hour (see `clock`), except for kinds that have a subclass of their own. A new message closes the previous one. Days are the days
of the daily puzzle.
"""

from dataclasses import replace
from typing import Final

from bot.core.core import Core, Work
from bot.core.reminders import quiet_until
from bot.core.server_days import server_day, start_of
from bot.core.table.settings import HOUR, PersonSettings
from bot.features.posts import sql
from bot.features.posts.rules import next_hour
from opponents.puzzles.collection import packaged
from opponents.puzzles.days import Calendar
from storage import queries
from storage.schema.jobs import post_subject
from storage.schema.records import Job, JobKind, Post, PostKind
from storage.store import Writer

ON_TIME: Final = HOUR
"""For how many seconds after its hour a message still mentions a role. Later, nobody expects a message, and it may be night."""

EDIT_EVERY: Final = 3600.0
"""The fewest seconds between two edits of a message. Edits that answer a press may come sooner."""


class Posts:
    """The posts of all servers, with the `calendar` of the puzzles. Kinds of post that come at no set hour have a subclass."""

    def __init__(self, core: Core, calendar: Calendar | None = None) -> None:
        self._core = core
        self._calendar = packaged().calendar if calendar is None else calendar

    def day_for(self, post: Post) -> int:
        """Return the number of the day that a message posted now belongs to."""
        return server_day(self._calendar, post, self._core.now()).number

    def goes_on(self, post: Post) -> bool:
        """Whether the newest message's day is still going on."""
        return post.day is None or self.day_for(post) <= post.day

    def is_on_time(self, post: Post, owed_at: float) -> bool:
        """Whether a message that was enqueued at `owed_at` comes early enough to mention a role."""
        now = self._core.now()
        return next_hour(post.hour, post.zone, now - ON_TIME, post.weekday) <= now

    def _first_due(self, hour: int, zone: str, now: float, weekday: int | None) -> float:
        """Return when a newly configured post is first due."""
        return next_hour(hour, zone, now, weekday)

    def _closes(self, post: Post, day: int, now: float) -> float:
        """Return the earliest time at which a day's message may be closed."""
        return self._calendar.begins(day + 1, start_of(post))

    async def _chosen(self, writer: Writer, post: Post, now: float) -> Post:
        """Let subclasses change a newly configured post before it is stored."""
        return post

    async def get(self, guild_id: int, kind: PostKind) -> Post | None:
        """Return a server's post of a kind, or None if the server has never had one."""
        async with self._core.store.read() as reader:
            return await sql.get(reader, guild_id, kind)

    async def choose(
        self,
        guild_id: int,
        kind: PostKind,
        *,
        channel_id: int,
        hour: int,
        zone: str,
        role_id: int | None,
        weekday: int | None = None,
    ) -> Post:
        """Have a post made every day, or on one `weekday` (0 is Monday). A message that Discord refused is retried at once."""
        now = self._core.now()
        due = self._first_due(hour, zone, now, weekday)
        new = Post(
            guild_id=guild_id, kind=kind, channel_id=channel_id, hour=hour, zone=zone, weekday=weekday, role_id=role_id, due=due
        )  # fmt: skip
        async with self._core.store.write() as writer:
            known = await sql.get(writer, guild_id, kind)
            made = new if known is None else _with_message(new, known)
            await queries.jobs.drop(writer, guild_id, post_subject(kind), JobKind.POST)
            made = await self._chosen(writer, made, now)
            await sql.put(writer, made)
            if known is not None and known.refused is not None:
                await queries.jobs.enqueue_later(writer, post_job(made, JobKind.POST, now))
            elif kind is PostKind.DAILY and made.message_id is not None:
                # With the new hour, its day ends at another time, or is already over.
                anew = edit_job(made, now, now) if self.goes_on(made) else post_job(made, JobKind.POST, now)
                await queries.jobs.enqueue_later(writer, anew)
        self._core.on_change(now)
        self._core.on_change(now, Work.OUTBOX)
        return made

    async def switch_off(self, guild_id: int, kind: PostKind) -> Post | None:
        """Stop a post, and have its newest message closed after its day. Return the post, or None if there never was one."""
        async with self._core.store.write() as writer:
            known = await sql.get(writer, guild_id, kind)
            if known is None:
                return None
            off = replace(known, due=None, refused=None)
            await queries.jobs.drop(writer, guild_id, post_subject(kind), JobKind.POST)
            await sql.put(writer, await self._end(writer, off))
        self._core.on_change(self._core.now(), Work.OUTBOX)
        return off

    async def record(self, post: Post, day: int, message_id: int, shown: int) -> None:
        """Record that a day's message was posted, and have the previous one closed."""
        now = self._core.now()
        async with self._core.store.write() as writer:
            known = await sql.get(writer, post.guild_id, post.kind)
            if known is None:
                return  # the bot was removed from the server long ago
            if known.message_id != message_id:
                await self._close(writer, known)
            posted = replace(
                known, refused=None, day=day, posted_in=post.channel_id, message_id=message_id, posted_at=now, edited_at=None,
                shown=shown,
            )  # fmt: skip
            await sql.put(writer, posted)
            if posted.due is None:
                await sql.put(writer, await self._end(writer, posted))  # it was switched off in the meantime
        self._core.on_change(0.0, Work.OUTBOX)

    async def owe_edit(self, post: Post) -> None:
        """Have the newest message brought up to date, if there is one."""
        now = self._core.now()
        if post.message_id is not None:
            async with self._core.store.write() as writer:
                await queries.jobs.enqueue_later(writer, edit_job(post, now, now))
            self._core.on_change(0.0, Work.OUTBOX)

    async def record_nothing(self, guild_id: int, kind: PostKind) -> None:
        """Record that there is nothing to post today, and have the previous message closed all the same."""
        async with self._core.store.write() as writer:
            known = await sql.get(writer, guild_id, kind)
            if known is None or known.message_id is None:
                return
            await self._close(writer, known)
            await sql.put(writer, without_message(known))
        self._core.on_change(0.0, Work.OUTBOX)

    async def record_closed(self, guild_id: int, kind: PostKind, message_id: int) -> None:
        """Record that a message was closed for good. If it was the newest, the post no longer has a message."""
        async with self._core.store.write() as writer:
            known = await sql.get(writer, guild_id, kind)
            if known is not None and known.message_id == message_id:
                await sql.put(writer, without_message(known))

    async def record_edit(self, post: Post, shown: int, *, pressed: bool) -> None:
        """Record what a message shows after an edit, unless a newer one exists. `pressed` says if a press caused the edit."""
        async with self._core.store.write() as writer:
            known = await sql.get(writer, post.guild_id, post.kind)
            if known is not None and known.message_id == post.message_id:
                edited_at = known.edited_at if pressed else self._core.now()
                await sql.put(writer, replace(known, shown=shown, edited_at=edited_at))

    async def _end(self, writer: Writer, post: Post) -> Post:
        """Have the newest message closed, because no other will follow it. Return the post to store."""
        await self._close(writer, post)
        return post

    async def _close(self, writer: Writer, post: Post) -> None:
        """Have the newest message edited for the last time, as soon as its day is over."""
        now = self._core.now()
        if post.message_id is not None and post.day is not None:
            due = max(now, self._closes(post, post.day, now))
            await queries.jobs.enqueue_later(writer, edit_job(post, due, now))

    async def note_refusal(self, post: Post, code: int, owner_id: int | None) -> None:
        """Record that Discord refuses a message, and have the server's owner told once, after their quiet hours."""
        now = self._core.now()
        async with self._core.store.write() as writer:
            known = await sql.get(writer, post.guild_id, post.kind)
            if known is None or known.refused is not None:
                return
            await sql.put(writer, replace(known, refused=code))
            if owner_id is not None:
                due = quiet_until(PersonSettings.of(await queries.people.get(writer, owner_id)), now)
                job = post_job(post, JobKind.POST_REFUSED, now)
                payload = {"to": owner_id, "channel": post.channel_id, "code": code}
                await queries.jobs.enqueue_later(writer, replace(job, due=due, place=f"person {owner_id}", payload=payload))
        self._core.on_change(0.0, Work.OUTBOX)

    async def stop(self, guild_id: int, kind: PostKind) -> None:
        """Stop a post that Discord refuses for good, and have its newest message closed if possible."""
        async with self._core.store.write() as writer:
            known = await sql.get(writer, guild_id, kind)
            if known is not None:
                await sql.put(writer, await self._end(writer, replace(known, due=None)))
        self._core.on_change(0.0, Work.OUTBOX)


def _with_message(post: Post, other: Post) -> Post:
    return replace(
        post, day=other.day, posted_in=other.posted_in, message_id=other.message_id, posted_at=other.posted_at,
        edited_at=other.edited_at, shown=other.shown,
    )  # fmt: skip


def post_job(post: Post, kind: JobKind, now: float) -> Job:
    """Return a job that acts on a post in its channel and is due now."""
    return Job(
        kind=kind, subject=post_subject(post.kind), guild_id=post.guild_id, place=f"channel {post.channel_id}", due=now,
        created_at=now,
    )  # fmt: skip


def edit_job(post: Post, due: float, now: float) -> Job:
    """Return the job that edits a post's newest message, in the channel where it was posted."""
    payload, place = {"channel": post.posted_in, "message": post.message_id, "day": post.day}, f"channel {post.posted_in}"
    return replace(post_job(post, JobKind.POST_EDIT, now), due=due, key=str(post.message_id), place=place, payload=payload)


def without_message(post: Post) -> Post:
    """Return a post that has no message to edit or close."""
    return replace(post, day=None, posted_in=None, message_id=None, posted_at=None, edited_at=None, shown=0)
