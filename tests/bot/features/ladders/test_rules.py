"""Ladders: challenges, results, idle places and seasons."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.ladders.rules import (
    DAY,
    Challenge,
    Idleness,
    Refusal,
    Season,
    after_idleness,
    after_win,
    fresh_order,
    highest_in_reach,
    join,
    leave,
    refusal,
)

ORDER = tuple(range(1, 21))
"""Everybody stands at the place of their number."""


def test_players_may_challenge_forty_per_cent_upwards_and_always_the_next() -> None:
    assert {place: highest_in_reach(place) for place in (1, 2, 3, 4, 5, 9, 10, 20, 100)} == {
        1: 1, 2: 1, 3: 2, 4: 3, 5: 3, 9: 6, 10: 6, 20: 12, 100: 60,
    }  # fmt: skip
    assert refusal(ORDER, 10, 6) is None
    assert refusal(ORDER, 10, 5) is Refusal.TOO_FAR
    assert refusal(ORDER, 2, 1) is None
    assert refusal(ORDER, 6, 10) is Refusal.NOT_ABOVE
    assert refusal(ORDER, 6, 6) is Refusal.NOT_ABOVE
    assert refusal(ORDER, 6, 99) is Refusal.NOT_ON_LADDER


def test_a_player_has_at_most_three_challenges_out_and_three_in() -> None:
    out = [Challenge(10, 9), Challenge(10, 8), Challenge(10, 7)]
    assert refusal(ORDER, 10, 6, out[:2]) is None
    assert refusal(ORDER, 10, 6, out) is Refusal.TOO_MANY_OUT
    coming = [Challenge(11, 9), Challenge(12, 9), Challenge(13, 9)]
    assert refusal(ORDER, 10, 9, coming[:2]) is None
    assert refusal(ORDER, 10, 9, coming) is Refusal.TOO_MANY_IN
    assert refusal(ORDER, 9, 8, coming) is None, "who is challenged may challenge"
    assert refusal(ORDER, 10, 9, [Challenge(10, 9)]) is Refusal.OPEN
    assert refusal(ORDER, 10, 9, [Challenge(9, 10)]) is Refusal.OPEN, "they have changed places since"


def test_one_game_a_week_counts_between_the_same_two() -> None:
    assert refusal(ORDER, 10, 9, since_last=6.9 * DAY) is Refusal.PLAYED_THIS_WEEK
    assert refusal(ORDER, 10, 9, since_last=7 * DAY) is None


def test_the_winner_goes_directly_above_the_loser() -> None:
    assert after_win((1, 2, 3, 4, 5), 4, 2) == (1, 4, 2, 3, 5)
    assert after_win((1, 2, 3, 4, 5), 2, 4) == (1, 2, 3, 4, 5)
    assert after_win((1, 2, 3), 9, 2) == (1, 2, 3)
    assert join(leave((1, 2, 3), 2), 2) == (1, 3, 2)
    assert join((1, 2), 2) == (1, 2)


def idle(*days: float) -> dict[int, Idleness]:
    """Players numbered from 1, who last played on these days."""
    return {player: Idleness(day * DAY) for player, day in enumerate(days, 1)}


def test_idle_players_fall_one_place_a_week_from_the_thirtieth_day() -> None:
    assert [Idleness(0.0).falls_at(number) / DAY for number in range(3)] == [30, 37, 44]
    assert list(Idleness(0.0).falls_between(30 * DAY, 44 * DAY)) == [37 * DAY, 44 * DAY]
    playing = idle(0, 40, 40, 40)
    assert after_idleness((1, 2, 3, 4), playing, 29 * DAY, 31 * DAY) == (2, 1, 3, 4)
    assert after_idleness((1, 2, 3, 4), playing, 29 * DAY, 45 * DAY) == (2, 3, 4, 1)
    assert after_idleness((1, 2, 3, 4), playing, 31 * DAY, 36 * DAY) == (1, 2, 3, 4)
    assert after_idleness((1, 2, 3, 4), idle(0, 0, 40, 40), 29 * DAY, 31 * DAY) == (3, 1, 2, 4), "idle players keep their order"
    assert after_idleness((1, 2, 3), idle(0, 3, 40), 29 * DAY, 34 * DAY) == (2, 1, 3), "below 2 there was somebody idle"


def test_falls_come_at_their_own_moments_whoever_looks_when() -> None:
    one_look = after_idleness((1, 2, 3), idle(0, 4, 40), 29 * DAY, 45 * DAY)
    between = after_idleness((1, 2, 3), idle(0, 4, 40), 29 * DAY, 35 * DAY)
    assert after_idleness(between, idle(0, 4, 40), 35 * DAY, 45 * DAY) == one_look == (3, 2, 1)


def test_a_vacation_puts_off_the_falls_that_come_after_it_began() -> None:
    idleness = Idleness(0.0, away_from=33 * DAY, away_until=43 * DAY)
    assert [idleness.falls_at(number) / DAY for number in range(3)] == [30, 47, 54]
    assert [Idleness(0.0, 20 * DAY, 25 * DAY).falls_at(number) / DAY for number in range(2)] == [35, 42]
    assert Idleness(50 * DAY, 20 * DAY, 55 * DAY).falls_at(0) == 85 * DAY, "they played during it"
    assert Idleness(50 * DAY, 20 * DAY, 25 * DAY).falls_at(0) == 80 * DAY, "it was over before"


some_idleness = st.builds(
    lambda played, begins, lasts: Idleness(played * DAY, begins * DAY, (begins + lasts) * DAY),
    st.integers(0, 100), st.integers(0, 100), st.integers(0, 40),
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=200)
@given(
    st.permutations(range(6)),
    st.lists(some_idleness, min_size=6, max_size=6),
    st.lists(st.integers(0, 120), min_size=2, max_size=8).map(sorted),
)
def test_any_looks_in_between_give_the_same_order(order: list[int], some: list[Idleness], days: list[int]) -> None:
    known, looked = dict(enumerate(some)), tuple(order)
    for then, now in pairwise(days):
        looked = after_idleness(looked, known, then * DAY, now * DAY)
    assert looked == after_idleness(tuple(order), known, days[0] * DAY, days[-1] * DAY)


@settings(max_examples=50)
@given(
    st.permutations(range(8)),
    st.lists(st.floats(0, 100 * DAY), min_size=8, max_size=8),
    st.floats(0, 100 * DAY),
    st.floats(0, 100 * DAY),
)
def test_falling_loses_nobody_and_lifts_no_idle_player(order: list[int], played: list[float], one: float, other: float) -> None:
    then, now = sorted((one, other))
    last = {player: Idleness(at) for player, at in enumerate(played)}
    after = after_idleness(tuple(order), last, then, now)
    assert sorted(after) == sorted(order)
    idle = [player for player in order if last[player].falls_at(0) <= now]
    active = [player for player in order if player not in idle]
    assert [player for player in after if player in active] == active
    for player in active:
        assert after.index(player) <= order.index(player)


@settings(max_examples=50)
@given(st.permutations(range(9)), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=20))
def test_results_keep_everybody_on_the_ladder(order: list[int], games: list[tuple[int, int]]) -> None:
    now = tuple(order)
    for winner, loser in games:
        if winner != loser:
            before, now = now, after_win(now, winner, loser)
            assert now.index(winner) < now.index(loser)
            moved = [player for player in before if player != winner]
            assert [player for player in now if player != winner] == moved
    assert sorted(now) == sorted(order)


@pytest.mark.parametrize(
    ("day", "season"), [((2026, 1, 1), (2026, 1)), ((2026, 3, 31), (2026, 1)), ((2026, 12, 31), (2026, 4))]
)
def test_a_season_is_a_quarter_of_a_year(day: tuple[int, int, int], season: tuple[int, int]) -> None:
    time = datetime(*day, 12, tzinfo=UTC).timestamp()
    found = Season.at(time)
    assert (found.year, found.quarter) == season
    assert found.begins <= time < found.ends == found.next.begins
    assert Season.at(found.ends) == found.next
    assert Season.at(found.ends - 1) == found


def test_a_season_begins_with_a_fresh_order_by_lots() -> None:
    first = fresh_order(range(30), Season(2026, 4), b"key")
    assert sorted(first) == list(range(30))
    assert first == fresh_order(reversed(range(30)), Season(2026, 4), b"key")
    assert first != fresh_order(range(30), Season(2027, 1), b"key") != tuple(range(30))
