"""Who bumps whom where in BOUNCE, and what comes of it."""

import pytest

from engines.game import Outcome
from engines.trampoline import Bump, Place
from tests.engines.trampoline.tokens import GAME, after, bumps_of, rolled, table, written


def test_tokens_pass_each_other_freely():
    step = rolled("2^ 3", "3^ 3", "4v 3", "1^ 3", dice=(1, 1, 1))
    assert [written(jumper) for jumper in step.state.tokens] == ["5^ 3", "3^ 3", "4v 3", "1^ 3"]
    assert bumps_of(step) == []


@pytest.mark.parametrize("spot", range(4, 9))
def test_up_onto_up_the_other_moves_one_place_on(spot):
    assert after(f"{spot - 3}^ 3", f"{spot}^ 3", dice=(1, 1, 1)) == [f"{spot}^ 3", f"{spot + 1}^ 3"]


@pytest.mark.parametrize("spot", range(4, 10))
def test_up_onto_down_the_mover_goes_one_lower_and_faces_down(spot):
    assert after(f"{spot - 3}^ 3", f"{spot}v 3", dice=(1, 1, 1)) == [f"{spot - 1}v 3", f"{spot}v 3"]


@pytest.mark.parametrize("spot", range(2, 7))
def test_down_onto_down_the_other_moves_one_place_on(spot):
    assert after(f"{spot + 3}v 3", f"{spot}v 3", dice=(1, 1, 1)) == [f"{spot}v 3", f"{spot - 1}v 3"]


@pytest.mark.parametrize("spot", range(2, 7))
def test_down_onto_up_the_other_goes_one_lower_and_faces_down(spot):
    assert after(f"{spot + 3}v 3", f"{spot}^ 3", dice=(1, 1, 1)) == [f"{spot}v 3", f"{spot - 1}v 3"]


def test_down_onto_up_on_spot_1_the_other_only_turns_and_both_have_landed():
    step = rolled("4v 3", "1^ 6", dice=(1, 1, 1))
    assert [written(jumper) for jumper in step.state.tokens] == ["1v 3", "1v 6"]
    assert GAME.outcome(step.state) == Outcome((0, 1), "Landed in the same turn: Red, Blue.")


def test_one_place_on_from_1_facing_up_is_2_facing_up_and_no_bump_changes_a_jump_counter():
    assert after("3v 3", "1^ 6", dice=(1, 1, 1)) == ["1^ 4", "2^ 6"]
    assert after("3v 3", "1^ 14", dice=(1, 1, 1)) == ["1^ 4", "2^ 14"]


def test_the_mover_who_is_set_back_from_spot_2_has_landed():
    step = rolled("3v 3", "2v 7", dice=(1, 1, 2))
    assert [written(jumper) for jumper in step.state.tokens] == ["1v 4", "2v 7"]
    assert GAME.outcome(step.state) == Outcome((0,), "Red landed after 4 jumps.")


def test_players_off_the_board_or_thrown_up_are_on_no_spot():
    assert after("off", "off", "sick", dice=(1, 1, 1)) == ["3^ 1", "off", "sick"]


def test_the_falling_rule_comes_before_bumping_and_not_for_bumped_tokens():
    assert after("1^ 10", "4^ 3", dice=(3,)) == ["4v 10", "3v 3"]
    assert after("1^ 10", "4v 3", dice=(3,)) == ["4v 10", "3v 3"]
    step = rolled("3v 3", "1^ 12", dice=(1, 1, 1))
    assert step.state.tokens[1].facing == "up"


def test_one_place_on_from_9_up_is_9_down_and_both_share_the_top_in_peace():
    step = rolled("6^ 3", "9^ 3", dice=(1, 1, 1))
    assert [written(jumper) for jumper in step.state.tokens] == ["9^ 3", "9v 3"]
    assert step.state.sharing == (1, 0)
    assert bumps_of(step) == [Bump(0, 1, 1, Place(9, "up"), Place(9, "down"))]


