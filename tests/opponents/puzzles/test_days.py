"""The calendar of the daily puzzles: a day is the same for all, never changes, and nobody has seen its puzzle before."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.values import replace
from opponents.puzzles.collection import Collection, packaged
from opponents.puzzles.days import Calendar, DayStart, is_for_practice
from opponents.puzzles.puzzle import HARDEST, Puzzle
from tests.opponents.puzzles.test_puzzles import PUZZLE

MONDAY = date(2026, 1, 5)


def some(game: str, count: int, first: int = 1) -> list[Puzzle]:
    return [
        replace(PUZZLE, game=game, number=number, difficulty=1 + number * 5 % HARDEST) for number in range(first, first + count)
    ]


def test_a_day_begins_at_midnight_utc_where_nothing_else_was_chosen() -> None:
    calendar = Calendar(("bouncers-1", None, "bouncers-2"), MONDAY)
    noon = datetime(2026, 1, 7, 12, tzinfo=UTC).timestamp()
    assert [calendar.day_at(noon + hours * 3600) for hours in (-12.001, -12, 0, 11.999, 12)] == [2, 3, 3, 3, 4]
    assert calendar.day_at(calendar.begins(3)) == 3
    assert calendar.day_at(calendar.begins(1) - 1) == 0
    assert calendar.begins(4) - calendar.begins(3) == 86_400
    assert [calendar.puzzle_of(day) for day in range(-1, 5)] == [None, None, "bouncers-1", None, "bouncers-2", None]
    assert (calendar.day_of("bouncers-2"), calendar.day_of("bouncers-3")) == (3, None)


def at(text: str) -> float:
    """A moment of UTC, such as "2026-01-07 12:00"."""
    return datetime.fromisoformat(f"{text}+00:00").timestamp()


@pytest.mark.parametrize(
    ("start", "begins", "ends"),
    [
        (DayStart(9, "Australia/Sydney"), "2026-01-06 22:00", "2026-01-07 22:00"),
        (DayStart(9, "America/Los_Angeles"), "2026-01-07 17:00", "2026-01-08 17:00"),
        (DayStart(0, "Pacific/Kiritimati"), "2026-01-06 10:00", "2026-01-07 10:00"),
        (DayStart(23, "Etc/GMT+12"), "2026-01-08 11:00", "2026-01-09 11:00"),
    ],
)
def test_a_day_has_its_own_date_wherever_it_begins(start: DayStart, begins: str, ends: str) -> None:
    calendar = Calendar((), MONDAY)
    assert (calendar.begins(3, start), calendar.begins(4, start)) == (at(begins), at(ends))
    assert [calendar.day_at(at(begins) - 1, start), calendar.day_at(at(begins), start)] == [2, 3]
    assert [calendar.day_at(at(ends) - 1, start), calendar.day_at(at(ends), start)] == [3, 4]
    over = calendar.begins(4, DayStart(23, "Etc/GMT+12"))
    assert [calendar.first_open(over - 1), calendar.first_open(over)] == [3, 4], "nowhere does a day end later"


def test_the_day_on_which_the_clocks_leave_the_hour_out_begins_at_the_next_one() -> None:
    calendar = Calendar((), date(2026, 3, 23))
    berlin = DayStart(2, "Europe/Berlin")
    assert [calendar.begins(day, berlin) for day in (6, 7, 8)] == [
        at("2026-03-28 01:00"), at("2026-03-29 01:00"), at("2026-03-30 00:00")
    ]  # fmt: skip


ZONES = ("UTC", "Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca",
         "America/Santiago", "Pacific/Kiritimati", "Pacific/Midway")  # fmt: skip


@given(zone=st.sampled_from(ZONES), hour=st.integers(0, 23), since=st.integers(0, 3 * 365 * 24))
def test_days_go_on_as_the_clock_on_the_wall_says(zone: str, hour: int, since: int) -> None:
    calendar, start, there = Calendar((), MONDAY), DayStart(hour, zone), ZoneInfo(zone)
    began = datetime(2026, 1, 5, tzinfo=UTC) + timedelta(hours=since)
    day, seen = None, set[date]()
    for minutes in range(0, 3 * 24 * 60, 15):
        moment = began + timedelta(minutes=minutes)
        wall = moment.astimezone(there)
        if wall.hour >= hour and wall.date() not in seen:
            seen.add(wall.date())
            day = (wall.date() - MONDAY).days + 1
        if minutes >= 24 * 60:
            assert calendar.day_at(moment.timestamp(), start) == day


def test_a_damaged_day_start_counts_as_another_one() -> None:
    calendar = Calendar((), MONDAY)
    for zone in ("", "Nowhere/Land", "../../etc/passwd", "x" * 9999):
        assert calendar.begins(1, DayStart(0, zone)) == calendar.begins(1)
    assert calendar.begins(1, DayStart(24 * 10**9 + 3)) == calendar.begins(1) + 3 * 3600


def test_a_puzzle_is_for_practice_from_the_start_or_after_its_day_and_never_before() -> None:
    puzzles = {puzzle.name: puzzle for puzzle in some("bouncers", 23)}
    daily = [name for name, puzzle in list(puzzles.items())[:20] if not is_for_practice(puzzle)]
    collection = Collection(puzzles, Calendar(tuple(daily), MONDAY))
    days = len(collection.calendar.names)
    first = set(collection.practice(1))
    assert first == {name for name, puzzle in puzzles.items() if is_for_practice(puzzle)}
    for today in range(1, days + 3):
        known = set(collection.practice(today))
        assert known == first | {collection.calendar.puzzle_of(day) for day in range(1, min(today, days + 1))}
        assert collection.calendar.puzzle_of(today) not in known
    assert set(puzzles) - set(collection.practice(days + 1)) == {"bouncers-21", "bouncers-22", "bouncers-23"}, "not written yet"
    withdrawn = collection.calendar.puzzle_of(2)
    assert first | {collection.calendar.puzzle_of(1)} == set(collection.practice(3, voided=[2]))
    assert withdrawn not in collection.practice(days + 1, voided=[2])


WERE = (
    "bouncers-1", "bouncers-6", "bouncers-3", "bouncers-2", "bouncers-8", "bouncers-4", "bouncers-7", "bouncers-9", "pucks-4",
    "bouncers-13", "bunny-4", "bouncers-18", "pucks-7", "bouncers-34",
)  # fmt: skip
"""The puzzles of the days before Monday, 7 December 2026, from which on the calendar was laid anew."""


def test_past_days_have_not_changed() -> None:
    assert packaged().calendar.first == date(2026, 11, 23)
    assert packaged().calendar.names[: len(WERE)] == WERE


def test_every_day_of_a_year_has_a_puzzle_none_for_practice_and_none_that_is_retired() -> None:
    whole = packaged()
    names = whole.calendar.names
    assert len(names) - len(WERE) >= 365
    assert [whole.of_day(day) for day in (0, len(names) + 1)] == [None, None]
    assert whole.calendar.first.weekday() == 0
    for name in names[len(WERE) :]:
        assert name is not None
        assert name not in whole.retired
        assert not is_for_practice(whole.puzzles[name])
