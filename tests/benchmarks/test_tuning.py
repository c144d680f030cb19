"""Tuning: the factors of the weights, the regression, and computers with weights of their own."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import exp
from random import Random

import pytest

from benchmarks.matches import Request
from benchmarks.tuning import HOME, OF_EACH, fitted, likeliest, quiet_positions, rows, solved, vector, weighed, weights_of
from engines.bouncers import Bouncers, State
from engines.bouncers.state import SETUPS
from engines.game import legal_actions
from opponents import Level
from opponents.bouncers.evaluation import UNIT, WEIGHTS, Evaluation
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from tests.opponents.bouncers.test_opponent import position

GAME = Bouncers()


def positions(variant: str, seed: int) -> Iterator[State]:
    state, rng = GAME.start(2, variant), Random(seed)
    while GAME.outcome(state) is None:
        yield state
        state = GAME.advance(state, state.to_move, rng.choice(list(legal_actions(GAME, state, state.to_move))))


@pytest.mark.parametrize("variant", SETUPS)
def test_the_evaluation_is_the_sum_of_the_weights_times_their_factors(variant: str) -> None:
    weights, evaluation, with_kings = WEIGHTS[variant], Evaluation(variant), 0
    found = [position_of(state) for state in islice(positions(variant, 1), 150)]
    for here, (factors, fixed, share) in zip(found, rows(variant, ((each, 1.0) for each in found)), strict=True):
        value = evaluation.evaluate(here, evaluation.score(here)) / weights.spread
        assert share == 1
        counted = sum(weight * factor for weight, factor in zip(vector(weights), factors, strict=True)) / weights.spread
        assert counted + fixed == pytest.approx(value)
        if not here[2]:
            assert fixed == pytest.approx(0)
        with_kings += bool(here[2])
    assert with_kings or SETUPS[variant].terminal


def test_weights_are_read_back_from_their_numbers() -> None:
    for weights in WEIGHTS.values():
        assert weights_of([number / weights.spread for number in vector(weights)], weights, weights.spread) == weights


def test_positions_are_quiet_and_have_the_result_of_their_game() -> None:
    kernel, found = Kernel("8x8-16"), list(quiet_positions("8x8-16", 1))
    assert len(found) == len(dict(found)) == OF_EACH
    assert not any(kernel.loud(here) for here, _ in found)
    red, blue = ({share for here, share in found if here[3] == seat} for seat in (0, 1))
    assert len(red) == len(blue) == 1
    assert sum(red | blue) == 1 or red == blue == {0.5}


def test_linear_equations_are_solved() -> None:
    assert solved([[4.0, 2.0], [2.0, 3.0]], [2.0, 5.0]) == pytest.approx([-0.5, 2.0])


def test_the_regression_finds_the_weights_behind_the_results() -> None:
    rng, true = Random(1), (0.5, -1.0, 2.0)
    data = []
    for _ in range(400):
        factors, fixed = [rng.uniform(-2, 2) for _ in true], rng.uniform(-1, 1)
        data.append((factors, fixed, 1 / (1 + exp(-fixed - sum(a * b for a, b in zip(true, factors, strict=True))))))
    assert likeliest(data, [0.0] * 3, [100.0] * 3) == pytest.approx(true, abs=1e-3)
    assert likeliest([], [1.0, 2.0, 3.0], [1.0] * 3) == [1, 2, 3]


def test_a_counter_near_home_is_worth_a_hundred() -> None:
    weights = WEIGHTS["8x8-16"]
    rng = Random(2)
    data = [([rng.uniform(-3, 3) for _ in vector(weights)], 0.0, rng.random()) for _ in range(200)]
    assert sum(fitted(data, weights).ranks[:HOME]) == pytest.approx(UNIT * HOME, abs=HOME)


def test_a_computer_plays_by_the_weights_that_it_is_given_and_the_others_by_theirs() -> None:
    state = position(0, ["a1", "b2", "g7", "g6"], ["d3", "Kh1"])
    present = WEIGHTS["8x8-16"]
    flat = (100,) * len(present.ranks)
    for_kings, against = replace(present, ranks=flat, king=900), replace(present, ranks=flat, king=-900)
    chosen = {}
    for name, weights in (("for", for_kings), ("against", against)):
        asked = Request(GAME, state, 0, (), "a", waited_for=True)
        chosen[name] = weighed("8x8-16", weights, Level.EASY)(asked)
        assert WEIGHTS["8x8-16"] is present
    assert chosen["for"] == ("g7", "g8")
    assert chosen["against"] != ("g7", "g8")
