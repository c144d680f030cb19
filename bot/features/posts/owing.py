"""The jobs about the posts of servers. The last edit closes a message: its day is over, or was withdrawn."""

from dataclasses import replace
from typing import Final

from storage.schema.jobs import post_subject
from storage.schema.records import Job, JobKind, Post

EDIT_EVERY: Final = 3600.0
"""The fewest seconds between two edits of a message, except in answer to a press."""


def post_job(post: Post, kind: JobKind, now: float) -> Job:
    """Return a job that acts on a post in its channel, due now."""
    return Job(
        kind=kind, subject=post_subject(post.kind), guild_id=post.guild_id, place=f"channel {post.channel_id}", due=now,
        created_at=now,
    )  # fmt: skip


def edit_job(post: Post, due: float, now: float) -> Job:
    """Return the job that edits a post's newest message, in the channel where it was posted."""
    payload, place = {"channel": post.posted_in, "message": post.message_id, "day": post.day}, f"channel {post.posted_in}"
    return replace(post_job(post, JobKind.POST_EDIT, now), due=due, key=str(post.message_id), place=place, payload=payload)


def without_message(post: Post) -> Post:
    """Return a post with no message to edit or close."""
    return replace(post, day=None, posted_in=None, message_id=None, posted_at=None, edited_at=None, shown=0)
