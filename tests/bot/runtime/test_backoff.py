"""The one formula for back-off."""

from hypothesis import given
from hypothesis import strategies as st

from bot.runtime.backoff import backoff


def test_each_failure_doubles_the_delay_up_to_the_longest() -> None:
    assert [backoff(failures, first=2.0, longest=30.0) for failures in range(6)] == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0]


@given(st.integers(0, 10**9))
def test_however_often_it_has_failed_there_is_a_delay(failures: int) -> None:
    assert 5.0 <= backoff(failures, first=5.0, longest=900.0) <= 900.0


@given(st.integers(0, 20))
def test_delays_are_spread_around_what_they_would_be(failures: int) -> None:
    plain = backoff(failures, first=5.0, longest=900.0)
    assert 0.8 * plain <= backoff(failures, first=5.0, longest=900.0, spread=0.2) <= 1.2 * plain
