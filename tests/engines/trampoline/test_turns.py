"""A turn of BOUNCE, sentence by sentence: the track, the jumps, the dice, the fall, the faceplant and the landing."""

import random
from itertools import product

import pytest

from engines.game import Outcome, passive_action
from engines.trampoline import Jumper, Place, TrampolineState
from engines.trampoline.track import CYCLE
from tests.engines.trampoline.tokens import GAME, after, bumps_of, path_of, rolled, table, written


def test_there_are_nine_spots_and_eighteen_places():
    assert [place.spot for place in CYCLE] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert [place.facing for place in CYCLE] == ["up"] * 9 + ["down"] * 9


def test_one_move_takes_a_token_one_place_along_the_cycle_also_where_it_turns():
    assert path_of(rolled("2^ 1", dice=(1, 1, 2))) == "3^ 4^ 5^ 6^"
    step = rolled("8^ 1", dice=(1, 1, 1))
    assert path_of(step) == "9^ 9v 8v"
    assert written(step.state.tokens[0]) == "8v 1"
    assert path_of(rolled("2v 5", dice=(1, 2))) == "1v 1^ 2^"


def test_a_player_starts_off_the_board_and_the_first_arrival_on_1_facing_up_is_jump_1():
    for seats in (1, 2, 3, 4):
        assert GAME.start(seats).tokens == (Jumper(None, 0),) * seats
    assert path_of(rolled("off", dice=(1, 1, 1))) == "1^ 2^ 3^"
    assert after("off", dice=(1, 1, 1)) == ["3^ 1"]


@pytest.mark.parametrize("jumps", range(1, 14))
def test_each_arrival_on_1_facing_up_is_a_jump(jumps):
    dice = (3,) if jumps >= 10 else (1, 2) if jumps >= 5 else (1, 1, 1)
    assert after(f"3v {jumps}", dice=dice) == [f"1^ {jumps + 1}"]


def test_a_player_whose_counter_reaches_15_has_thrown_up_and_is_out():
    step = rolled("2v 14", "off", dice=(2,))
    assert [written(jumper) for jumper in step.state.tokens] == ["sick", "off"]
    assert GAME.view(step.state).out == (0,)
    assert [event.kind for event in step.events] == ["roll", "throw-up"]


def test_throwing_up_voids_the_rest_of_the_roll():
    step = rolled("2v 14", "4v 3", dice=(6,))
    assert path_of(step) == "1v 1^"
    assert [written(jumper) for jumper in step.state.tokens] == ["sick", "4v 3"]
    assert bumps_of(step) == []


@pytest.mark.parametrize("jumps", range(15))
def test_the_counter_before_the_roll_says_how_many_dice(jumps):
    dice = 3 if jumps <= 4 else 2 if jumps <= 9 else 1
    state = table("off" if jumps == 0 else f"9v {jumps}", dice=(1,) * dice)
    assert GAME.view(state).dice == dice
    roll = GAME.play(state, 0, ("roll",)).events[0].detail
    assert roll.dice == (1,) * dice


def test_a_jump_in_the_middle_of_a_roll_does_not_change_the_dice_of_that_roll():
    assert rolled("2v 4", dice=(2, 3, 4)).events[0].detail.dice == (2, 3, 4)
    assert after("2v 4", dice=(2, 3, 4)) == ["8^ 5"]


def test_on_3_down_with_counter_10_a_six_falls_from_spot_4():
    step = rolled("3v 10", dice=(6,))
    assert path_of(step) == "2v 1v 1^ 2^ 3^ 4^"
    assert written(step.state.tokens[0]) == "4v 11"
    assert step.events[0].detail.fell


@pytest.mark.parametrize("spot", range(2, 7))
def test_a_token_that_faces_up_on_spot_2_or_above_falls_for_free(spot):
    assert after("1^ 10", dice=(spot - 1,)) == [f"{spot}v 10"]


def test_only_a_token_that_faces_up_on_spot_2_or_above_falls_by_the_counter_after_the_moves():
    step = rolled("2v 10", dice=(2,))
    assert written(step.state.tokens[0]) == "1^ 11"
    assert not step.events[0].detail.fell
    assert after("2v 9", dice=(2, 3)) == ["4v 10"]
    assert after("2v 8", dice=(2, 3)) == ["4^ 9"]
    assert not rolled("9v 12", dice=(3,)).events[0].detail.fell
    assert after("8^ 10", dice=(1,)) == ["9v 10"]


@pytest.mark.parametrize(("place", "jumps"), list(product(CYCLE[:-1], range(1, 15))))
def test_the_faceplant_is_open_with_the_counter_at_14_on_2_or_3_facing_down_only(place, jumps):
    state = TrampolineState((Jumper(place, jumps), Jumper()))
    offered = [choice.token for choice in GAME.choices(state, 0)]
    open_now = jumps == 14 and place in {Place(2, "down"), Place(3, "down")}
    assert offered == (["roll", "faceplant"] if open_now else ["roll"])
    assert [shortcut.action for shortcut in GAME.shortcuts(GAME.view(state))] == [(word,) for word in offered]


@pytest.mark.parametrize(
    ("start", "coin", "end"), [("2v 14", 1, "1v 14"), ("2v 14", 2, "sick"), ("3v 14", 1, "2v 14"), ("3v 14", 2, "1v 14")]
)
def test_a_faceplant_moves_1_or_2(start, coin, end):
    step = rolled(start, dice=(coin,), action="faceplant")
    assert written(step.state.tokens[0]) == end
    assert step.events[0].detail.dice == (coin,)
    assert step.events[0].detail.faceplant


def test_a_faceplant_is_a_fair_coin():
    with pytest.raises(LookupError, match="not below 2"):
        rolled("2v 14", dice=(3,), action="faceplant")


def test_whoever_is_away_rolls_and_a_faceplant_that_ends_on_another_token_bumps_it():
    assert {passive_action(GAME, table("2v 14"), 0, random.Random(number)) for number in range(20)} == {("roll",)}
    assert after("3v 14", "2v 4", dice=(1,), action="faceplant") == ["2v 14", "1v 4"]


def test_a_token_that_ends_on_1_facing_down_has_landed_and_won():
    step = rolled("6v 3", "5^ 3", dice=(1, 1, 3))
    assert GAME.outcome(step.state) == Outcome((0,), "Red landed after 3 jumps.")
    assert [event.kind for event in step.events] == ["roll", "land"]


def test_passing_1_facing_down_in_the_middle_of_a_roll_is_no_landing():
    state = rolled("2v 3", dice=(1, 1, 1)).state
    assert GAME.outcome(state) is None
    assert written(state.tokens[0]) == "2^ 4"


def test_the_first_roll_wins_in_1_of_216():
    won = [dice for dice in product(range(1, 7), repeat=3) if GAME.outcome(rolled("off", dice=dice).state)]
    assert won == [(6, 6, 6)]


def test_a_token_that_is_bumped_to_1_facing_down_has_landed_too():
    step = rolled("5v 3", "2v 6", dice=(1, 1, 1))
    assert [written(jumper) for jumper in step.state.tokens] == ["2v 3", "1v 6"]
    assert GAME.outcome(step.state) == Outcome((1,), "Blue landed after 6 jumps.")
    assert [(event.kind, event.seat) for event in step.events] == [("roll", 0), ("bump", 0), ("land", 1)]
