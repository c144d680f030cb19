"""In random games the engine keeps turns, cards and waiting wins as the plain second reading of the rules does."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engines.pucks.drawing import PUCKS
from tests.engines.pucks.random_games import KINDS, begun, chosen
from tests.engines.pucks.referee import Referee

pytestmark = pytest.mark.slow


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), st.sampled_from(KINDS), st.integers(0, 10**9))
def test_a_random_game_goes_as_the_referee_says(seats, kind, seed):
    dice = random.Random(seed)
    state = begun(kind, seats, dice)
    referee = Referee(state)
    for _ in range(100):
        referee.check(state)
        if PUCKS.outcome(state) is not None:
            return
        if dice.random() < 0.01 and len(state.live) > 2:
            seat = dice.choice(state.live)
            state = PUCKS.withdraw(state, seat).state
            referee.leave(seat)
        else:
            seat = dice.choice(PUCKS.may_act(state) if dice.random() < 0.4 else PUCKS.to_act(state))
            action = chosen(kind, state, seat, dice)
            before, state = state, PUCKS.play(state, seat, action).state
            referee.act(before, seat, action, state)
        referee.go_on(state)
