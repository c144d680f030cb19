"""Servers' days, numbered alike everywhere. Each begins at the server's hour of the daily puzzle, or else at midnight UTC."""

from dataclasses import dataclass
from typing import Final

from opponents.puzzles.days import MIDNIGHT, Calendar, DayStart
from storage.schema.records import Post

AHEAD: Final = 2
"""The most days by which a post's day can be ahead after the post was moved to another hour. Time zones are that far apart."""


@dataclass(frozen=True, slots=True)
class ServerDay:
    """A day on a server: its number, and when it ends there, in seconds since the epoch."""

    number: int
    ends: float


def start_of(post: Post | None) -> DayStart:
    """Return when days begin for a post: at its chosen hour, or at midnight UTC if there is no post or it was switched off."""
    if post is None or (post.due is None and post.refused is None):
        return MIDNIGHT
    return DayStart(post.hour, post.zone)


def server_day(calendar: Calendar, post: Post | None, now: float) -> ServerDay:
    """Return a post's day at `now`, in seconds since the epoch. If the post's hour is moved, a day that has begun goes on."""
    start = start_of(post)
    day = calendar.day_at(now, start)
    if post is not None and post.day is not None and day < post.day <= day + AHEAD:
        day = post.day
    return ServerDay(day, calendar.begins(day + 1, start))
