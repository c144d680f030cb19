"""Pods: their sizes, who meets whom, and the order of the seats."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.pairing.pods import EXACT, pair_pods, pod_sizes
from bot.features.tournaments.rules.rounds import History, pairs_of
from bot.features.tournaments.rules.tournament import start
from tests.bot.features.tournaments.rules.playing import KEY, finish_round

PODS = FORMATS["pods"]


@given(st.integers(3, 200))
def test_pods_of_three_to_five_leave_nobody_out(players: int) -> None:
    sizes = pod_sizes(players, 3, 5)
    assert sum(sizes) == players
    assert all(3 <= size <= 5 for size in sizes)
    assert sizes[0] - sizes[-1] <= 1


@given(players=st.integers(0, 60), smallest=st.integers(2, 6), more=st.integers(0, 3))
def test_pods_of_other_sizes_leave_out_as_few_as_possible(players: int, smallest: int, more: int) -> None:
    largest = smallest + more
    sizes = pod_sizes(players, smallest, largest)
    assert all(smallest <= size <= largest for size in sizes)
    possible = {0}
    for _ in range(players):
        possible |= {sum_ + size for sum_ in possible for size in range(smallest, largest + 1) if sum_ + size <= players}
    assert sum(sizes) == max(possible)


def test_the_usual_sizes() -> None:
    sizes = {count: pod_sizes(count, 3, 5) for count in range(2, 13)}
    assert sizes == {
        2: (), 3: (3,), 4: (4,), 5: (5,), 6: (3, 3), 7: (4, 3), 8: (4, 4), 9: (5, 4), 10: (5, 5), 11: (4, 4, 3),
        12: (4, 4, 4),
    }  # fmt: skip


def test_those_without_a_pod_get_byes_in_turn() -> None:
    points, history = {player: Fraction(player > 5) for player in range(1, 8)}, History.of([])
    first = pair_pods(range(1, 8), points, history, (4, 5))
    assert first.byes == (5, 4)
    assert pair_pods(range(1, 8), points, History.of([first]), (4, 5)).byes == (3, 2)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_players_of_one_pod_have_each_seat_once_before_any_twice(players: int) -> None:
    event = start(PODS, range(1, players + 1), KEY)
    seats: dict[int, Counter[int]] = {player: Counter() for player in event.players}
    for number in range(event.length):
        event = event.pair()
        (game,) = event.rounds[-1].games
        for seat, player in enumerate(game.seats):
            seats[player][seat] += 1
        event = event.settle(number, 0, game.finish(*range(1, players + 1)))
        assert all(max(counts.values()) == 1 + number // players for counts in seats.values())


@pytest.mark.parametrize("players", [16, 20])
def test_nobody_meets_anybody_twice_while_new_people_are_left(players: int) -> None:
    event = finish_round(start(PODS, range(1, players + 1), KEY).pair(), Random(players)).pair()
    history = History.of(event.rounds)
    assert all(history.meetings(one, other) <= 1 for one, other in pairs_of(event.players))


def test_equal_points_meet_in_the_second_round() -> None:
    event = start(PODS, range(1, 10), KEY).pair(forced=[(1, 2, 3), (4, 5, 6), (7, 8, 9)])
    for index, game in enumerate(event.rounds[0].games):
        event = event.settle(0, index, game.finish(1, 2, 3))
    event = event.pair(forced=[])
    points = event.scores.points
    pods = [[points[player] for player in game.seats] for game in event.rounds[1].games]
    assert sorted(map(len, pods)) == [4, 5]
    history = History.of(event.rounds)
    again = sum(history.meetings(one, other) > 1 for one, other in pairs_of(event.players))
    assert again == 3, "of three threes, two players each in the pod of five twice, and in that of four once"


def test_the_same_players_are_always_divided_in_the_same_way() -> None:
    players = range(EXACT + 3)
    points = {player: Fraction(player % 3) for player in players}
    once, again = (pair_pods(players, points, History.of([]), (3, 5)) for _ in range(2))
    assert once == again
