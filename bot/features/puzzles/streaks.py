"""Streaks and badges for daily puzzles, as pure functions of a person's attempts.

A day counts if its puzzle was solved in time. One missed day in a week is forgiven. Vacation days, days without a puzzle, and
days on which the bot was away for long count neither as missed nor as solved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from opponents.puzzles.collection import Collection
from opponents.puzzles.days import WEEK
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import PuzzleOutcome

MONTH: Final = 30
"""The length in days of a streak that earns the badge for a month."""

AWAY: Final = 6 * 3600.0
"""How many seconds of a day the bot must have been away so that nobody counts as having missed the day's puzzle."""

FEWEST: Final = 5
"""The fewest puzzles a week must have had to earn the badge for a week without a wrong move."""


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row, and the number of the last missed day that was forgiven, if any."""

    days: int
    forgiven: int | None = None


class Badge(StrEnum):
    """A badge for something that a person has achieved at least once."""

    WEEK = "week"
    MONTH = "month"
    KINDS = "kinds"
    """At least one solved puzzle of every game that a week offered, if it offered several games."""
    FLAWLESS = "flawless"
    """All puzzles of a week solved without a wrong move."""


def in_time(attempt: PuzzleAttempt, collection: Collection) -> bool:
    """Whether an attempt counts for its day, because it is a first attempt solved before the day ended on its server."""
    day, ends, ended = attempt.day, attempt.day_ends, attempt.ended_at
    if day is None or ends is None or ended is None or attempt.outcome is not PuzzleOutcome.SOLVED:
        return False
    return 0 < day <= len(collection.calendar.names) and ended < ends  # otherwise the row is damaged


def away_in(begins: float, ends: float, outages: Iterable[tuple[float, float]]) -> float:
    """Return how many seconds of a period fall into outages, which are given as (begin, end). Overlaps count once."""
    seconds, counted = 0.0, begins
    for since, until in sorted(outages):
        since, until = max(since, counted), min(until, ends)
        if until > since:
            seconds, counted = seconds + until - since, until
    return seconds


def streak_on(day: int, counted: Iterable[PuzzleAttempt], excused: Callable[[int], bool]) -> Streak:
    """Return a person's streak once they solve a day's puzzle, given the attempts that count and which days are excused."""
    before = [attempt for attempt in counted if attempt.day is not None and attempt.day < day]
    last = max(before, key=lambda attempt: attempt.day or 0, default=None)
    if last is None or last.day is None:
        return Streak(1)
    forgiven = last.forgiven
    for missed in range(last.day + 1, day):
        if excused(missed):
            continue
        if forgiven is not None and missed - forgiven < WEEK:
            return Streak(1)
        forgiven = missed
    return Streak((last.streak or 0) + 1, forgiven)


def streak_now(today: int, counted: Sequence[PuzzleAttempt], excused: Callable[[int], bool]) -> int:
    """Return today's streak, or yesterday's if today is unsolved. `counted` has the latest day first, which may be tomorrow."""
    solved = next((attempt for attempt in counted if (attempt.day or 0) >= today), None)
    return (solved.streak or 0) if solved is not None else streak_on(today, counted, excused).days - 1


def badges(counted: Sequence[PuzzleAttempt], collection: Collection) -> tuple[Badge, ...]:
    """Return a person's badges, given the attempts that count for their days."""
    longest = max((attempt.streak or 0 for attempt in counted), default=0)
    weeks: dict[int, dict[str, PuzzleAttempt]] = {}
    for attempt in counted:
        weeks.setdefault(((attempt.day or 1) - 1) // WEEK, {})[attempt.puzzle] = attempt
    earned = {
        Badge.WEEK: longest >= WEEK,
        Badge.MONTH: longest >= MONTH,
        Badge.KINDS: any(_has_all_kinds(week, solved, collection) for week, solved in weeks.items()),
        Badge.FLAWLESS: any(_is_flawless(week, solved, collection) for week, solved in weeks.items()),
    }
    return tuple(badge for badge, is_earned in earned.items() if is_earned)


def _names(week: int, collection: Collection) -> list[str]:
    days = range(week * WEEK + 1, (week + 1) * WEEK + 1)
    return [puzzle.name for puzzle in map(collection.of_day, days) if puzzle is not None]


def _has_all_kinds(week: int, solved: Mapping[str, PuzzleAttempt], collection: Collection) -> bool:
    offered, found = (
        {collection.puzzles[name].game for name in names if name in collection.puzzles}
        for names in (_names(week, collection), solved)
    )
    return len(offered) > 1 and found >= offered


def _is_flawless(week: int, solved: Mapping[str, PuzzleAttempt], collection: Collection) -> bool:
    names = _names(week, collection)
    return len(names) >= FEWEST and all(name in solved and all(solved[name].judged) for name in names)
