"""The calendar of the daily puzzles, which says what number a day has and which puzzle.

A day has the same number and puzzle everywhere. It begins in each place on its local date, at an hour that was chosen there.
The puzzle of each day is package data. Past days never change, and no puzzle comes twice. Puzzles whose number is a multiple of
`PRACTICE_EVERY` are for practice from the start; the others are for practice once their day is over everywhere.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from opponents.puzzles.puzzle import Puzzle

FIRST: Final = date(2026, 11, 23)
"""The first day, a Monday."""
LATEST: Final = 35 * 3600.0
"""The latest time at which a day may begin, in seconds after midnight UTC: 23:00 where clocks are 12 hours behind UTC."""
WEEK: Final = 7
"""The number of days in a week, which begins on a Monday."""
PRACTICE_EVERY: Final = 5
"""A puzzle whose number is a multiple of this is never a daily puzzle."""
NONE: Final = "-"
"""The row of a day without a puzzle."""


@dataclass(frozen=True, slots=True)
class DayStart:
    """The hour at which days begin in a place, and its time zone by its IANA name. An unknown name counts as UTC."""

    hour: int = 0
    zone: str = "UTC"

    @property
    def there(self) -> ZoneInfo:
        """The time zone of the place."""
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return ZoneInfo("UTC")

    def on(self, day: date) -> float:
        """Return when a day begins, in seconds since the epoch.

        If the clocks skip the hour on that day, the day begins an hour later; if they repeat it, the day begins the first time.
        """
        return datetime(day.year, day.month, day.day, self.hour % 24, tzinfo=self.there).timestamp()

    def day_at(self, moment: float) -> date:
        """Return the day at a moment, given in seconds since the epoch. It is the last day that has begun."""
        day = datetime.fromtimestamp(moment, self.there).date() + timedelta(days=1)
        while self.on(day) > moment:
            day -= timedelta(days=1)
        return day


MIDNIGHT: Final = DayStart()
"""The start of the days where no other was chosen: midnight UTC."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The name of each day's puzzle, or None for a day without one. The first day is a Monday."""

    names: tuple[str | None, ...] = ()
    first: date = FIRST

    def day_at(self, moment: float, start: DayStart = MIDNIGHT) -> int:
        """Return the number of the day at a moment, given in seconds since the epoch. The first day has the number 1."""
        return (start.day_at(moment) - self.first).days + 1

    def begins(self, day: int, start: DayStart = MIDNIGHT) -> float:
        """Return when a day begins, in seconds since the epoch. It ends when the next day begins."""
        return start.on(self.first + timedelta(days=day - 1))

    def first_open(self, moment: float) -> int:
        """Return the number of the first day that may still go on somewhere at a moment, given in seconds since the epoch."""
        return self.day_at(moment - LATEST)

    def puzzle_of(self, day: int) -> str | None:
        """Return the name of a day's puzzle, or None if the day has none."""
        return self.names[day - 1] if 0 < day <= len(self.names) else None

    def day_of(self, name: str) -> int | None:
        """Return the number of the day that has a puzzle, or None if no day has it."""
        return self.names.index(name) + 1 if name in self.names else None

    def before(self, day: int) -> frozenset[str]:
        """Return the names of the puzzles of earlier days."""
        return frozenset(name for name in self.names[: max(0, day - 1)] if name is not None)


def is_for_practice(puzzle: Puzzle) -> bool:
    """Return whether a puzzle is for practice from the start, and so is never a daily puzzle."""
    return puzzle.number % PRACTICE_EVERY == 0


def read_days(text: str) -> tuple[str | None, ...]:
    """Return the name of each day's puzzle, or None, from a text with one row for each day."""
    return tuple(None if row == NONE else row for row in text.split())
