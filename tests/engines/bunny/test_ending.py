"""How a game of Bounce Bunny Bounce ends."""

import pytest

from engines.game import Outcome
from tests.engines.bunny.cards import GAME, play, shock_phase, table


def test_a_turn_without_a_carrot_is_counted_and_one_with_a_carrot_starts_the_count_again():
    state = table({"c1": "stop", "d3": "carrot"}, quiet_turns=7)
    assert play(state, "enter c").state.quiet_turns == 8
    state = table({"c3": "stop", "d3": "carrot", "g5": "stop"}, quiet_turns=7, bunnies=["c3", "g5"])
    state = play(state, "right").state
    assert state.carrot_taken
    assert play(state, "pass").state.quiet_turns == 0
    state = play(table({"c3": "stop", "d3": "carrot", "c1": "spy", "a1": "left"}, bunnies=["c3", None]), "right").state
    assert play(state, "enter c", "spy a1", "pass").state.quiet_turns == 1


def test_a_carrot_taken_by_a_universal_shock_starts_the_count_again():
    assert play(shock_phase({"d4": "carrot"}, "d3", quiet_turns=79), "shock up").state.quiet_turns == 0


@pytest.mark.parametrize(
    ("carrots", "outcome"),
    [
        ([2, 1], Outcome((0,), "No carrot for 80 turns, so 2 beats 1.")),
        ([1, 2], Outcome((1,), "No carrot for 80 turns, so 2 beats 1.")),
        ([1, 1], Outcome((), "No carrot for 80 turns, and the scores are level.")),
    ],
)
def test_after_80_turns_without_a_carrot_more_carrots_win_and_equal_is_a_draw(carrots, outcome):
    state = play(table({"c1": "stop"}, carrots=carrots, quiet_turns=78), "enter c").state
    assert GAME.outcome(state) is None
    state = table({"c1": "stop"}, carrots=carrots, quiet_turns=79)
    state = play(state, "enter c").state
    assert GAME.outcome(state) == outcome
    assert GAME.to_act(state) == ()


def test_whoever_leaves_loses():
    for seat, name in enumerate(("Red", "Blue")):
        state = GAME.withdraw(GAME.start(2), seat).state
        assert GAME.outcome(state) == Outcome((1 - seat,), f"{name} left the game.")
        assert GAME.view(state).out == (seat,)
        assert GAME.from_position(GAME.position(state)) == state
        with pytest.raises(ValueError, match="over"):
            GAME.withdraw(state, 1 - seat)
