"""The rules of BOUNCE, sentence by sentence.

Positions are written as text: "3v 10" is a token on spot 3 facing down with the counter at 10, "4^ 2" one on spot 4 facing up,
"off" one that has not begun, "sick" one that has thrown up.
"""

import random
from itertools import product

import pytest

from engines.chance import Scripted
from engines.game import IllegalAction, IncompleteAction, MalformedAction, Outcome, Step
from engines.trampoline import Bump, Jumper, Place, Roll, Trampoline, TrampolineState
from engines.trampoline.track import CYCLE

GAME = Trampoline()


def token(text: str) -> Jumper:
    if text == "off":
        return Jumper()
    if text == "sick":
        return Jumper(None, 15)
    place, jumps = text.split()
    return Jumper(Place(int(place[0]), "up" if place[1] == "^" else "down"), int(jumps))


def written(jumper: Jumper) -> str:
    if jumper.thrown_up:
        return "sick"
    if jumper.place is None:
        return "off"
    return f"{jumper.spot}{'^' if jumper.facing == 'up' else 'v'} {jumper.jumps}"


def table(*tokens: str, dice: tuple[int, ...] = (), to_move: int = 0, sharing: tuple[int, ...] = ()) -> TrampolineState:
    position = GAME.position(TrampolineState(tuple(token(text) for text in tokens), to_move))
    if sharing:
        position["sharing"] = list(sharing)
    return GAME.from_position(position, Scripted.dice(*dice))


def rolled(*tokens: str, dice: tuple[int, ...], sharing: tuple[int, ...] = (), action: str = "roll") -> Step[TrampolineState]:
    return GAME.play(table(*tokens, dice=dice, sharing=sharing), 0, (action,))


def after(*tokens: str, dice: tuple[int, ...], sharing: tuple[int, ...] = (), action: str = "roll") -> list[str]:
    return [written(jumper) for jumper in rolled(*tokens, dice=dice, sharing=sharing, action=action).state.tokens]


def path_of(step: Step[TrampolineState]) -> str:
    roll = step.events[0].detail
    assert isinstance(roll, Roll)
    return " ".join(f"{place.spot}{'^' if place.facing == 'up' else 'v'}" for place in roll.path)


def bumps_of(step: Step[TrampolineState]) -> list[Bump]:
    return [event.detail for event in step.events if event.kind == "bump"]


# --- the track ------------------------------------------------------------------------------------------------------------


def test_there_are_nine_spots_and_eighteen_places():
    assert [place.spot for place in CYCLE] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert [place.facing for place in CYCLE] == ["up"] * 9 + ["down"] * 9


def test_one_move_takes_a_token_one_place_along_the_cycle():
    assert path_of(rolled("2^ 1", dice=(1, 1, 2))) == "3^ 4^ 5^ 6^"


def test_turning_at_the_top_costs_a_move():
    step = rolled("8^ 1", dice=(1, 1, 1))
    assert path_of(step) == "9^ 9v 8v"
    assert written(step.state.tokens[0]) == "8v 1"


def test_turning_at_the_trampoline_costs_a_move():
    assert path_of(rolled("2v 5", dice=(1, 2))) == "1v 1^ 2^"


def test_a_player_starts_off_the_board_with_the_counter_at_0():
    for seats in (1, 2, 3, 4):
        assert GAME.start(seats).tokens == (Jumper(None, 0),) * seats


def test_the_first_move_puts_the_token_on_1_facing_up():
    assert path_of(rolled("off", dice=(1, 1, 1))) == "1^ 2^ 3^"


# --- jumps ----------------------------------------------------------------------------------------------------------------


def test_the_first_arrival_on_1_facing_up_is_jump_1():
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


# --- a turn ---------------------------------------------------------------------------------------------------------------


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


def test_a_token_that_was_bumped_up_to_8_may_still_reach_the_top_and_falls_from_there():
    assert after("8^ 10", dice=(1,)) == ["9v 10"]


def test_a_token_on_1_facing_up_stays_as_it_is():
    step = rolled("2v 10", dice=(2,))
    assert written(step.state.tokens[0]) == "1^ 11"
    assert not step.events[0].detail.fell


def test_the_counter_after_the_moves_decides_about_falling():
    assert after("2v 9", dice=(2, 3)) == ["4v 10"]
    assert after("2v 8", dice=(2, 3)) == ["4^ 9"]


