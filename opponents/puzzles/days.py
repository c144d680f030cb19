"""The calendar of the daily puzzles: the number of a day, and the puzzle of each.

A day has the same number and the same puzzle everywhere, but begins in each place at an hour that was chosen there, on its own
date there. Which puzzle is that of which day is written down in package data, a row a day, and only ever added to. So no day
changes when there are more puzzles, and none comes twice. Of the puzzles of each game every `PRACTICE_EVERY`th is for practice
from the start, and all others wait for their day. Once that is over everywhere they are for practice, too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from opponents.puzzles.puzzle import Puzzle

FIRST: Final = date(2026, 11, 23)
"""The first day, a Monday."""

LATEST: Final = 35 * 3600.0
"""Seconds by which a day may begin after midnight UTC: at 23 o'clock where clocks are 12 hours behind."""

WEEK: Final = 7
"""The days of a week, which begins on a Monday."""

PRACTICE_EVERY: Final = 5
"""A puzzle whose number is a multiple of this is never a day's."""

GAMES_OF_WEEK: Final = ("bouncers", "pucks", "bouncers", "bunny", "bouncers", "pucks", "bouncers")
"""The game whose puzzle each day of a week has if there is one left, from Monday on."""

WANTED: Final = (1, 2, 3, 4, 5, 6, 8)
"""The difficulty that each day of a week has if there is such a puzzle left, from Monday on."""

NONE: Final = "-"
"""The row of a day without a puzzle."""


@dataclass(frozen=True, slots=True)
class DayStart:
    """When the days begin somewhere. A damaged one is some other one, and raises nothing.

    Attributes:
        hour: the hour at which they do.
        zone: the time zone, by its IANA name. What is none counts as UTC.
    """

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
        """Return the moment at which a day begins, in seconds since the epoch.

        On a day that leaves the hour out it is the one after; on a day that has it twice it is the first one.
        """
        return datetime(day.year, day.month, day.day, self.hour % 24, tzinfo=self.there).timestamp()

    def day_at(self, moment: float) -> date:
        """Return the day that it is at a moment, in seconds since the epoch: the last one that has begun."""
        day = datetime.fromtimestamp(moment, self.there).date() + timedelta(days=1)
        while self.on(day) > moment:
            day -= timedelta(days=1)
        return day


MIDNIGHT: Final = DayStart()
"""When the days begin where nothing else was chosen: at midnight UTC."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The puzzles of the days.

    Attributes:
        names: the name of each day's puzzle, from the first day on; None: the day has none.
        first: the first day, a Monday.
    """

    names: tuple[str | None, ...] = ()
    first: date = FIRST

    def day_at(self, moment: float, start: DayStart = MIDNIGHT) -> int:
        """Return the number of the day at a moment, in seconds since the epoch: 1 is the first one."""
        return (start.day_at(moment) - self.first).days + 1

    def begins(self, day: int, start: DayStart = MIDNIGHT) -> float:
        """Return the moment at which a day begins, in seconds since the epoch. It ends when the next one begins."""
        return start.on(self.first + timedelta(days=day - 1))

    def first_open(self, moment: float) -> int:
        """Return the number of the first day that may not be over yet somewhere at a moment, in seconds since the epoch."""
        return self.day_at(moment - LATEST)

    def puzzle_of(self, day: int) -> str | None:
        """Return the name of the puzzle of a day; None if it has none."""
        return self.names[day - 1] if 0 < day <= len(self.names) else None

    def day_of(self, name: str) -> int | None:
        """Return the number of the day whose puzzle it is; None if it is none's."""
        return self.names.index(name) + 1 if name in self.names else None

    def before(self, day: int) -> frozenset[str]:
        """Return the names of the puzzles of the days before a day."""
        return frozenset(name for name in self.names[: max(0, day - 1)] if name is not None)


def is_for_practice(puzzle: Puzzle) -> bool:
    """Return whether a puzzle is for practice from the start, and never a day's."""
    return puzzle.number % PRACTICE_EVERY == 0


def read_days(text: str) -> tuple[str | None, ...]:
    """Return the days that are written down, a row a day."""
    return tuple(None if row == NONE else row for row in text.split())


def days_text(days: Iterable[str | None]) -> str:
    """Return days as they are written down."""
    return "".join(f"{name or NONE}\n" for name in days)


def extended(days: Sequence[str | None], puzzles: Iterable[Puzzle], today: int) -> list[str | None]:
    """Return the days with more after them, for as long as there are puzzles that are no day's yet.

    Within a week, the puzzles of each game get harder from day to day. Days that have passed without a puzzle stay without.

    Args:
        days: the days that are written down, which stay as they are.
        puzzles: all puzzles, of all games.
        today: the number of the day on which this is done.
    """
    longer = [*days, *([None] * (today - 1 - len(days)))]
    left = [puzzle for puzzle in puzzles if puzzle.name not in longer and not is_for_practice(puzzle)]
    while left:
        week = range(len(longer) % WEEK, WEEK)
        chosen = list(_chosen(left, week))
        left = [puzzle for puzzle in left if puzzle not in chosen]
        longer += [puzzle.name for puzzle in _rising(chosen)]
    return longer


def _chosen(left: Sequence[Puzzle], weekdays: Sequence[int]) -> Iterator[Puzzle]:
    """Yield the puzzle that fits each day of a week best, as long as there are any: first by its game, then by difficulty."""
    free = list(left)
    for weekday in weekdays:
        if not free:
            return
        game, wanted = GAMES_OF_WEEK[weekday], WANTED[weekday]
        best = min(free, key=lambda one: (one.game != game, abs(one.difficulty - wanted), one.number, one.game))
        free.remove(best)
        yield best


def _rising(week: Sequence[Puzzle]) -> Iterator[Puzzle]:
    """Yield the puzzles of a week with the games in the same order, but those of each game rising in difficulty."""
    sorted_by_game = {
        game: iter(sorted((one for one in week if one.game == game), key=lambda one: one.difficulty))
        for game in {one.game for one in week}
    }
    for puzzle in week:
        yield next(sorted_by_game[puzzle.game])