def test_a_token_that_was_moved_onto_a_third_bumps_it_as_the_new_mover():
    step = rolled("1^ 3", "4^ 3", "5^ 3", "6v 3", dice=(1, 1, 1))
    # Blue is lifted onto Green, Green is lifted onto Yellow, who comes down: Green drops back to Blue, who has been moved.
    assert [written(jumper) for jumper in step.state.tokens] == ["4^ 3", "5^ 3", "5v 3", "6v 3"]
    assert [(bump.seat, bump.other, bump.moved) for bump in bumps_of(step)] == [(0, 1, 1), (1, 2, 2), (2, 3, 2)]
    assert step.state.sharing == (1, 2)


def test_a_token_that_was_set_back_onto_a_third_bumps_it_as_the_new_mover():
    step = rolled("1^ 3", "4v 3", "3v 3", dice=(1, 1, 1))
    assert [written(jumper) for jumper in step.state.tokens] == ["3v 3", "4v 3", "2v 3"]
    assert [(bump.seat, bump.other, bump.moved) for bump in bumps_of(step)] == [(0, 1, 0), (0, 2, 2)]


def test_a_chain_may_land_two_players_at_once():
    step = rolled("2v 9", "2v 3", "1^ 4", dice=(1, 2), sharing=(0, 1))
    # Red goes round to 2 up, falls there (counter 10), pushes Blue down onto Green, who turns: Blue and Green land.
    assert [written(jumper) for jumper in step.state.tokens] == ["2v 10", "1v 3", "1v 4"]
    assert GAME.outcome(step.state) == Outcome((1, 2), "Landed in the same turn: Blue, Green.")


def test_of_two_tokens_on_the_spot_the_one_that_has_been_there_longer_is_bumped():
    assert after("6^ 3", "9^ 4", "9v 5", dice=(1, 1, 1), sharing=(1, 2)) == ["9^ 3", "9v 4", "9v 5"]
    assert after("6^ 3", "9^ 4", "9v 5", dice=(1, 1, 1), sharing=(2, 1)) == ["8v 3", "9^ 4", "9v 5"]
    assert after("9^ 12", "9v 3", dice=(1,), sharing=(0, 1)) == ["9v 12", "8v 3"]


def test_how_long_a_token_has_been_there_is_remembered_from_turn_to_turn():
    state = table("6^ 3", "9^ 3", "6^ 4", dice=(1, 1, 1, 6, 6, 6, 1, 1, 1))
    state = GAME.play(state, 0, ("roll",)).state
    assert [written(jumper) for jumper in state.tokens] == ["9^ 3", "9v 3", "6^ 4"]
    assert state.sharing == (1, 0)
    state = GAME.play(state, 1, ("roll",)).state
    # Blue has gone round once and comes down on Red at the top, who drops to spot 8.
    assert [written(jumper) for jumper in state.tokens] == ["8v 3", "9v 4", "6^ 4"]
    state = GAME.play(state, 2, ("roll",)).state
    assert [written(jumper) for jumper in state.tokens] == ["7v 3", "9v 4", "8v 4"]


def test_a_token_that_was_already_moved_in_this_turn_is_not_bumped_and_shares_the_spot():
    step = rolled("1^ 3", "4^ 3", "5v 3", dice=(1, 1, 1))
    # Blue is lifted to spot 5, meets Green coming down, and drops back to spot 4, where Red has come to rest.
    assert [written(jumper) for jumper in step.state.tokens] == ["4^ 3", "4v 3", "5v 3"]
    assert step.state.sharing == (0, 1)


def test_a_token_that_only_turns_at_the_top_has_been_there_all_the_while_and_bumps_nobody():
    step = rolled("6^ 3", "9^ 3", "9v 3", dice=(1, 1, 1), sharing=(1, 2))
    assert [written(jumper) for jumper in step.state.tokens] == ["9^ 3", "9v 3", "9v 3"]
    assert step.state.sharing == (1, 2, 0)
    assert len(bumps_of(step)) == 1