def test_a_token_that_faces_down_already_does_not_fall():
    assert not rolled("9v 12", dice=(3,)).events[0].detail.fell


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


def test_whoever_is_away_rolls():
    assert {GAME.absent_action(table("2v 14"), 0, random.Random(number)) for number in range(20)} == {("roll",)}


def test_a_faceplant_that_ends_on_another_token_bumps_it():
    assert after("3v 14", "2v 4", dice=(1,), action="faceplant") == ["2v 14", "1v 4"]


# --- landing --------------------------------------------------------------------------------------------------------------


def test_a_token_that_ends_on_1_facing_down_has_landed_and_won():
    step = rolled("6v 3", "5^ 3", dice=(1, 1, 3))
    assert GAME.outcome(step.state) == Outcome((0,), "Red landed on the trampoline.")
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
    assert GAME.outcome(step.state) == Outcome((1,), "Blue landed on the trampoline.")
    assert [(event.kind, event.seat) for event in step.events] == [("roll", 0), ("bump", 0), ("land", 1)]


# --- bumping --------------------------------------------------------------------------------------------------------------


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


def test_one_place_on_from_1_facing_up_is_2_facing_up_and_no_jump():
    assert after("3v 3", "1^ 6", dice=(1, 1, 1)) == ["1^ 4", "2^ 6"]


def test_the_mover_who_is_set_back_from_spot_2_has_landed():
    step = rolled("3v 3", "2v 7", dice=(1, 1, 2))
    assert [written(jumper) for jumper in step.state.tokens] == ["1v 4", "2v 7"]
    assert GAME.outcome(step.state) == Outcome((0,), "Red landed on the trampoline.")


def test_players_off_the_board_or_thrown_up_are_on_no_spot():
    assert after("off", "off", "sick", dice=(1, 1, 1)) == ["3^ 1", "off", "sick"]


def test_the_falling_rule_comes_before_bumping():
    assert after("1^ 10", "4^ 3", dice=(3,)) == ["4v 10", "3v 3"]
    assert after("1^ 10", "4v 3", dice=(3,)) == ["4v 10", "3v 3"]


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


def test_with_two_tokens_on_the_spot_only_the_one_that_has_been_there_longer_is_bumped():
    assert after("6^ 3", "9^ 4", "9v 5", dice=(1, 1, 1), sharing=(1, 2)) == ["9^ 3", "9v 4", "9v 5"]
    assert after("6^ 3", "9^ 4", "9v 5", dice=(1, 1, 1), sharing=(2, 1)) == ["8v 3", "9^ 4", "9v 5"]


def test_who_has_been_there_longer_is_remembered_from_turn_to_turn():
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


def test_a_roll_of_1_at_the_shared_top_bumps_the_other_there():
    assert after("9^ 12", "9v 3", dice=(1,), sharing=(0, 1)) == ["9v 12", "8v 3"]


def test_a_bump_never_changes_a_jump_counter():
    assert after("3v 3", "1^ 14", dice=(1, 1, 1)) == ["1^ 4", "2^ 14"]


def test_the_falling_rule_is_not_applied_to_bumped_tokens():
    step = rolled("3v 3", "1^ 12", dice=(1, 1, 1))
    assert step.state.tokens[1].facing == "up"


# --- the end --------------------------------------------------------------------------------------------------------------


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
    assert GAME.outcome(state) == Outcome((2,), "Green landed on the trampoline.")


def test_the_turn_passes_over_those_who_are_out():
    state = table("9v 3", "sick", "off", "sick", dice=(1, 1, 1, 1, 1, 1))
    state = GAME.play(state, 0, ("roll",)).state
    assert GAME.to_act(state) == (2,)
    state = GAME.play(state, 2, ("roll",)).state
    assert GAME.to_act(state) == (0,)


def test_one_who_is_left_alone_by_the_stomachs_of_the_others_still_has_to_land():
    state = rolled("2v 14", "5v 14", dice=(6,)).state
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == (1,)


def test_if_all_throw_up_nobody_wins():
    assert GAME.outcome(rolled("2v 14", "sick", dice=(6,)).state) == Outcome((), "Everybody has thrown up.")


def test_alone_you_either_land_or_throw_up():
    assert GAME.outcome(rolled("2v 14", dice=(1,)).state) == Outcome((0,), "Red landed on the trampoline.")
    assert GAME.outcome(rolled("2v 14", dice=(2,)).state) == Outcome((), "The fifteenth jump was one too many.")


