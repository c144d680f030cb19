"""When a post is due."""

from datetime import timedelta

from opponents.puzzles.days import DayStart


def next_hour(hour: int, zone: str, after: float, weekday: int | None = None) -> float:
    """Return when clocks in a time zone next show an hour after a given moment, in seconds since the epoch (see `DayStart`).

    `weekday` is 0 for Monday, or None for any day. It is taken modulo 7, so that a damaged row does not hold up any other.
    """
    start = DayStart(hour, zone)
    day = start.day_at(after) + timedelta(days=1)
    while weekday is not None and day.weekday() != weekday % 7:
        day += timedelta(days=1)
    return start.on(day)
