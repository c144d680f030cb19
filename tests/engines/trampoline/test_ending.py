"""How a game of BOUNCE ends, and what becomes of it when players leave."""

import pytest

from engines.game import Outcome
from engines.trampoline import Place
from tests.engines.trampoline.tokens import GAME, rolled, table


def test_the_first_to_land_ends_the_game():
    state = rolled("6v 3", "off", dice=(1, 1, 3)).state
    assert GAME.to_act(state) == ()
    assert GAME.choices(state, 1) == []
    assert GAME.view(state).dice == 0


def test_a_player_who_throws_up_is_out_and_the_rest_play_on():
    state = table("2v 14", "8v 14", "4v 3", dice=(6, 1, 1, 1, 1))
    state = GAME.play(state, 0, ("roll",)).state
    assert GAME.to_act(state) == (1,)
    state = GAME.play(state, 1, ("roll",)).state
    state = GAME.play(state, 2, ("roll",)).state
    assert GAME.outcome(state) == Outcome((2,), "Green landed after 3 jumps.")


def test_the_turn_passes_over_those_who_are_out():
    state = table("9v 3", "sick", "off", "sick", dice=(1, 1, 1, 1, 1, 1))
    state = GAME.play(state, 0, ("roll",)).state
    assert GAME.to_act(state) == (2,)
    state = GAME.play(state, 2, ("roll",)).state
    assert GAME.to_act(state) == (0,)


def test_a_player_left_alone_when_the_others_throw_up_still_has_to_land():
    state = rolled("2v 14", "5v 14", dice=(6,)).state
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == (1,)


def test_if_all_throw_up_nobody_wins_and_alone_you_either_land_or_throw_up():
    assert GAME.outcome(rolled("2v 14", "sick", dice=(6,)).state) == Outcome((), "Everybody threw up.")
    assert GAME.outcome(rolled("2v 14", dice=(1,)).state) == Outcome((0,), "Red landed after 14 jumps.")
    assert GAME.outcome(rolled("2v 14", dice=(2,)).state) == Outcome((), "Jump 15 was one too many.")


def test_whoever_leaves_takes_their_token_off_and_the_rest_play_on():
    step = GAME.withdraw(table("4v 3", "4^ 6", "off", sharing=(0, 1)), 0)
    assert [jumper.place for jumper in step.state.tokens] == [None, Place(4, "up"), None]
    assert step.state.sharing == ()
    assert GAME.to_act(step.state) == (1,)
    assert GAME.view(step.state).out == (0,)


def test_leaving_out_of_turn_does_not_pass_the_turn_on_and_the_last_one_left_wins():
    assert GAME.to_act(GAME.withdraw(table("4v 3", "5^ 6", "off"), 1).state) == (0,)
    state = GAME.withdraw(table("4v 3", "sick", "5v 6"), 0).state
    assert GAME.outcome(state) == Outcome((2,), "Everyone else went home.")
    assert GAME.outcome(GAME.withdraw(table("4v 3"), 0).state) == Outcome((), "Nobody’s left on the trampoline.")
    assert GAME.outcome(GAME.withdraw(table("4v 3", "sick"), 0).state) == Outcome((), "Nobody’s left on the trampoline.")


def test_a_player_who_left_does_not_make_the_last_one_win_after_another_threw_up():
    state = GAME.withdraw(table("2v 14", "5v 3", "4v 3", dice=(6,)), 1).state
    state = GAME.play(state, 0, ("roll",)).state
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == (2,)


def test_nobody_can_leave_twice_or_after_the_end():
    state = table("4v 3", "sick", "5v 6", "9v 1")
    with pytest.raises(ValueError, match="in the game any more"):
        GAME.withdraw(GAME.withdraw(state, 0).state, 0)
    with pytest.raises(ValueError, match="in the game any more"):
        GAME.withdraw(state, 1)
    with pytest.raises(ValueError, match="over"):
        GAME.withdraw(rolled("6v 3", "5^ 3", dice=(1, 1, 3)).state, 1)