# --- leaving --------------------------------------------------------------------------------------------------------------


def test_who_leaves_takes_the_token_off_and_the_rest_play_on():
    step = GAME.withdraw(table("4v 3", "4^ 6", "off", sharing=(0, 1)), 0)
    assert [jumper.place for jumper in step.state.tokens] == [None, Place(4, "up"), None]
    assert step.state.sharing == ()
    assert GAME.to_act(step.state) == (1,)
    assert GAME.view(step.state).out == (0,)


def test_who_leaves_out_of_turn_does_not_pass_the_turn_on():
    assert GAME.to_act(GAME.withdraw(table("4v 3", "5^ 6", "off"), 1).state) == (0,)


def test_the_last_one_left_wins_when_the_others_leave():
    state = GAME.withdraw(table("4v 3", "sick", "5v 6"), 0).state
    assert GAME.outcome(state) == Outcome((2,), "Green is the last one left.")


def test_who_leaves_a_table_of_one_leaves_nobody():
    assert GAME.outcome(GAME.withdraw(table("4v 3"), 0).state) == Outcome((), "Nobody is left on the trampoline.")
    assert GAME.outcome(GAME.withdraw(table("4v 3", "sick"), 0).state) == Outcome((), "Nobody is left on the trampoline.")


def test_one_who_left_does_not_make_the_last_one_win_who_is_left_by_a_stomach():
    state = GAME.withdraw(table("2v 14", "5v 3", "4v 3", dice=(6,)), 1).state
    state = GAME.play(state, 0, ("roll",)).state
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == (2,)


def test_nobody_can_leave_twice_or_after_the_end():
    state = table("4v 3", "sick", "5v 6", "9v 1")
    with pytest.raises(ValueError, match="no longer in the game"):
        GAME.withdraw(GAME.withdraw(state, 0).state, 0)
    with pytest.raises(ValueError, match="no longer in the game"):
        GAME.withdraw(state, 1)
    with pytest.raises(ValueError, match="over"):
        GAME.withdraw(rolled("6v 3", "5^ 3", dice=(1, 1, 3)).state, 1)


# --- what is typed, and what is told --------------------------------------------------------------------------------------


def test_the_words_are_roll_and_faceplant():
    state = table("2v 14", "off")
    assert list(GAME.legal_actions(state, 0)) == [("roll",), ("faceplant",)]
    assert GAME.parse(state, 0, " Roll ") == ("roll",)
    assert GAME.notate(state, 0, ("faceplant",)) == "faceplant"


@pytest.mark.parametrize(
    ("seat", "action", "error", "message"),
    [
        (0, ("faceplant",), IllegalAction, "“faceplant” is not possible now; possible: roll."),
        (0, ("ROLL!",), MalformedAction, "“ROLL!” is no word of this game; possible here: roll."),
        (0, (), IncompleteAction, "There is something missing to begin with; possible: roll."),
        (0, ("roll", "roll"), IllegalAction, "The action ends at roll; “roll” is too much."),
        (1, ("roll",), IllegalAction, "Blue cannot act now."),
    ],
)
def test_an_action_that_cannot_be_is_refused_with_what_could(seat, action, error, message):
    with pytest.raises(error) as raised:
        GAME.play(table("2v 13", "off"), seat, action)
    assert raised.value.message == message


def test_the_story_of_a_roll_is_one_or_two_short_lines():
    step = rolled("1^ 3", "4v 3", "3v 3", dice=(1, 1, 1))
    assert [event.text for event in step.events] == [
        "Red rolls 1 + 1 + 1. Whee! Up on spot 4.",
        "Red thuds into Blue coming down and drops back to spot 3.",
        "Red lands on Green’s head: down to spot 2.",
    ]


def test_the_board_in_words_says_all_there_is_to_know():
    state = table("2v 14", "9^ 1", "sick", "off")
    assert GAME.describe(GAME.view(state)) == (
        "Red: spot 2, facing down, 14 jumps of 15.\n"
        "Blue: spot 9, facing up, 1 jump of 15.\n"
        "Green: has thrown up and is out.\n"
        "Yellow: not yet on the trampoline.\n"
        "Red rolls 1 die.\n"
        "Red may try a faceplant instead."
    )


def test_the_strip_shows_the_jumps():
    assert GAME.view(table("2v 14", "9^ 1")).scores == ("14 jumps", "1 jump")
