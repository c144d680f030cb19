"""When a post is due."""

from datetime import timedelta

from opponents.puzzles.days import DayStart


def next_hour(hour: int, zone: str, after: float, weekday: int | None = None) -> float:
    """Return when a zone's clocks next show an hour (see `DayStart`), on any day or a `weekday` (0 is Monday, modulo 7)."""
    start = DayStart(hour, zone)
    day = start.day_at(after) + timedelta(days=1)
    while weekday is not None and day.weekday() != weekday % 7:
        day += timedelta(days=1)
    return start.on(day)
