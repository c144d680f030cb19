"""Days of servers: which day of the puzzles it is on a server, and when it ends.

A day has the same number everywhere, and begins on each server at the hour of its daily puzzle, on its own date there. Where
no hour was chosen it begins at midnight UTC.
"""

from dataclasses import dataclass
from typing import Final

from opponents.puzzles.days import MIDNIGHT, Calendar, DayStart
from storage.schema.records import Post

AHEAD: Final = 2
"""The most days by which a day that has begun can be ahead after its hour was moved: so far apart are the time zones."""


@dataclass(frozen=True, slots=True)
class ServerDay:
    """The day that it is on a server.

    Attributes:
        number: its number.
        ends: when it ends there, in seconds since the epoch.
    """

    number: int
    ends: float


def start_of(post: Post | None) -> DayStart:
    """Return when days begin for a post: at the hour that was chosen for it, unless it was switched off."""
    if post is None or (post.due is None and post.refused is None):
        return MIDNIGHT
    return DayStart(post.hour, post.zone)


def server_day(calendar: Calendar, post: Post | None, now: float) -> ServerDay:
    """Return the day that it is for a post at a moment, in seconds since the epoch.

    A day that has begun goes on if its hour is moved: the one whose message was posted is not over before the next one begins.
    """
    start = start_of(post)
    day = calendar.day_at(now, start)
    if post is not None and post.day is not None and day < post.day <= day + AHEAD:
        day = post.day
    return ServerDay(day, calendar.begins(day + 1, start))
