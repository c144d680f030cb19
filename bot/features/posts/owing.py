"""The jobs about the posts of servers, and when a message is edited because something that it shows has changed.

The last edit closes a message: its day is over, or was withdrawn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.features.posts import sql
from storage import queries
from storage.schema.jobs import post_subject
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import Job, JobKind, Post, PostKind
from storage.schema.seek_records import Seek
from storage.store import Writer

EDIT_EVERY: Final = 3600.0
"""The fewest seconds between two edits of a message that no press has asked for."""

ANEW_EVERY: Final = 6 * 3600.0
"""The fewest seconds between two messages about those who seek a game. Each may mention a role."""


def post_job(post: Post, kind: JobKind, now: float) -> Job:
    """Return a job of a post that is due now, in its channel."""
    return Job(
        kind=kind, subject=post_subject(post.kind), guild_id=post.guild_id, place=f"channel {post.channel_id}", due=now,
        created_at=now,
    )  # fmt: skip


def edit_job(post: Post, due: float, now: float) -> Job:
    """Return the job that edits the newest message of a post at a moment, where that stands."""
    payload, place = {"channel": post.posted_in, "message": post.message_id, "day": post.day}, f"channel {post.posted_in}"
    return replace(post_job(post, JobKind.POST_EDIT, now), due=due, key=str(post.message_id), place=place, payload=payload)


async def owe_edits(writer: Writer, now: float, solved: Iterable[PuzzleAttempt]) -> None:
    """Have the messages edited that show who has solved the puzzle of a day: those of the servers of these attempts.

    That is once an hour at most. A message that another one has closed, or closes within an hour of the edit, stays as it is.
    """
    for attempt in solved:
        post = None if attempt.guild_id is None else await sql.get(writer, attempt.guild_id, PostKind.DAILY)
        if post is None or post.message_id is None or post.day != attempt.day or post.due is None:
            continue
        due = max(now, (post.edited_at or post.posted_at or now) + EDIT_EVERY)
        if due + EDIT_EVERY <= post.due:
            await queries.jobs.enqueue_later(writer, edit_job(post, due, now))


async def owe_waiting(writer: Writer, post: Post, waiting: Sequence[Seek], now: float, *, changed: bool = True) -> None:
    """Have the message about those who seek a game posted anew, or else edited if anything has `changed`.

    Posted anew if somebody has begun to wait since it was posted, and it is old enough; edited once an hour at most.
    """
    posted_at = post.posted_at or 0.0
    if any((seek.since or 0.0) > posted_at for seek in waiting) and posted_at + ANEW_EVERY <= now:
        await queries.jobs.enqueue_later(writer, post_job(post, JobKind.POST, now))
    elif changed and post.message_id is not None:
        due = max(now, (post.edited_at or posted_at) + EDIT_EVERY)
        await queries.jobs.enqueue_later(writer, edit_job(post, due, now))


async def owe_withdrawal(writer: Writer, now: float, day: int) -> None:
    """Have the messages of a day that was withdrawn closed at once, on all servers where a later one has not closed it."""
    for post in await sql.of_day(writer, PostKind.DAILY, day):
        await queries.jobs.enqueue_later(writer, edit_job(post, now, now))
        await sql.put(writer, without_message(post))


def without_message(post: Post) -> Post:
    """Return a post that has no message to be edited or closed."""
    return replace(post, day=None, posted_in=None, message_id=None, posted_at=None, edited_at=None, shown=0)
