"""Pace: how soon a person takes their turns, and how many of them time out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.pace import FEWEST_TURNS, Pace, Span, Turn, pace_of

HOUR = 3600.0
DAY = 24 * HOUR


def turn(begins: float, seconds: float, *, timed_out: bool = False) -> Turn:
    return Turn((Span(begins, begins + seconds),), DAY, timed_out)


def turns(*hours: float) -> list[Turn]:
    """Turns a week apart that took so long."""
    return [turn(7 * DAY * number, HOUR * length) for number, length in enumerate(hours)]


def test_a_pace_is_the_median_of_the_turns() -> None:
    assert pace_of(turns(1, 9, 2, 8, 3, 7, 4, 6, 5, 20, 23)) == Pace(11, 6 * HOUR, 0)


def test_too_few_turns_make_no_pace() -> None:
    assert pace_of(turns(*[1.0] * (FEWEST_TURNS - 1))) is None
    assert pace_of(turns(*[1.0] * FEWEST_TURNS)) == Pace(FEWEST_TURNS, HOUR, 0)


def test_time_outs_are_turns_that_took_the_whole_time() -> None:
    late = [turn(100 * DAY + number * DAY, DAY, timed_out=True) for number in range(6)]
    pace = pace_of([*turns(*[1.0] * 6), *late])
    assert pace == Pace(12, 12.5 * HOUR, 6)
    assert pace.timeout_share == 0.5


def test_a_turn_of_several_actions_takes_the_time_of_all_of_them() -> None:
    three = Turn((Span(0, HOUR), Span(HOUR, 3 * HOUR), Span(3 * HOUR, 3.5 * HOUR)), DAY)
    assert three.seconds() == 3.5 * HOUR


def test_a_pause_within_a_turn_does_not_count() -> None:
    vacation = Span(10 * HOUR, 5 * DAY)
    assert turn(9 * HOUR, 5 * DAY).seconds([vacation]) == 10 * HOUR
    assert turn(11 * HOUR, 2 * HOUR).seconds([vacation]) == 0.0
    assert turn(6 * DAY, HOUR).seconds([vacation]) == HOUR


def test_an_unknown_pause_counts_for_no_more_than_the_clock() -> None:
    assert turn(0, 14 * DAY).seconds() == DAY
    twice = Turn((Span(0, 14 * DAY), Span(14 * DAY, 14 * DAY + HOUR)), DAY)
    assert twice.seconds() == DAY + HOUR


MOMENTS = st.floats(0, 1e9)
SPANS = st.builds(Span, MOMENTS, MOMENTS)


@given(waits=st.lists(SPANS, min_size=1, max_size=4), pause=SPANS)
def test_no_turn_takes_less_than_nothing_or_more_than_its_clock(waits: list[Span], pause: Span) -> None:
    taken = Turn(tuple(waits), DAY)
    assert 0.0 <= taken.seconds([pause]) <= taken.seconds() <= DAY * len(waits)


def test_a_clock_that_was_set_back_makes_no_turn_shorter_than_nothing() -> None:
    assert turn(100.0, -50.0).seconds() == 0.0
    assert Span(0, 10).overlap(Span(20, 30)) == pytest.approx(0.0)
