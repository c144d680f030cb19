"""Games that outlast their round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.tournaments.rules.rounds import adjudicate


def test_whoever_used_the_most_time_loses() -> None:
    assert (adjudicate([100.0, 99.0]), adjudicate([5.0, 5.0])) == ((2, 1), (1, 1))


def test_the_others_come_behind_those_who_have_finished() -> None:
    assert adjudicate([1.0, 50.0, 60.0, 40.0], [0, 2, 1, 0]) == (3, 2, 1, 4)
    assert adjudicate([1.0, 50.0, 60.0, 1.0, 2.0], [0, 1, 1, 0, 0]) == (3, 1, 1, 3, 5)


def test_places_are_given_for_all_seats_or_for_none() -> None:
    with pytest.raises(ValueError, match="each seat"):
        adjudicate([1.0, 2.0], [1])


@given(st.lists(st.tuples(st.floats(0, 1e7), st.integers(0, 4)), min_size=2, max_size=6))
def test_more_time_is_never_better(seats: list[tuple[float, int]]) -> None:
    places = adjudicate([used for used, _ in seats], [place for _, place in seats])
    for (used, finished), mine in zip(seats, places, strict=True):
        for (other_used, other_finished), theirs in zip(seats, places, strict=True):
            if not finished and not other_finished:
                assert (used < other_used) == (mine < theirs)
            if finished and not other_finished:
                assert mine < theirs
    assert min(places) == 1
    assert max(places) <= len(places)
