"""When a post is due."""

from datetime import timedelta

from opponents.puzzles.days import DayStart


def next_hour(hour: int, zone: str, after: float, weekday: int | None = None) -> float:
    """Return when the clocks of a time zone next show an hour after a moment, in seconds since the epoch (see `DayStart`).

    `weekday` is 0 for Monday, or None for any day; it is taken modulo 7, so that a damaged row holds no other up.
    """
    start = DayStart(hour, zone)
    day = start.day_at(after) + timedelta(days=1)
    while weekday is not None and day.weekday() != weekday % 7:
        day += timedelta(days=1)
    return start.on(day)
