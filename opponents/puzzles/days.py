"""The calendar of the daily puzzles: the number of a day, and its puzzle.

A day has the same number and puzzle everywhere, but begins in each place at an hour that was chosen there, on the day's date
there. Package data has the puzzle of each day. Past days never change, and no puzzle comes twice. Puzzles whose number is a
multiple of `PRACTICE_EVERY` are for practice from the start, the others once their day is over everywhere.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from opponents.puzzles.puzzle import Puzzle

FIRST: Final = date(2026, 11, 23)
"""The first day, a Monday."""
LATEST: Final = 35 * 3600.0
"""How many seconds after midnight UTC a day may begin: at 23 o'clock where clocks are 12 hours behind."""
WEEK: Final = 7
"""The days of a week, which begins on a Monday."""
PRACTICE_EVERY: Final = 5
"""A puzzle whose number is a multiple of this is never a day's."""
NONE: Final = "-"
"""The row of a day without a puzzle."""


@dataclass(frozen=True, slots=True)
class DayStart:
    """The hour at which the days begin somewhere, and the time zone by its IANA name, UTC if it is none. Nothing raises."""

    hour: int = 0
    zone: str = "UTC"

    @property
    def there(self) -> ZoneInfo:
        """The time zone."""
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return ZoneInfo("UTC")

    def on(self, day: date) -> float:
        """Return when a day begins, in seconds since the epoch.

        Where the clocks leave the hour out, it is the next hour; where they repeat it, the first one.
        """
        return datetime(day.year, day.month, day.day, self.hour % 24, tzinfo=self.there).timestamp()

    def day_at(self, moment: float) -> date:
        """Return the day at a moment, in seconds since the epoch: the last one that has begun."""
        day = datetime.fromtimestamp(moment, self.there).date() + timedelta(days=1)
        while self.on(day) > moment:
            day -= timedelta(days=1)
        return day


MIDNIGHT: Final = DayStart()
"""When the days begin where nothing else was chosen: at midnight UTC."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The name of each day's puzzle, or None, from the first day on, which is a Monday."""

    names: tuple[str | None, ...] = ()
    first: date = FIRST

    def day_at(self, moment: float, start: DayStart = MIDNIGHT) -> int:
        """Return the number of the day at a moment, in seconds since the epoch. The first one is 1."""
        return (start.day_at(moment) - self.first).days + 1

    def begins(self, day: int, start: DayStart = MIDNIGHT) -> float:
        """Return when a day begins, in seconds since the epoch. It ends when the next one begins."""
        return start.on(self.first + timedelta(days=day - 1))

    def first_open(self, moment: float) -> int:
        """Return the number of the first day that may not be over everywhere at a moment, in seconds since the epoch."""
        return self.day_at(moment - LATEST)

    def puzzle_of(self, day: int) -> str | None:
        """Return the name of a day's puzzle, or None."""
        return self.names[day - 1] if 0 < day <= len(self.names) else None

    def day_of(self, name: str) -> int | None:
        """Return the number of the day that has a puzzle, or None."""
        return self.names.index(name) + 1 if name in self.names else None

    def before(self, day: int) -> frozenset[str]:
        """Return the names of the puzzles of earlier days."""
        return frozenset(name for name in self.names[: max(0, day - 1)] if name is not None)


def is_for_practice(puzzle: Puzzle) -> bool:
    """Return whether a puzzle is for practice from the start, and never a day's."""
    return puzzle.number % PRACTICE_EVERY == 0


def read_days(text: str) -> tuple[str | None, ...]:
    """Return the days that are written down, a row a day."""
    return tuple(None if row == NONE else row for row in text.split())
