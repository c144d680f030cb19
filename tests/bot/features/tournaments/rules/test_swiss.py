"""The Swiss system: small examples of each criterion; test_random_tournaments.py compares whole events."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.pairing.swiss import pair_swiss
from bot.features.tournaments.rules.pairing.weights import weights_of
from bot.features.tournaments.rules.rounds import Ending, History, Round, RoundGame
from bot.features.tournaments.rules.tournament import start
from tests.bot.features.tournaments.rules.playing import KEY, play

SWISS = FORMATS["swiss"]


def met(paired: Round) -> set[frozenset[int]]:
    return {frozenset(game.seats) for game in paired.games}


def level(*players: int) -> dict[int, Fraction]:
    return dict.fromkeys(players, Fraction(0))


def test_in_the_first_round_the_upper_half_meets_the_lower_half() -> None:
    paired = pair_swiss(range(1, 9), level(*range(1, 9)), History.of([]))
    assert [game.seats for game in paired.games] == [(1, 5), (6, 2), (3, 7), (8, 4)]
    odd = pair_swiss(range(1, 8), level(*range(1, 8)), History.of([]))
    assert (met(odd), odd.byes) == ({frozenset({1, 4}), frozenset({2, 5}), frozenset({3, 6})}, (7,))


def test_equal_scores_meet_and_the_lowest_gets_the_bye() -> None:
    points = {1: Fraction(2), 2: Fraction(0), 3: Fraction(2), 4: Fraction(1), 5: Fraction(1)}
    paired = pair_swiss([1, 2, 3, 4, 5], points, History.of([]))
    assert (met(paired), paired.byes) == ({frozenset({1, 3}), frozenset({4, 5})}, (2,))


def test_nobody_gets_a_second_bye_after_a_forfeit_win() -> None:
    history = History.of([Round((RoundGame((3, 4), (1, 2), Ending.FORFEITED),), byes=(5,))])
    points = {1: Fraction(2), 2: Fraction(2), 3: Fraction(1), 4: Fraction(0), 5: Fraction(1)}
    assert pair_swiss([1, 2, 3, 4, 5], points, history).byes == (4,)
    assert pair_swiss([1, 2, 3, 5], points, history, forced=[(1,)]).byes[1] == 2
    assert frozenset({3, 4}) in met(pair_swiss([3, 4], points, history)), "they have not met"


def test_rematches_are_avoided_before_score_differences() -> None:
    history = History.of([Round((RoundGame((1, 2), (1, 1)), RoundGame((3, 4), (1, 1))))] * 2)
    points = {1: Fraction(9), 2: Fraction(9), 3: Fraction(0), 4: Fraction(0)}
    assert met(pair_swiss([1, 2, 3, 4], points, history)) & met(Round((RoundGame((1, 2)), RoundGame((3, 4))))) == set()
    rounds = (((1, 2), (3, 4)), ((1, 2),), ((1, 3), (2, 4)), ((1, 4), (2, 3)), ((1, 4),))
    all_met = History.of([Round(tuple(map(RoundGame, seats))) for seats in rounds])
    assert met(pair_swiss([1, 2, 3, 4], points, all_met)) == {frozenset({1, 3}), frozenset({2, 4})}


def test_two_middle_differences_are_better_than_a_large_and_a_small_one() -> None:
    """Both new pairings have the same sum of differences, and the other would have better seats."""
    history = History.of([Round((RoundGame((1, 2), (1, 1)), RoundGame((3, 4), (1, 1))))])
    points = {1: Fraction(4), 2: Fraction(3), 3: Fraction(1), 4: Fraction(0)}
    assert met(pair_swiss([1, 2, 3, 4], points, history)) == {frozenset({1, 3}), frozenset({2, 4})}


def test_seats_alternate_and_nobody_has_one_three_times_in_a_row() -> None:
    event = play(SWISS, 16, Random(5))
    for player in event.players:
        seats = [game.seats.index(player) for each in event.rounds for game in each.games if player in game.seats]
        assert abs(2 * sum(seats) - len(seats)) <= 2
        assert all(len(set(three)) > 1 for three in zip(seats, seats[1:], seats[2:], strict=False))


@settings(max_examples=10, deadline=None)
@given(players=st.integers(7, 18), seed=st.integers(0, 10**6))
def test_an_event_without_trouble_has_no_rematch_and_no_second_bye(players: int, seed: int) -> None:
    """Before the last round each has met less than half of the others, so a perfect matching of new games exists (Dirac)."""
    event = play(SWISS, players, Random(seed))
    history = History.of(event.rounds)
    assert len(event.rounds) == event.length == (players - 1).bit_length() + 1
    assert all(history.meetings(one, other) <= 1 for one in event.players for other in event.players if one != other)
    assert all(count <= 1 for count in history.byes.values())


def test_games_by_hand_are_kept() -> None:
    event = start(SWISS, range(1, 10), KEY).pair(forced=[(9, 1), (2,)], absent=[3])
    assert (event.rounds[0].games[0].seats, event.rounds[0].byes[0]) == ((9, 1), 2)
    assert sorted(event.rounds[0].players) == [1, 2, 4, 5, 6, 7, 8, 9]
    for wrong in ([(1, 3)], [(1, 2), (2, 4)], [(1, 2, 4)], [(1, 77)]):
        with pytest.raises(ValueError, match="by hand"):
            start(SWISS, range(1, 10), KEY).pair(forced=wrong, absent=[3])
    for other in ("round_robin", "knockout"):
        with pytest.raises(ValueError, match="by hand"):
            start(FORMATS[other], range(1, 5), KEY).pair(forced=[(1, 2)])


@settings(max_examples=50)
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=9), st.data())
def test_sums_of_weights_compare_as_the_costs_do(costs: list[tuple[int, int, int]], data: st.DataObject) -> None:
    weights = weights_of(dict(enumerate(costs)), 3)
    chosen = st.lists(st.integers(0, len(costs) - 1), max_size=3)
    one, other = data.draw(chosen), data.draw(chosen)
    sums = [tuple(sum(costs[each][criterion] for each in some) for criterion in range(3)) for some in (one, other)]
    assert (sums[0] < sums[1]) == (sum(weights[each] for each in one) < sum(weights[each] for each in other))
