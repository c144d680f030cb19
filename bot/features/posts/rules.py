"""When a post comes that comes at an hour."""

from datetime import timedelta

from opponents.puzzles.days import DayStart


def next_hour(hour: int, zone: str, after: float, weekday: int | None = None) -> float:
    """Return when the clocks of a time zone next show an hour, in seconds since the epoch: later than a moment.

    See `DayStart` for days that leave the hour out or have it twice. What is no weekday counts as one: a damaged row keeps no
    other waiting.

    Args:
        hour: the hour.
        zone: the time zone, by its IANA name.
        after: the moment, in seconds since the epoch.
        weekday: the day of the week there, 0 for Monday; None: any day.
    """
    start = DayStart(hour, zone)
    day = start.day_at(after) + timedelta(days=1)
    while weekday is not None and day.weekday() != weekday % 7:
        day += timedelta(days=1)
    return start.on(day)
